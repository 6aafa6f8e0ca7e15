//! What a shell and its user know of this program: completions and manual pages, from the command line's definition.

use std::{fs, io, path::Path};

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{
    Failure,
    args::Args,
    output::{Status, write},
};

pub(crate) fn completions(shell: Shell) -> Result<Status, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "slopbench", &mut script);
    write(&String::from_utf8_lossy(&script))?;
    Ok(Status::Ok)
}

pub(crate) fn man(out: Option<&Path>) -> Result<Status, Failure> {
    match out {
        Some(folder) => pages(folder).map_err(|error| {
            let folder = folder.display();
            Failure::configuration(format!("cannot write to {folder}: {error}; name a folder that can be written"))
        })?,
        None => {
            let mut page = Vec::new();
            Man::new(Args::command().disable_help_subcommand(true))
                .render(&mut page)
                .map_err(Failure::infrastructure)?;
            write(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Status::Ok)
}

fn pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(Args::command(), folder)
}
