//! What an honest program sees, and what is seen of it.

use std::os::unix::fs::symlink;
use std::time::Duration;

use slopbench_sandbox::{Collected, Error, FileEntry, Limits, ProgramEnd, Task};

use crate::common::{LIMITS, MB, THIRD_PARTY_PACKAGES};
use crate::{open, open_with};

#[test]
fn streams_files_and_exit_code_come_out() {
    let Some(mut b) = open() else { return };
    let mut task = b.task(
        "import sys, os, pathlib
print(sys.stdin.read().upper(), os.environ['NAME'], os.getcwd())
print('oops', file=sys.stderr)
pathlib.Path('out').mkdir(); pathlib.Path('out/copy').write_bytes(pathlib.Path('in/put').read_bytes())
sys.exit(7)",
        LIMITS,
    );
    task.stdin = b"hello".to_vec();
    task.env.insert("NAME".into(), "value".into());
    task.files = vec![("in/put".into(), FileEntry::File(b"\xff\x00bytes".to_vec()))];
    task.collect = vec!["out/copy".into(), "out/none".into(), "out".into()];
    let seen = b.run(&task);
    assert_eq!(seen.end, ProgramEnd::Exited(7));
    assert_eq!(String::from_utf8(seen.stdout).unwrap(), "HELLO value /work\n");
    assert_eq!(String::from_utf8(seen.stderr).unwrap(), "oops\n");
    assert_eq!(seen.files["out/copy"], Collected::File(b"\xff\x00bytes".to_vec()));
    assert_eq!(seen.files["out/none"], Collected::Missing);
    assert_eq!(seen.files["out"], Collected::NotAFile);
    assert!(seen.usage.wall > Duration::ZERO && seen.usage.cpu > Duration::ZERO);
}

#[test]
fn every_exit_code_is_told() {
    let Some(mut b) = open() else { return };
    for code in 0..=255 {
        let task = Task::new(["sh", "-c", &format!("exit {code}")], LIMITS);
        assert_eq!(b.run(&task).end, ProgramEnd::Exited(code));
    }
}

#[test]
fn every_signal_is_told() {
    let Some(mut b) = open() else { return };
    assert_eq!(b.python("import os; os.abort()", LIMITS).end, ProgramEnd::Signalled(6));
    // The last are real-time signals, which some wrappers of waitpid choke on. 13 is ignored by
    // Rust programs and their children.
    for signal in [1, 2, 9, 11, 13, 15, 34, 50, 64] {
        let task = Task::new(["sh", "-c", &format!("kill -{signal} $$")], LIMITS);
        assert_eq!(b.run(&task).end, ProgramEnd::Signalled(signal));
    }
}

#[test]
fn a_megabyte_goes_in_and_comes_out() {
    let Some(mut b) = open() else { return };
    let mut task = Task::new(["cat"], LIMITS);
    task.stdin = (0..MB).map(|byte| (byte % 251) as u8).collect();
    let seen = b.run(&task);
    assert_eq!(seen.end, ProgramEnd::Exited(0));
    assert!(seen.stdout == task.stdin);
}

#[test]
fn input_may_stay_unread() {
    let Some(mut b) = open() else { return };
    for code in ["pass", "import os; os.close(0); print('done')"] {
        let mut task = b.task(code, LIMITS);
        task.stdin = vec![b'x'; 1 << 20];
        assert_eq!(b.run(&task).end, ProgramEnd::Exited(0));
    }
}

#[test]
fn output_up_to_the_limit_is_no_offence() {
    let Some(mut b) = open() else { return };
    let limits = Limits { output: 100_000, ..LIMITS };
    let seen = b.python("import sys; sys.stdout.write('o' * 60000); sys.stderr.write('e' * 40000)", limits);
    assert_eq!((seen.end, seen.stdout.len(), seen.stderr.len()), (ProgramEnd::Exited(0), 60_000, 40_000));
}

#[test]
fn a_program_may_close_its_streams_and_go_on() {
    let Some(mut b) = open() else { return };
    let mut task =
        b.task("import os, time; os.closerange(0, 3); time.sleep(0.3); open('late', 'w').write('x')", LIMITS);
    task.collect = vec!["late".into()];
    let seen = b.run(&task);
    assert_eq!((seen.end, &seen.files["late"]), (ProgramEnd::Exited(0), &Collected::File(b"x".to_vec())));
}

#[test]
fn tasks_do_not_see_each_other() {
    let Some(mut b) = open() else { return };
    let code = "import os
print(sorted(os.listdir('/work')), os.listdir('/tmp'), os.listdir('/dev/shm'))
for place in '/work/a', '/tmp/b', '/dev/shm/c': open(place, 'w').write('x' * 1000)";
    assert_eq!(b.says(code), "[] [] []");
    assert_eq!(b.says(code), "[] [] []");
}

#[test]
fn the_environment_is_the_same_everywhere() {
    let Some(mut b) = open() else { return };
    let names = b.says("import os; print(' '.join(sorted(os.environ)))");
    assert_eq!(names, "HOME LANG PATH PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONNOUSERSITE TZ");
    let facts = "import os, socket, pwd, resource
print(os.getuid(), os.getgid(), pwd.getpwuid(os.getuid()).pw_name, socket.gethostname(), oct(os.umask(0)), os.getcwd())
print(resource.getrlimit(resource.RLIMIT_NOFILE), os.path.expanduser('~'), sorted(os.listdir('/proc/self/fd')))";
    let expected = "1000 1000 user sandbox 0o22 /work\n(1024, 1024) /tmp ['0', '1', '2', '3']";
    assert_eq!(b.says(facts), expected);
    let signals = b.says("print(*[line.strip() for line in open('/proc/self/status') if line.startswith(('SigBlk', 'Cap', 'Seccomp:', 'NoNew'))])");
    let nothing = "0000000000000000";
    let mut expected =
        format!("SigBlk:\t{nothing} CapInh:\t{nothing} CapPrm:\t{nothing} CapEff:\t{nothing} CapBnd:\t{nothing}");
    expected += &format!(" CapAmb:\t{nothing} NoNewPrivs:\t1 Seccomp:\t2");
    assert_eq!(signals, expected);
}

#[test]
fn the_solution_is_a_copy_with_plain_modes() {
    let files =
        [("main.py", "import helper; print(helper.X)"), ("helper.py", "X = 5"), ("sub/tool", "#!/bin/sh\necho tool")];
    let change = |dir: &std::path::Path| {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(dir.join("sub/tool"), std::fs::Permissions::from_mode(0o700)).unwrap();
        std::fs::set_permissions(dir.join("helper.py"), std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink("/etc/machine-id", dir.join("link")).unwrap();
        Vec::new()
    };
    let Some(mut b) = open_with(&files, change) else {
        return;
    };
    let seen = b.run(&Task::new(["python3", "/solution/main.py"], LIMITS));
    assert_eq!(
        (seen.end, seen.stdout),
        (ProgramEnd::Exited(0), b"5\n".to_vec()),
        "{}",
        String::from_utf8_lossy(&seen.stderr)
    );
    let seen = b.run(&Task::new(["/solution/sub/tool"], LIMITS));
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Exited(0), b"tool\n".to_vec()));
    let listing = "import os, stat
for name in sorted(os.listdir('/solution')): print(name, oct(os.lstat('/solution/' + name).st_mode))";
    assert_eq!(b.says(listing), "helper.py 0o100644\nlink 0o120777\nmain.py 0o100644\nsub 0o40755");
    assert_eq!(
        b.says("import os; print(os.path.exists('/solution/link'), oct(os.stat('/solution/sub/tool').st_mode))"),
        "False 0o100755"
    );
}

#[test]
fn what_a_task_leaves_at_any_depth_is_gone_for_the_next() {
    let Some(mut b) = open() else { return };
    let dig = "
import os
at = os.open('.', os.O_RDONLY)
for _ in range(20_000):
    os.mkdir('d', dir_fd=at)
    below = os.open('d', os.O_RDONLY, dir_fd=at)
    os.close(at)
    at = below
for number in range(5000): os.mkdir(str(number))
print('dug')";
    let limits = Limits { disk: 256 * MB, ..LIMITS };
    assert_eq!(b.run(&b.task(dig, limits)).stdout, b"dug\n");
    assert_eq!(b.run(&b.task("import os; print(os.listdir('.'))", limits)).stdout, b"[]\n");
}

#[test]
fn a_program_that_cannot_run_is_the_solutions_fault_only_if_it_is_its_own() {
    let Some(mut b) = open() else { return };
    let mut run = |name: &str| b.sandbox.run(&Task::new([name], LIMITS));
    assert_eq!(run("/solution/none").unwrap().end, ProgramEnd::Exited(127));
    assert_eq!(run("/solution/main.py").unwrap().end, ProgramEnd::Exited(126));
    assert_eq!(run("./none").unwrap().end, ProgramEnd::Exited(127));
    assert!(matches!(run("no-such-program"), Err(Error::Program { .. })));
    assert!(matches!(run("/opt/none/python3"), Err(Error::Program { .. })));
    assert!(matches!(run(""), Err(Error::Task(_))));
    // And it still works.
    assert_eq!(run("true").unwrap().end, ProgramEnd::Exited(0));
}

#[test]
fn tasks_that_make_no_sense_are_refused() {
    let Some(mut b) = open() else { return };
    let file = |path: &str| (path.to_owned(), FileEntry::File(Vec::new()));
    for files in [
        vec![file("../out")],
        vec![file("/etc/passwd")],
        vec![file("a"), file("a")],
        vec![file("a"), file("a/b")],
        vec![("link".to_owned(), FileEntry::Symlink("/tmp".into())), file("link/through")],
        vec![file("")],
        vec![file(&"n".repeat(300))],
        vec![("big".to_owned(), FileEntry::File(vec![0; 40 << 20]))],
    ] {
        let mut task = Task::new(["true"], LIMITS);
        task.files = files;
        assert!(
            matches!(b.sandbox.run(&task), Err(Error::Task(_))),
            "{:?}",
            task.files.iter().map(|(path, _)| path).collect::<Vec<_>>()
        );
    }
    let mut task = Task::new(["true"], LIMITS);
    task.collect = vec!["../secret".into()];
    assert!(matches!(b.sandbox.run(&task), Err(Error::Task(_))));
    assert!(matches!(b.sandbox.run(&Task::new(["true", "nul\0"], LIMITS)), Err(Error::Task(_))));
}

#[test]
fn links_among_the_files_are_links() {
    let Some(mut b) = open() else { return };
    let mut task = b.task("import os; print(os.readlink('repo/loop'), open('repo/loop/repo/file').read())", LIMITS);
    task.files = vec![
        ("repo/file".into(), FileEntry::File(b"text".to_vec())),
        ("repo/loop".into(), FileEntry::Symlink("..".into())),
    ];
    let seen = b.run(&task);
    assert_eq!(String::from_utf8_lossy(&seen.stdout), ".. text\n");
}

#[test]
fn third_party_packages_are_out_of_sight() {
    let Some(mut b) = open() else { return };
    assert_eq!(b.says(THIRD_PARTY_PACKAGES), "[]");
}

#[test]
fn the_standard_library_works() {
    let Some(mut b) = open() else { return };
    let code = "
import multiprocessing, subprocess, tempfile, threading, asyncio, concurrent.futures as futures
def square(n): return n * n
if __name__ == '__main__':
    with multiprocessing.get_context('fork').Pool(4) as pool: print(pool.map(square, range(5)))
    print(subprocess.run(['sh', '-c', 'echo out; echo err > /dev/stderr'], capture_output=True))
    with futures.ThreadPoolExecutor(16) as pool: print(sum(pool.map(square, range(100))))
    async def main(): return await (await asyncio.create_subprocess_exec('true')).wait()
    print(asyncio.run(main()))
    with tempfile.NamedTemporaryFile() as file: print(file.name.startswith('/tmp/'))
    open('/dev/stdout', 'w').write('reopened\\n')
";
    let expected = "[0, 1, 4, 9, 16]\nCompletedProcess(args=['sh', '-c', 'echo out; echo err > /dev/stderr'], returncode=0, \
                    stdout=b'out\\n', stderr=b'err\\n')\n328350\n0\nTrue";
    let said = b.says(code);
    assert!(said.contains("reopened"), "{said}");
    assert_eq!(said.replace("reopened\n", ""), expected);
}

#[test]
fn forked_children_share_their_memory() {
    let Some(mut b) = open() else { return };
    // 100 MB, seen by ten processes: 1 GB as the sum of what each has resident.
    let code = "
import os, time
data = b'x' * (100 << 20)
pids = []
for _ in range(9):
    pid = os.fork()
    if pid == 0: time.sleep(0.5); os._exit(0)
    pids.append(pid)
for pid in pids: os.waitpid(pid, 0)
print('done')";
    assert_eq!(b.says(code), "done");
}

#[test]
fn limits_may_be_beyond_all_measure() {
    let Some(mut b) = open() else { return };
    let limits = Limits {
        wall: Duration::MAX,
        cpu: Duration::MAX,
        memory: u64::MAX,
        processes: u32::MAX,
        file_size: u64::MAX,
        disk: u64::MAX,
        output: u64::MAX,
    };
    let mut task = b.task("open('f', 'w').write('x'); print(1)", limits);
    task.collect = vec!["f".into()];
    let seen = b.sandbox.run(&task).unwrap();
    assert_eq!((seen.end, seen.stdout), (ProgramEnd::Exited(0), b"1\n".to_vec()));
    let none = Limits { wall: Duration::ZERO, disk: 0, output: 0, ..LIMITS };
    assert!(matches!(b.sandbox.run(&b.task("pass", none)).unwrap().end, ProgramEnd::Limit(_)));
}
