//! Services: honest ones, and those that do not answer as they should.

use std::time::{Duration, Instant};

use slopbench_sandbox::message::HttpMessage;
use slopbench_sandbox::{
    Error, Limit, Limits, Observation, Peer, ProgramEnd, RawResponse, RequestBatch, ResponseEnd, Service,
};

use crate::common::{Box, LIMITS, marked};
use crate::open;

/// Counts its requests in a file, and says what it was asked.
const HONEST: &str = "
import http.server, os, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        count = int(open('count').read()) + 1 if os.path.exists('count') else 1
        open('count', 'w').write(str(count))
        length = int(self.headers.get('Content-Length') or 0)
        body = f'{count} {self.path} {self.rfile.read(length).decode()}'.encode()
        self.send_response(200); self.send_header('Content-Length', str(len(body))); self.end_headers()
        self.wfile.write(body)
    do_POST = do_GET
http.server.ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), Handler).serve_forever()";

/// Takes connections as the code that follows says; `peer` is one.
const RAW: &str = "
import os, socket, time
server = socket.create_server(('127.0.0.1', int(os.environ['PORT'])), backlog=64)
";

fn service(b: &Box, code: &str, limits: Limits) -> Service {
    Service { task: b.task(code, limits), port_variable: Some("PORT".into()) }
}

/// Starts a service, plays, and sees to it that nothing is left of it.
fn serve(
    b: &mut Box,
    code: &str,
    limits: Limits,
    mut play: impl FnMut(&mut dyn Peer) -> Result<(), Error>,
) -> Observation {
    let service = service(b, code, limits);
    let started = Instant::now();
    let observation = b.sandbox.serve(&service, &mut play).unwrap();
    assert!(started.elapsed() < limits.wall + Duration::from_secs(1), "{observation:?}");
    assert_eq!(marked(&b.mark), Vec::<u32>::new(), "left behind after {:?}", observation.end);
    observation
}

fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").into_bytes()
}

/// The answers to requests at the same time, once someone listens.
fn ask(peer: &mut dyn Peer, requests: &[Vec<u8>], time_limit: Duration) -> Option<Vec<RawResponse>> {
    loop {
        let answers = peer.exchange(&RequestBatch { requests: requests.to_vec(), time_limit }).unwrap()?;
        if answers.iter().all(|answer| answer.ending != ResponseEnd::Refused) {
            return Some(answers);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn text(answer: &RawResponse) -> String {
    assert_eq!(answer.ending, ResponseEnd::Whole, "{answer:?}");
    String::from_utf8(HttpMessage::parse(&answer.bytes, false).unwrap().body).unwrap()
}

const SECONDS: Duration = Duration::from_secs(10);

#[test]
fn a_service_is_talked_to_and_keeps_its_files_when_it_is_restarted() {
    let Some(mut b) = open() else { return };
    let mut heard = Vec::new();
    let seen = serve(&mut b, HONEST, LIMITS, |peer| {
        heard.push(text(&ask(peer, &[get("/a")], SECONDS).unwrap()[0]));
        let post = [b"POST /b HTTP/1.1\r\nContent-Length: 200000\r\n\r\n".to_vec(), vec![b'x'; 200_000]].concat();
        heard.push(text(&ask(peer, &[post], SECONDS).unwrap()[0]).replace('x', ""));
        assert!(peer.restart()?);
        heard.push(text(&ask(peer, &[get("/c")], SECONDS).unwrap()[0]));
        Ok(())
    });
    assert_eq!(heard, ["1 /a ", "2 /b ", "3 /c "]);
    assert_eq!(seen.end, ProgramEnd::Stopped);
    let log = String::from_utf8(seen.stderr).unwrap();
    assert!(log.contains("GET /a") && log.contains("GET /c"), "the log of both lives: {log}");
}

#[test]
fn requests_of_one_exchange_are_under_way_at_the_same_time() {
    let Some(mut b) = open() else { return };
    // Answers no one before all have asked.
    let code = format!(
        "{RAW}
server.accept()[0].close()
peers = [server.accept()[0] for _ in range(20)]
for peer in reversed(peers):
    line = peer.recv(100).split()[1]
    peer.sendall(b'HTTP/1.0 200 OK\\r\\n\\r\\n' + line); peer.close()"
    );
    let seen = serve(&mut b, &code, LIMITS, |peer| {
        ask(peer, &[get("/ready")], SECONDS);
        let requests: Vec<_> = (0..20).map(|number| get(&format!("/{number}"))).collect();
        let answers: Vec<_> = ask(peer, &requests, SECONDS).unwrap().iter().map(text).collect();
        assert_eq!(answers, (0..20).map(|number| format!("/{number}")).collect::<Vec<_>>());
        Ok(())
    });
    assert!(matches!(seen.end, ProgramEnd::Stopped | ProgramEnd::Exited(0)), "{seen:?}");
}

#[test]
fn each_way_not_to_answer_is_told_apart() {
    let Some(mut b) = open() else { return };
    let head = "HTTP/1.1 200 OK\\r\\nContent-Length: 100000000\\r\\n\\r\\n";
    for (code, expected) in [
        ("time.sleep(60)", ResponseEnd::Late),
        ("peer = server.accept()[0]; time.sleep(60)", ResponseEnd::Late),
        ("server.accept()[0].close()\ntime.sleep(60)", ResponseEnd::Closed),
        (
            &format!("peer = server.accept()[0]; peer.sendall(b'{head}half'); peer.close(); time.sleep(60)"),
            ResponseEnd::Closed,
        ),
        ("peer = server.accept()[0]; peer.sendall(b'hello\\r\\n\\r\\n'); time.sleep(60)", ResponseEnd::Garbage),
        (&format!("peer = server.accept()[0]; peer.sendall(b'{head}' + b'x' * 100_000_000)"), ResponseEnd::TooLarge),
        (
            "peer = server.accept()[0]\nwhile True: peer.sendall(b'HTTP/1.1 100 Continue\\r\\n\\r\\n' * 100)",
            ResponseEnd::TooLarge,
        ),
        (
            &format!(
                "peer = server.accept()[0]; peer.sendall(b'{head}')\nwhile True: peer.sendall(b'x'); time.sleep(.01)"
            ),
            ResponseEnd::Late,
        ),
    ] {
        let seen = serve(&mut b, &format!("{RAW}{code}"), LIMITS, |peer| {
            // Only who is late is waited for to the end.
            let time_limit = if expected == ResponseEnd::Late { Duration::from_secs(1) } else { SECONDS };
            let answers = ask(peer, &[get("/")], time_limit).unwrap();
            assert_eq!(answers[0].ending, expected, "{code}");
            assert!(answers[0].bytes.len() as u64 <= LIMITS.output);
            Ok(())
        });
        assert!(matches!(seen.end, ProgramEnd::Stopped | ProgramEnd::Exited(_)), "{code}: {seen:?}");
    }
}

#[test]
fn no_one_listens_where_the_service_does_not() {
    let Some(mut b) = open() else { return };
    let elsewhere = "import socket, time; server = socket.create_server(('127.0.0.1', 9)); time.sleep(60)";
    for code in ["import time; time.sleep(60)", &elsewhere.replace("9)", "8765)")] {
        let seen = serve(&mut b, code, LIMITS, |peer| {
            for _ in 0..20 {
                let exchange = RequestBatch { requests: vec![get("/")], time_limit: SECONDS };
                assert_eq!(peer.exchange(&exchange)?.unwrap()[0].ending, ResponseEnd::Refused);
                std::thread::sleep(Duration::from_millis(10));
            }
            Ok(())
        });
        assert_eq!(seen.end, ProgramEnd::Stopped);
    }
}

#[test]
fn the_port_stands_where_arguments_and_environment_say() {
    let Some(mut b) = open() else { return };
    let code = "import os, sys; print(sys.argv[1:3], os.environ['URL'], 'PORT' in os.environ)";
    let mut service = service(&b, code, LIMITS);
    service.port_variable = None;
    service.task.argv.splice(3..3, ["--listen=127.0.0.1:{port}".into(), "{Port}".into()]);
    service.task.env.insert("URL".into(), "http://localhost:{port}/{port}".into());
    let until_it_ends = &mut |peer: &mut dyn Peer| {
        while peer.exchange(&RequestBatch { requests: vec![get("/")], time_limit: SECONDS })?.is_some() {}
        Ok(())
    };
    let seen = b.sandbox.serve(&service, until_it_ends).unwrap();
    let said = String::from_utf8(seen.stdout).unwrap();
    let port = said.split(['/', ':']).find_map(|word| word.parse::<u16>().ok()).unwrap_or_default();
    assert_eq!(said, format!("['--listen=127.0.0.1:{port}', '{{Port}}'] http://localhost:{port}/{port} False\n"));
}

#[test]
fn a_service_that_ends_is_over() {
    let Some(mut b) = open() else { return };
    let daemon = format!("import os\nif os.fork(): os._exit(3)\nos.setsid()\n{HONEST}");
    for (code, end) in [
        ("raise SystemExit(7)", ProgramEnd::Exited(7)),
        ("import os; os.kill(os.getpid(), 9)", ProgramEnd::Signalled(9)),
        (&daemon, ProgramEnd::Exited(3)),
        (&format!("{RAW}server.accept(); os._exit(5)"), ProgramEnd::Exited(5)),
    ] {
        let seen = serve(&mut b, code, LIMITS, |peer| {
            while let Some(answers) = peer.exchange(&RequestBatch { requests: vec![get("/")], time_limit: SECONDS })? {
                assert!(matches!(answers[0].ending, ResponseEnd::Refused | ResponseEnd::Closed), "{code}: {answers:?}");
            }
            assert!(!peer.restart()?, "it ended before");
            Ok(())
        });
        assert_eq!(seen.end, end, "{code}");
    }
}

#[test]
fn limits_hold_over_all_lives_of_a_service() {
    let Some(mut b) = open() else { return };
    let within = |wall: u64, cpu: u64| Limits {
        wall: Duration::from_millis(wall),
        cpu: Duration::from_millis(cpu),
        output: 3000,
        ..LIMITS
    };
    for (code, limits, limit) in [
        ("import time; time.sleep(60)", within(1500, 20_000), Limit::Wall),
        // More than one life, whatever else the machine does.
        ("while True: pass", within(20_000, 700), Limit::Cpu),
        ("print('x' * 2000, flush=True); import time; time.sleep(60)", within(20_000, 20_000), Limit::Output),
        ("data = []\nwhile True: data.append(b'x' * 2**20)", within(20_000, 20_000), Limit::Memory),
    ] {
        let mut lives = 0;
        let seen = serve(&mut b, code, limits, |peer| {
            lives = 1;
            while peer.exchange(&RequestBatch { requests: vec![get("/")], time_limit: SECONDS })?.is_some() {
                std::thread::sleep(Duration::from_millis(if limit == Limit::Memory { 20 } else { 400 }));
                if limit != Limit::Memory && peer.restart()? {
                    lives += 1;
                }
            }
            Ok(())
        });
        assert_eq!(seen.end, ProgramEnd::Limit(limit), "{code}");
        assert!(lives > 1 || limit == Limit::Memory, "{code}: it had one life, which proves nothing");
    }
}

#[test]
fn nothing_outlives_a_restart() {
    let Some(mut b) = open() else { return };
    // A child that would go on in the background, keep the port and write.
    let code = format!(
        "import os, time
if os.path.exists('lived'): os.rename('lived', 'before')
if os.fork() == 0:
    os.setsid()
    while True: open('lived', 'w').close(); time.sleep(.01)
{HONEST}"
    );
    let Service { mut task, port_variable } = service(&b, &code, LIMITS);
    task.argv[2] = task.argv[2].replace("f'{count}", "f'{sorted(os.listdir())}");
    let service = Service { task, port_variable };
    let mut play = |peer: &mut dyn Peer| {
        ask(peer, &[get("/")], SECONDS);
        let old = marked(&b.mark);
        assert!(old.len() >= 2, "the server and its child: {old:?}");
        assert!(peer.restart()?);
        assert!(text(&ask(peer, &[get("/")], SECONDS).unwrap()[0]).contains("before"), "files stay");
        assert!(marked(&b.mark).iter().all(|pid| !old.contains(pid)), "processes do not");
        Ok(())
    };
    assert_eq!(b.sandbox.serve(&service, &mut play).unwrap().end, ProgramEnd::Stopped);
}

#[test]
fn tasks_and_services_follow_each_other() {
    let Some(mut b) = open() else { return };
    for _ in 0..3 {
        let seen = serve(&mut b, HONEST, LIMITS, |peer| {
            assert_eq!(text(&ask(peer, &[get("/")], SECONDS).unwrap()[0]), "1 / ", "an empty folder and a free port");
            Ok(())
        });
        assert_eq!(seen.end, ProgramEnd::Stopped);
        assert_eq!(b.says("print('task')"), "task");
    }
}
