//! A workspace with sources, and what a session that left it would have said and done.

use std::{fmt::Write as _, fs, path::Path};

use serde_json::{Value, json};
use slopbench_digest::TreeId;
use slopbench_metrics::{RuleSet, grading};
use slopbench_runner::RunFolder;
use slopbench_slopcode::run::Design;

use crate::{Error, draw::Draw, trajectory::MadeCheckpoint};

/// Functions that a checkpoint adds.
const ADDED: u32 = 3;

/// Keeps the workspace of a checkpoint, and measures it in place of what was drawn where that has figures.
pub(crate) fn keep(
    folder: &RunFolder<Design>,
    unit: &str,
    number: u32,
    made: &mut MadeCheckpoint,
    rules: &RuleSet,
) -> Result<TreeId, Error> {
    let temporary = folder.store.temporary()?;
    let path = temporary.path().join("workspace");
    fs::create_dir_all(&path).map_err(|source| Error::Write { path: path.clone(), source })?;
    let is_empty = made.grading.as_ref().and_then(|one| one.measurement.as_ref()).is_some_and(|it| it.total.loc == 0);
    let files = if is_empty { vec![("README.md", "Made up.\n".to_owned())] } else { sources(unit, number) };
    for (name, text) in files {
        put(&path.join(name), &text)?;
    }
    if made.grading.as_ref().is_some_and(|grading| grading.withheld.is_none()) {
        made.grading = Some(grading::grade(&path, "python", &[], rules)?);
    }
    Ok(folder.store.keep_tree(&path)?)
}

fn put(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(|source| Error::Write { path: path.to_owned(), source })
}

/// What is there at a checkpoint: all of the one before, a main function that has grown, and some functions more, which are alike.
fn sources(unit: &str, number: u32) -> Vec<(&'static str, String)> {
    let mut draw = Draw::of(0, &format!("workspace {unit}"));
    let mut main = String::from(
        "\"\"\"A made-up program: nobody asked for it.\"\"\"\n\nimport sys\n\nimport parts\n\n\ndef main(argv):\n",
    );
    main += "    result = 0\n    for name in argv:\n";
    for branch in 1..=4 * number {
        let word = if branch == 1 { "if" } else { "elif" };
        let _ = writeln!(main, "        {word} name == \"--part-{branch}\":");
        let _ = writeln!(main, "            result = result + parts.part_{}(result)", 1 + branch % (ADDED * number));
    }
    main += "        else:\n            print(name)\n    if result == 0:\n        return False\n    else:\n        return True\n\n\n";
    main += "if __name__ == \"__main__\":\n    sys.exit(main(sys.argv[1:]))\n";
    let mut parts = String::from("\"\"\"Parts of a made-up program.\"\"\"\n");
    for part in 1..=ADDED * number {
        let limit = 10 + (draw.unit() * 90.0) as u32;
        let _ = write!(
            parts,
            "\n\ndef part_{part}(value):\n    items = []\n    for item in range({limit}):\n        if item % 2 == 0:\n            \
             items.append(item)\n    total = value\n    for item in items:\n        total = total + item\n    return total\n"
        );
    }
    vec![("main.py", main), ("parts.py", parts)]
}

/// The session's steps, in the Agent Trajectory Interchange Format.
pub(crate) fn steps(number: u32, made: &MadeCheckpoint) -> Value {
    let call = |id: &str, tool: &str, arguments: Value| json!({"tool_call_id": id, "function_name": tool, "arguments": arguments});
    let result = |id: &str, content: &str| json!({"results": [{"source_call_id": id, "content": content}]});
    json!({
        "schema_version": "ATIF-v1.7",
        "agent": {"name": "synthetic", "version": "1.0.0", "model_name": "synthetic"},
        "steps": [
            {"step_id": 1, "source": "user", "message": format!("Made up: solve checkpoint {number}.")},
            {"step_id": 2, "source": "agent", "message": "I read what is there first.", "reasoning_content": "There may be a main.py.",
             "tool_calls": [call("1", "shell", json!({"command": "ls; cat main.py"}))],
             "observation": result("1", "main.py\nparts.py\n"),
             "metrics": {"prompt_tokens": made.tokens[0] / 3, "completion_tokens": made.tokens[2] / 3, "cached_tokens": 0}},
            {"step_id": 3, "source": "agent", "message": "",
             "tool_calls": [call("2", "write", json!({"path": "main.py", "text": sources("steps", number)[0].1}))],
             "observation": result("2", "written")},
            {"step_id": 4, "source": "agent", "message": "Everything that was asked is done."},
        ],
    })
}
