//! `cargo xtask images`: builds images, compares them with the lock, and loads them into an engine.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a binary")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use slopbench_images::{Error, ImageLock, Layout, RECIPES, build, unpack};
use slopbench_sandbox::docker::ContainerEngine;

/// Build images from Debian packages, and compare each with crates/images/images.lock.
///
/// An image that the layout has as locked is not built again. Exit codes: 0 all is as locked; 1 it is not; 3 something
/// else went wrong.
#[derive(Parser)]
#[command(name = "cargo xtask images")]
struct Args {
    /// The images [default: all].
    names: Vec<String>,
    /// Where the OCI image layout goes.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Build in any case.
    #[arg(long)]
    rebuild: bool,
    /// Take what comes out as the new lock.
    #[arg(long)]
    update: bool,
    /// Load the images into the engine that DOCKER_HOST names, or the one of this machine.
    #[arg(long)]
    load: bool,
    /// Unpack the images, each into a folder of its name here: `slopbench --system DIR/python` shows it to solutions.
    #[arg(long, value_name = "DIR")]
    unpack: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(if matches!(error, Error::Packages { .. } | Error::Digest { .. }) { 1 } else { 3 })
        }
    }
}

fn run(args: &Args) -> Result<(), Error> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("images.lock");
    let mut lock = ImageLock::load(&path)?;
    let layout = Layout::open(&args.out)?;
    let names = match args.names.as_slice() {
        [] => RECIPES.iter().map(|recipe| recipe.name.to_owned()).collect(),
        names => names.to_vec(),
    };
    let there = |name: &String| lock.get(name).is_ok_and(|image| layout.has(image));
    let missing: Vec<_> = names.iter().filter(|name| args.rebuild || args.update || !there(name)).cloned().collect();
    for built in build(&missing, &layout)? {
        println!("{} {} (layers {:?})", built.name, built.locked.manifest, built.locked.layers);
        match args.update {
            true => drop(lock.image.insert(built.name.to_owned(), built.locked)),
            false => lock.get(built.name)?.compare(built.name, &built.locked)?,
        }
    }
    if args.update {
        lock.save(&path)?;
    }
    if args.load {
        for name in &names {
            load(&layout, &lock, name)?;
        }
    }
    for (folder, name) in args.unpack.iter().flat_map(|folder| names.iter().map(move |name| (folder, name))) {
        let folder = folder.join(name);
        unpack(&layout, name, lock.get(name)?, &folder)?;
        println!("{name} unpacked into {}", folder.display());
    }
    Ok(())
}

fn load(layout: &Layout, lock: &ImageLock, name: &str) -> Result<(), Error> {
    let image = lock.get(name)?;
    let wanted = image.reference(name);
    let scratch =
        tempfile::tempdir_in(layout.path()).map_err(|source| Error::File { path: layout.path().to_owned(), source })?;
    let archive = scratch.path().join("image.tar");
    layout.export(name, &wanted.name, image, &archive)?;
    let engine = ContainerEngine::connect()?;
    engine.load(&archive)?;
    engine.check(&wanted)?;
    println!("{} loaded into {}", wanted.name, engine.host());
    Ok(())
}
