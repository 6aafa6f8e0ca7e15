//! A process in an agent's sandbox, and the gateway that is its only way out: what holds in every back end.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
    path::Path,
    thread,
    time::Duration,
};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    definition::{Agent, AgentTask},
    launch::{AgentSandbox, EndedProcess, MOST_OUTPUT, session_in},
};
use slopbench_gateway::{
    player::Player,
    script::Script,
    server::{AllowList, Allowed, Faults, Gateway, InjectedFault, LogEntry, Mode, RequestOutcome},
};
use slopbench_sandbox::{Limit, ProgramEnd, session::SessionJob};
use tempfile::TempDir;

use crate::system;

const LIMIT: Duration = Duration::from_secs(30);

struct Bench {
    dir: TempDir,
    sandbox: AgentSandbox,
    gateway: Gateway,
}

impl Bench {
    /// Nothing where this back end does not work, which says why.
    fn new(faults: Faults, allowed: AllowList) -> Option<Self> {
        let system = system()?;
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| {
            let path = dir.path().join(name);
            fs::create_dir(&path).unwrap();
            path
        };
        ["workspace", "home", "streams"].iter().for_each(|name| drop(folder(name)));
        let spec = session_in(dir.path(), folder("installation"), system, Vec::new());
        let (sandbox, listener) = AgentSandbox::open(spec).unwrap();
        let script = Script::of_actions([]);
        let mode = Mode::Scripted(Player {
            script,
            workspace: AgentSandbox::workspace().into(),
            tools: Vec::new(),
            finish_command: None,
        });
        let gateway = Gateway::serve(listener, mode, faults, Allowed { hosts: allowed, ..Allowed::default() }).unwrap();
        Some(Self { dir, sandbox, gateway })
    }

    async fn python(&self, code: &str) -> EndedProcess {
        let mut job = SessionJob::new(["/usr/bin/env", "python3", "-c", code].map(String::from).into(), LIMIT);
        job.env.insert("GATEWAY".into(), self.gateway.url());
        self.sandbox.run(&job).await.unwrap()
    }

    /// What a program printed that ended well.
    async fn says(&self, code: &str) -> String {
        let ended = self.python(code).await;
        assert_eq!(ended.end, ProgramEnd::Exited(0), "{}", String::from_utf8_lossy(&ended.stderr));
        String::from_utf8(ended.stdout).unwrap().trim_end().to_owned()
    }

    /// The last request in the log that answers `wanted`: a tunnel's end comes a moment after its last byte.
    async fn logged(&self, wanted: impl Fn(&LogEntry) -> bool) -> LogEntry {
        for _ in 0..1000 {
            if let Some(entry) = self.gateway.log().entries().into_iter().rfind(&wanted) {
                return entry;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("not in the log: {}", self.gateway.log().to_json_lines());
    }
}

fn mini_swe_agent() -> Agent {
    AgentCatalogue::built_in().unwrap().agents.get("mini-swe-agent").unwrap().value.clone()
}

/// A registry that answers one line with another, once.
fn registry() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = [0; 64];
        let count = stream.read(&mut asked).unwrap();
        stream.write_all(&[b"package for ", &asked[..count]].concat()).unwrap();
    });
    address
}

/// Python that asks for a tunnel, says `me` into it, and prints the answer's status and all that comes back.
fn tunnel_to(host: &str) -> String {
    format!(
        "
import os, socket, urllib.parse
proxy = urllib.parse.urlsplit(os.environ['HTTPS_PROXY'])
way = socket.create_connection((proxy.hostname, proxy.port))
way.sendall(b'CONNECT {host} HTTP/1.1\\r\\nhost: {host}\\r\\nconnection: close\\r\\n\\r\\n')
answer = way.makefile('rb')
status = answer.readline().split()[1].decode()
while answer.readline().strip(): pass
if status == '200': way.sendall(b'me')
print(status, answer.read().decode())
"
    )
}

#[tokio::test]
async fn another_host_is_out_of_reach_and_the_attempt_is_in_the_log() {
    let Some(bench) = Bench::new(Faults::new(), AllowList::default()) else { return };
    let code = "
import urllib.request, urllib.error
for url in 'https://example.org/leak', 'http://example.org/leak':
    try: print(urllib.request.urlopen(url).status)
    except OSError as error: print(error)
";
    assert_eq!(
        bench.says(code).await,
        "<urlopen error Tunnel connection failed: 403 Forbidden>\nHTTP Error 403: Forbidden"
    );
    let told: Vec<_> = bench.gateway.log().entries().into_iter().map(|e| (e.method, e.target, e.status)).collect();
    let refused = |method: &str, target: &str| (method.to_owned(), target.to_owned(), Some(403));
    assert_eq!(told, [refused("CONNECT", "example.org:443"), refused("GET", "example.org/leak")]);
}

#[tokio::test]
async fn a_host_on_the_list_has_a_tunnel_and_its_bytes_are_counted() {
    let registry = registry();
    let allowed = AllowList::from_iter([registry.to_string()]);
    let Some(bench) = Bench::new(Faults::new(), allowed) else { return };
    let code = tunnel_to(&registry.to_string());
    assert_eq!(bench.says(&code).await, "200 package for me");
    let tunnelled = RequestOutcome::Tunnelled { sent: 2, received: 14 };
    let entry = bench.logged(|entry| entry.outcome == tunnelled).await;
    assert_eq!((entry.method.as_str(), entry.target), ("CONNECT", registry.to_string()));
}

#[tokio::test]
async fn a_host_on_the_list_that_is_not_there_is_told_so() {
    // A port that was free a moment ago.
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let Some(bench) = Bench::new(Faults::new(), AllowList::from_iter([&nobody])) else { return };
    let said = bench.says(&tunnel_to(&nobody)).await;
    assert!(said.starts_with("502 ") && said.contains("cannot be reached"), "{said}");
    assert!(matches!(bench.logged(|_| true).await.outcome, RequestOutcome::Refused { .. }));
}

#[tokio::test]
async fn a_stream_arrives_piece_by_piece() {
    // The model falls silent after its first event, which must be there nevertheless.
    let Some(bench) = Bench::new(Faults::from([(0, InjectedFault::Stall { after: 1 })]), AllowList::default()) else {
        return;
    };
    let code = "
import json, os, urllib.request
body = {'model': 'm', 'stream': True, 'messages': [{'role': 'user', 'content': 'Go.'}], 'tools': [{'name': 'Bash'}]}
answer = urllib.request.urlopen(os.environ['GATEWAY'] + '/v1/messages', json.dumps(body).encode(), timeout=20)
print(answer.readline().decode().strip())
";
    assert_eq!(bench.says(code).await, "event: message_start");
}

#[tokio::test]
async fn an_agent_gets_its_home_and_tells_by_no_link() {
    let Some(bench) = Bench::new(Faults::new(), AllowList::default()) else { return };
    let secret = bench.dir.path().join("secret");
    fs::write(&secret, "secret").unwrap();
    let mut agent = mini_swe_agent();
    agent.arguments = ["python3", "-c", "{prompt}"].map(String::from).into();
    agent.files = BTreeMap::from([(".config/agent.toml".into(), "url = '{gateway}'".into())]);
    agent.events.from = "events.json".into();
    let prompt = format!(
        "
import os
print(open(os.path.expanduser('~/.config/agent.toml')).read())
open(os.path.expanduser('~/.config/state'), 'w').write('kept')
os.symlink({secret:?}, os.path.expanduser('~/events.json'))
"
    );
    let task = AgentTask {
        prompt: &prompt,
        conversation: None,
        model: "m",
        small_model: "m",
        reasoning: "high",
        gateway: &bench.gateway.url(),
        key: "k",
        workspace: AgentSandbox::workspace(),
        home: AgentSandbox::home(),
    };
    let session = agent.run(Path::new("/usr/bin/env"), &task, &bench.sandbox, LIMIT).await.unwrap();
    let told = String::from_utf8(session.ended.stdout).unwrap();
    assert_eq!(told.trim_end(), format!("url = '{}'", bench.gateway.url()));
    assert_eq!(session.events, b"", "a link leads anywhere");
    assert_eq!(fs::read_to_string(bench.dir.path().join("home/.config/state")).unwrap(), "kept");
    // One session a sandbox: what comes next must not find what this one left running or in memory.
    let again = agent.run(Path::new("/usr/bin/env"), &task, &bench.sandbox, LIMIT).await;
    assert!(again.unwrap_err().to_string().contains("one session"));
}

/// mini-swe-agent tells in a file; its program is stood in for by a shell.
#[tokio::test]
async fn an_agent_that_tells_too_much_is_at_its_limit_and_what_it_told_until_then_is_kept() {
    let most = usize::try_from(MOST_OUTPUT).unwrap();
    for (told_in, shell) in
        [("trajectory.json", "truncate --size 65M \"$HOME/trajectory.json\""), ("stdout", "head --bytes 65M /dev/zero")]
    {
        let Some(bench) = Bench::new(Faults::new(), AllowList::default()) else { return };
        let mut agent = mini_swe_agent();
        agent.events.from = told_in.to_owned();
        agent.arguments = ["sh", "-c", shell].map(String::from).into();
        let task = AgentTask {
            prompt: "",
            conversation: None,
            model: "m",
            small_model: "",
            reasoning: "high",
            gateway: &bench.gateway.url(),
            key: "k",
            workspace: AgentSandbox::workspace(),
            home: AgentSandbox::home(),
        };
        let session = agent.run(Path::new("/usr/bin/env"), &task, &bench.sandbox, LIMIT).await.unwrap();
        assert_eq!(session.ended.end, ProgramEnd::Limit(Limit::Output), "{told_in}");
        assert_eq!(session.events.len(), most, "{told_in}");
    }
}

#[tokio::test]
async fn nothing_of_this_process_is_in_the_environment() {
    let Some(bench) = Bench::new(Faults::new(), AllowList::default()) else { return };
    let names = bench.says("import os; print(*sorted(os.environ))").await;
    let expected =
        "GATEWAY HOME HTTPS_PROXY HTTP_PROXY LANG LOGNAME NO_PROXY PATH SHELL TZ USER http_proxy https_proxy no_proxy";
    assert_eq!(names, expected);
}

#[tokio::test]
async fn an_agent_that_is_no_longer_wanted_ends() {
    let Some(bench) = Bench::new(Faults::new(), AllowList::default()) else { return };
    let started = bench.dir.path().join("workspace/started");
    let code = "import time; open('started', 'w').write('x'); time.sleep(1000); open('late', 'w')";
    let run = bench.python(code);
    let seen = async {
        while !started.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        _ = run => panic!("it ended by itself"),
        () = seen => {}
    }
    // The next gets none of its processes: the workspace is its own again.
    let processes = || {
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter(|entry| {
                let arguments = fs::read(entry.path().join("cmdline")).unwrap_or_default();
                arguments.windows(code.len()).any(|window| window == code.as_bytes())
            })
            .count()
    };
    for _ in 0..1000 {
        if processes() == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it still runs");
}
