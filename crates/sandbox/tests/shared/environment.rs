//! The environment of a solution's packages: shown, activated, and not to be written to.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use slopbench_sandbox::{ENVIRONMENT, ProgramEnd, Solution, Task};

use crate::common::LIMITS;
use crate::open_solution;

#[test]
fn an_environment_is_shown_activated_and_read_only() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    // In a hidden folder, as a cache in the repository's would be.
    fs::create_dir_all(path("hidden/environment/bin")).unwrap();
    fs::create_dir(path("solution")).unwrap();
    fs::write(path("hidden/secret"), "").unwrap();
    for (name, script) in [("greet", "#!/bin/sh\necho \"hello from $0\"\n"), ("env", "#!/bin/sh\necho first\n")] {
        let program = path("hidden/environment/bin").join(name);
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let solution = Solution {
        dir: path("solution"),
        hide: vec![path("hidden")],
        environment: Some(path("hidden/environment")),
        ..Solution::default()
    };
    let Some(mut sandbox) = open_solution(&solution) else { return };
    let script = "greet; env; echo $VIRTUAL_ENV; echo > $VIRTUAL_ENV/bin/mine; rm -f $VIRTUAL_ENV/bin/greet; greet";
    let seen = sandbox.run(&Task::new(["sh", "-c", script], LIMITS)).unwrap();
    let hello = format!("hello from {ENVIRONMENT}/bin/greet\n");
    assert_eq!(String::from_utf8(seen.stdout).unwrap(), format!("{hello}first\n{ENVIRONMENT}\n{hello}"));
    assert!(String::from_utf8(seen.stderr).unwrap().contains("Read-only file system"));
    assert_eq!(seen.end, ProgramEnd::Exited(0));
    // By its name alone, and for what a task says otherwise.
    let seen = sandbox.run(&Task::new(["greet"], LIMITS)).unwrap();
    assert_eq!(String::from_utf8(seen.stdout).unwrap(), hello);

    let without = Solution { environment: None, ..solution };
    let mut sandbox = open_solution(&without).unwrap();
    let seen = sandbox.run(&Task::new(["sh", "-c", "echo \"$VIRTUAL_ENV\" $PATH; ls /environment"], LIMITS)).unwrap();
    assert!(!String::from_utf8(seen.stdout).unwrap().contains(ENVIRONMENT));
}

#[test]
fn of_a_copy_of_ours_nothing_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let bytecode = folder.path().join("solution/lib/__pycache__");
    fs::create_dir_all(&bytecode).unwrap();
    fs::write(bytecode.join("a.cpython-311.pyc"), "made").unwrap();
    for (whole, listed) in [(false, "lib\n"), (true, "lib\na.cpython-311.pyc\n")] {
        let solution = Solution { dir: folder.path().join("solution"), whole, ..Solution::default() };
        let Some(mut sandbox) = open_solution(&solution) else { return };
        let place = sandbox.solution().display().to_string();
        let script = format!("cd {place}; ls; for cache in lib/__pyc*; do ls $cache 2>/dev/null; done; true");
        let seen = sandbox.run(&Task::new(["sh", "-c", &script], LIMITS)).unwrap();
        assert_eq!(String::from_utf8(seen.stdout).unwrap(), listed);
    }
}
