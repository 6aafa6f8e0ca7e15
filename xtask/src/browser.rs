//! The page in a browser: `cargo xtask browser`.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use serde_json::json;
use xshell::{Shell, cmd};

use crate::{Failure, status, target};

/// What the tests are, and what drives the browser.
const FOLDER: &str = "crates/page/browser";

/// Names that would act if they were markup.
const HOSTILE: [&str; 2] =
    ["</script><script>window.foreign=1</script>", r"<img src=x onerror=window.foreign=1> \textbf{x} $_%&#"];

/// Where trajectories are as many as 10,000, so often each of the small study's is done.
const MANY: &str = "625";

#[derive(clap::Args)]
pub(crate) struct Browser {
    /// Open a page of 10,000 trajectories, too: takes minutes and a gigabyte of disk.
    #[arg(long)]
    many: bool,
}

impl Browser {
    /// Makes pages of made-up runs, and has Chromium open them.
    pub(crate) fn run(&self, shell: &Shell, root: &Path, slopbench: &Path) -> Result<ExitCode, Failure> {
        let folder = target(root).join("browser");
        shell.create_dir(&folder)?;
        for file in ["package.json", "package-lock.json", "page.test.mjs"] {
            shell.copy_file(root.join(FOLDER).join(file), &folder)?;
        }
        let [first, second] = HOSTILE;
        let mut pages = vec![
            ("study", vec!["--small", "--workspaces"], vec!["--sources"]),
            ("hostile", vec!["--small", "--model", first, "--model", second], vec![]),
            ("pair", vec!["--once", "--model", "synthetic-02"], vec![]),
            ("paper", vec!["--once", "--workspaces"], vec![]),
        ];
        if self.many {
            pages.push(("many", vec!["--small", "--repeats", MANY], vec![]));
        }
        let mut made: Vec<(&str, PathBuf)> = pages
            .into_iter()
            .map(|(name, made, shown)| Ok((name, page(shell, slopbench, &folder.join(name), &made, &shown)?)))
            .collect::<Result<_, Failure>>()?;
        made.push(("slump", slump_page(shell, root, slopbench, &folder.join("slump"))?));
        let made = json!(made.into_iter().collect::<std::collections::BTreeMap<_, _>>()).to_string();
        let pictures = folder.join("pictures");
        let _in_folder = shell.push_dir(&folder);
        cmd!(shell, "npm ci --ignore-scripts --no-audit --no-fund").run()?;
        status(cmd!(shell, "node page.test.mjs {made} {pictures}"))
    }
}

/// A page of a made-up study, in place of what an earlier call left.
fn page(shell: &Shell, slopbench: &Path, folder: &Path, made: &[&str], shown: &[&str]) -> Result<PathBuf, Failure> {
    let synthetic = slopbench.with_file_name("slopbench-synthetic");
    shell.remove_path(folder)?;
    cmd!(shell, "{synthetic} --out {folder} {made...}").run()?;
    let (runs, page) = (shell.read_dir(folder)?, folder.with_extension("html"));
    cmd!(shell, "{slopbench} report {runs...} --format html {shown...} --output {page}").run()?;
    Ok(page)
}

/// A page of a run of SLUMP, whose figures and tables stand on their own: a task whose reference is written at once.
fn slump_page(shell: &Shell, root: &Path, slopbench: &Path, folder: &Path) -> Result<PathBuf, Failure> {
    shell.remove_path(folder)?;
    let (tasks, page) = (root.join("tasks"), folder.with_extension("html"));
    let run = ["--task", "stream_segments", "--agent", "reference", "--condition", "single-shot", "--offline"];
    cmd!(shell, "{slopbench} slump run {run...} --tasks {tasks} --out {folder}").quiet().ignore_stderr().run()?;
    cmd!(shell, "{slopbench} report {folder} --tasks {tasks} --format html --output {page}").run()?;
    Ok(page)
}
