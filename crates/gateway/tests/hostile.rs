//! An agent that would exhaust the gateway, and with it the sessions beside its own.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod client;

use std::{fs, time::Duration};

use client::{Client, REQUESTS, gateway, player, say, wire};
use slopbench_gateway::{
    script::Script,
    server::{Faults, Gateway, Mode},
};
use tokio::{io::AsyncWriteExt, net::TcpStream};

const MIB: usize = 1 << 20;

async fn scripted() -> Gateway {
    gateway(Mode::Scripted(player(Script::of_actions([]))), Faults::new()).await
}

/// Whether a gateway answers an honest agent.
async fn answers(gateway: &Gateway) -> bool {
    Client::new(gateway).post("/v1/messages", &REQUESTS[0].body(false)).await.status == 200
}

/// The memory of this process, in bytes.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

#[tokio::test]
async fn long_targets_leave_a_short_log() {
    let gateway = scripted().await;
    let target = format!("/{}", "x".repeat(60_000));
    for _ in 0..200 {
        say(&gateway, &wire(&target, "", "")).await;
    }
    let log = gateway.log().to_json_lines();
    assert_eq!(log.lines().count(), 200);
    assert!(log.len() < 200 * 1024, "{}", log.len());
    // A head that is longer still is no request at all.
    assert!(say(&gateway, &wire(&target.repeat(4), "", "")).await.starts_with("HTTP/1.1 431"));
    assert!(answers(&gateway).await);
}

/// The bodies are held by the kernel, and by us as far as there is a budget for them.
#[tokio::test]
async fn unfinished_bodies_take_a_bounded_part_of_memory_and_nothing_from_other_sessions() {
    let (hostile, other) = (scripted().await, scripted().await);
    let before = resident();
    let mut open = Vec::new();
    for _ in 0..40 {
        let mut stream = TcpStream::connect(hostile.address()).await.unwrap();
        let head = format!("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n\r\n", 15 * MIB);
        stream.write_all(head.as_bytes()).await.unwrap();
        // As much as is taken: the rest waits.
        let body = vec![b' '; 15 * MIB - 1];
        drop(tokio::time::timeout(Duration::from_millis(300), stream.write_all(&body)).await);
        open.push(stream);
    }
    let taken = resident().saturating_sub(before);
    assert!(taken < 160 * MIB, "{} MiB", taken / MIB);
    assert!(answers(&other).await);
}

#[tokio::test]
async fn a_body_that_is_small_on_the_wire_and_large_in_memory_is_refused() {
    let gateway = scripted().await;
    let before = resident();
    let body = format!("{{\"model\": \"m\", \"messages\": [{}0]}}", "0,".repeat(7 * MIB));
    assert!(!say(&gateway, &wire("/v1/messages", "", &body)).await.starts_with("HTTP/1.1 200"));
    assert_eq!(gateway.log().entries()[0].status, Some(413));
    let taken = resident().saturating_sub(before);
    assert!(taken < 100 * MIB, "{} MiB", taken / MIB);
    let large = "x".repeat(17 * MIB);
    assert!(!say(&gateway, &wire("/v1/messages", "", &large)).await.starts_with("HTTP/1.1 200"));
    assert_eq!(gateway.log().entries()[1].status, Some(413));
    assert_eq!(gateway.log().entries()[1].status, Some(413));
    assert!(answers(&gateway).await);
}

#[tokio::test]
async fn a_body_in_many_small_chunks_takes_no_more_memory_than_in_one() {
    let gateway = scripted().await;
    let mut wire = b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n".to_vec();
    wire.extend(b"1\r\n \r\n".repeat(MIB));
    let mut stream = TcpStream::connect(gateway.address()).await.unwrap();
    let before = resident();
    stream.write_all(&wire).await.unwrap();
    let taken = resident().saturating_sub(before);
    // Kept one by one, they would take 32 MiB for what describes them alone.
    assert!(taken < 16 * MIB, "{} MiB", taken / MIB);
    assert!(answers(&gateway).await);
}

#[tokio::test]
async fn idle_connections_wait_to_be_accepted() {
    let gateway = scripted().await;
    let before = descriptors();
    let mut idle = Vec::new();
    for _ in 0..100 {
        idle.push(TcpStream::connect(gateway.address()).await.unwrap());
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let taken = descriptors() - before - idle.len();
    assert!((1..=80).contains(&taken), "{taken} descriptors of ours");
    drop(idle);
    assert!(answers(&gateway).await, "places are free again");
}
