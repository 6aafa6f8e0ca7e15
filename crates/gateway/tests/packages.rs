//! What an agent has of package indexes, and what it does not.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use client::{player, say, wire};
use slopbench_gateway::{
    cassette::{Cassette, Replay},
    packages::{PackageMirror, PackageServer, PythonSources},
    provider::Secret,
    request_key::SessionPaths,
    script::Script,
    server::{Allowed, Faults, Gateway, Mode, RequestOutcome},
};
use slopbench_test_support::{
    package_index::{MockIndex, write_npm_packages},
    wheels::write_wheels,
};
use tempfile::TempDir;

struct Bench {
    folder: TempDir,
    index: MockIndex,
}

fn server(url: String) -> PackageServer {
    PackageServer { url: Secret::new(url), certificates: None, proxy: None }
}

fn scripted() -> Mode {
    Mode::Scripted(player(Script::of_actions([])))
}

fn serve(mode: Mode, packages: Option<PackageMirror>) -> Gateway {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    Gateway::serve(listener, mode, Faults::new(), Allowed { packages, ..Allowed::default() }).unwrap()
}

async fn get(gateway: &Gateway, path: &str) -> String {
    say(gateway, &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).await
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_wheels(folder.path(), &["greet|1.0|py3-none-any"]);
        write_npm_packages(folder.path(), &["hello|1.0.0"]);
        let index = MockIndex::serve(folder.path());
        Self { folder, index }
    }

    fn mirror(&self, folders: Vec<PathBuf>) -> PackageMirror {
        let (python, npm) = (self.index.python(), self.index.npm());
        let python = move || Ok(PythonSources { indexes: vec![server(python.clone())], folders: folders.clone() });
        PackageMirror::new(python, move || Ok(server(npm.clone())))
    }

    fn file(&self, name: &str) -> Vec<u8> {
        fs::read(self.folder.path().join(name)).unwrap()
    }
}

#[tokio::test]
async fn pages_and_what_they_link_to_are_the_indexes_own_and_in_the_log() {
    let bench = Bench::new();
    let gateway = serve(scripted(), Some(bench.mirror(Vec::new())));
    let wheel = "greet-1.0-py3-none-any.whl";
    let page = get(&gateway, "/packages/python/simple/greet/").await;
    let link = format!("/packages/python/files/greet/{wheel}");
    assert!(page.starts_with("HTTP/1.1 200") && page.contains(&format!("href=\"{link}\"")), "{page}");
    let page = get(&gateway, "/packages/npm/hello").await;
    let tarball = "/packages/npm/hello/-/hello-1.0.0.tgz";
    assert!(page.contains(&format!("\"tarball\":\"{}{tarball}\"", gateway.url())), "{page}");
    for (path, file) in [(link.as_str(), wheel), (tarball, "hello-1.0.0.tgz")] {
        let said = get(&gateway, path).await;
        let length = format!("content-length: {}\r\n", bench.file(file).len());
        assert!(said.starts_with("HTTP/1.1 200") && said.contains(&length), "{path}");
    }
    let bytes: Vec<_> = gateway
        .log()
        .entries()
        .into_iter()
        .map(|entry| match entry.outcome {
            RequestOutcome::Packages { host, received } => (host, received),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(bytes.iter().all(|(host, received)| host.starts_with("127.0.0.1:") && *received > 0), "{bytes:?}");
    assert_eq!(bytes[2].1, bench.file(wheel).len() as u64);
    let used = gateway.log().packages();
    assert_eq!((used.requests, used.failed), (4, 0));
    assert_eq!(used.bytes, bytes.iter().map(|(_, received)| received).sum::<u64>());
}

#[tokio::test]
async fn an_index_learns_names_and_nothing_else_of_a_session() {
    let bench = Bench::new();
    let gateway = serve(scripted(), Some(bench.mirror(Vec::new())));
    let secret = "GET /packages/python/simple/greet/?canary=1 HTTP/1.1\r\nhost: canary\r\ncanary: 1\r\ncookie: canary\r\n\
                  user-agent: canary\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary";
    assert!(say(&gateway, secret).await.starts_with("HTTP/1.1 200"));
    // The file's page was read in this session or not: it is asked for by its name alone.
    get(&gateway, "/packages/npm/hello/-/hello-1.0.0.tgz?canary").await;
    let asked = bench.index.asked();
    let lines: Vec<_> = asked.iter().map(|head| head.lines().next().unwrap()).collect();
    let expected = ["GET /simple/greet/ HTTP/1.1", "GET /npm/hello HTTP/1.1", "GET /files/hello-1.0.0.tgz HTTP/1.1"];
    assert_eq!(lines, expected);
    assert!(!asked.concat().contains("canary"), "{asked:?}");
    assert!(asked.concat().contains("user-agent: slopbench/"), "{asked:?}");
}

#[tokio::test]
async fn nothing_else_of_an_index_is_reached() {
    let bench = Bench::new();
    fs::write(bench.folder.path().join("secret.whl"), "canary").unwrap();
    let gateway = serve(scripted(), Some(bench.mirror(Vec::new())));
    for path in [
        "/packages/python/simple/",
        "/packages/python/simple/greet/../../files/secret.whl",
        "/packages/python/simple/..%2f..%2ffiles%2fsecret.whl/",
        "/packages/python/simple/Greet/",
        "/packages/python/files/greet/secret.whl",
        "/packages/python/files/greet/..%2fsecret.whl",
        "/packages/npm/-/v1/search",
        "/packages/npm/-/whoami",
        "/packages/npm/hello/1.0.0",
        "/packages/npm/hello/-/secret.whl",
        "/packages/npm/@x%2f..%2f..%2ffiles",
        "/packages",
        "/packages/",
        "/packages/files/secret.whl",
    ] {
        let said = get(&gateway, path).await;
        assert!(said.starts_with("HTTP/1.1 404") && !said.contains("canary"), "{path}: {said}");
    }
    for request in [wire("/packages/npm/hello", "", "{}"), wire("/packages/npm/-/user/x", "", "{}")] {
        assert!(say(&gateway, &request).await.starts_with("HTTP/1.1 404"), "{request}");
    }
    for method in ["PUT", "DELETE", "HEAD", "OPTIONS"] {
        let request = format!("{method} /packages/npm/hello HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
        assert!(say(&gateway, &request).await.starts_with("HTTP/1.1 404"), "{method}");
    }
    // Pages that were read to find that they do not link to it.
    let asked = bench.index.asked();
    let lines: Vec<_> = asked.iter().map(|head| head.lines().next().unwrap()).collect();
    assert_eq!(lines, ["GET /simple/greet/ HTTP/1.1", "GET /npm/hello HTTP/1.1"]);
    let asked_as_proxy = format!("GET {}greet/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n", bench.index.python());
    assert!(say(&gateway, &asked_as_proxy).await.starts_with("HTTP/1.1 403"), "the index's host itself");
}

#[tokio::test]
async fn an_outage_is_told_apart_from_what_is_not_there() {
    let bench = Bench::new();
    write_wheels(bench.folder.path(), &["broken|1.0|py3-none-any"]);
    let gateway = serve(scripted(), Some(bench.mirror(Vec::new())));
    assert!(get(&gateway, "/packages/python/simple/nosuch/").await.starts_with("HTTP/1.1 404"));
    assert_eq!(gateway.log().packages().failed, 0);
    let said = get(&gateway, "/packages/python/simple/failing/").await;
    assert!(said.starts_with("HTTP/1.1 503") && said.contains("it answered with status 500"), "{said}");
    assert!(get(&gateway, "/packages/python/simple/broken/").await.starts_with("HTTP/1.1 503"));
    assert_eq!(gateway.log().packages().failed, 2);
    let entry = gateway.log().entries().pop().unwrap();
    assert!(matches!(entry.outcome, RequestOutcome::Unreached { .. }), "{entry:?}");

    let nowhere = || Err("pip is not installed".to_owned());
    let gateway = serve(scripted(), Some(PackageMirror::new(nowhere, || Err("no".to_owned()))));
    let said = get(&gateway, "/packages/python/simple/greet/").await;
    assert!(said.starts_with("HTTP/1.1 503") && said.contains("\r\npip is not installed\r\n"), "{said}");
}

#[tokio::test]
async fn files_of_a_folder_of_this_machine_are_offered_too() {
    let bench = Bench::new();
    let folder = tempfile::tempdir().unwrap();
    write_wheels(folder.path(), &["greet|2.0|py3-none-any", "Local_Only|1.0|py3-none-any"]);
    let gateway = serve(scripted(), Some(bench.mirror(vec![folder.path().to_path_buf()])));
    let page = get(&gateway, "/packages/python/simple/greet/").await;
    assert!(page.contains(">greet-1.0-py3-none-any.whl<") && page.contains(">greet-2.0-py3-none-any.whl<"), "{page}");
    let page = get(&gateway, "/packages/python/simple/local-only/").await;
    assert!(page.contains("/packages/python/files/local-only/Local_Only-1.0-py3-none-any.whl\""), "{page}");
    let path = "/packages/python/files/local-only/Local_Only-1.0-py3-none-any.whl";
    assert!(get(&gateway, path).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test]
async fn who_may_not_read_them_is_refused_before_anything_is_looked_for() {
    let looked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&looked);
    let mirror = PackageMirror::new(
        move || {
            count.fetch_add(1, Ordering::Relaxed);
            Ok(PythonSources::default())
        },
        || Err("no".to_owned()),
    );
    let places = SessionPaths::new(Path::new("/workspace"), Path::new("/home/agent"));
    let replay = || Mode::Replay(Replay::new(Cassette::empty("agent", places.clone()), &places).unwrap());
    for gateway in [serve(scripted(), None), serve(replay(), Some(mirror.clone()))] {
        for path in ["/packages/python/simple/greet/", "/packages/npm/hello"] {
            let said = get(&gateway, path).await;
            assert!(said.starts_with("HTTP/1.1 403"), "{said}");
        }
        let reason = "the package indexes are closed to this session".to_owned();
        assert_eq!(gateway.log().entries()[0].outcome, RequestOutcome::Refused { reason });
    }
    assert_eq!(looked.load(Ordering::Relaxed), 0);
    assert!(get(&serve(scripted(), Some(mirror)), "/packages/python/simple/x/").await.starts_with("HTTP/1.1 404"));
    assert_eq!(looked.load(Ordering::Relaxed), 1);
}
