//! What each track needs of this machine.

use std::path::Path;

use slopbench_environments::{EnvironmentStore, Environments, PackageIndex};
use slopbench_sandbox::{Error, Runtime, session::System};
use slopbench_tests::{TRACKS, Track};

/// What solutions of these tracks find with `runtime`, the machine's own.
pub(crate) fn runtime(runtime: Runtime, tracks: &[Track]) -> Runtime {
    let questions = tracks.iter().flat_map(|track| track.definition().versions);
    let programs = questions.filter_map(|question| question.first());
    programs.fold(runtime, |runtime, program| runtime.and_toolchain(program))
}

/// The image that commands have their sessions in: the track's toolchain is there, where the track is not Python's.
pub(crate) fn command_image(recipe: &str, track: Track) -> &str {
    match (recipe, track) {
        ("build", Track::Javascript | Track::Go | Track::Rust | Track::Java) => track.definition().image,
        _ => recipe,
    }
}

/// What a track's toolchain says of itself on this machine, in namespaces; or why it cannot be had, and what to do.
pub(crate) type TrackState = Result<String, (String, &'static str)>;

/// Each track but Python's, by asking. `scratch` is an empty folder.
pub(crate) fn states(scratch: &Path) -> Result<Vec<(Track, TrackState)>, Error> {
    let python = Runtime::python3()?;
    let others = TRACKS.iter().filter(|definition| definition.track != Track::Python);
    let state = |definition: &'static slopbench_tests::TrackDefinition| {
        let system = System::Machine(runtime(python.clone(), &[definition.track]));
        let store = EnvironmentStore(scratch.join(definition.name));
        let environments = Environments::new(store, system, Vec::new(), PackageIndex::default(), &|_| ());
        let ask = |question: &&[&str]| environments.toolchain(question).map_err(|error| error.to_string());
        let answers = definition.versions.iter().map(ask).collect::<Result<Vec<_>, _>>();
        let first = answers.map(|answers| answers.into_iter().next().unwrap_or_default());
        (definition.track, first.map_err(|cause| (cause, definition.advice)))
    };
    Ok(others.map(state).collect())
}
