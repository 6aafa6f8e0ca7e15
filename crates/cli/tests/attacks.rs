//! Hostile agents that are soon over, each beside an honest one; `cargo xtask attacks` plays all, and for longer.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{fs, path::Path};

use slopbench_test_support::attacks::{Arena, all};

/// How long a gateway is attacked, in seconds.
const SECONDS: f64 = 1.0;

/// Plays these, which no other test of this folder tries.
fn play(names: &[&str]) {
    let scratch = tempfile::tempdir().unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repository");
    let slopbench = Path::new(env!("CARGO_BIN_EXE_slopbench"));
    let mut arena = Arena::open(slopbench, &repository, scratch.path(), SECONDS).unwrap();
    for name in names {
        let attack = all().unwrap().into_iter().find(|attack| attack.name == *name).unwrap();
        let played = arena.play(&attack).unwrap();
        assert_eq!(played.flaws(&attack), Vec::<String>::new(), "{name}: {played:?}");
    }
}

#[test]
fn what_an_agent_leaves_and_does_is_its_own_outcome_and_changes_nothing_else() {
    play(&["closes", "leaves_processes", "mounts"]);
}

#[test]
fn what_an_agent_sends_and_tells_is_its_own_outcome_and_changes_nothing_else() {
    play(&["idle", "poisons_the_cassette", "tells_depth", "asks_indexes"]);
}

#[test]
fn the_table_in_the_docs_is_that_of_the_attacks() {
    let table: String = all().unwrap().iter().map(|attack| attack.row()).collect();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/hostile-agents.md");
    let text = fs::read_to_string(page).unwrap();
    let (_, written) = text.split_once("| --- | --- | --- |\n").unwrap();
    assert!(written == table, "write this into docs/src/hostile-agents.md:\n{table}");
}
