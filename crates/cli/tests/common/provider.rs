//! A provider of models on this machine.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use serde_json::Value;

/// A provider that answers as a function says, and what it was asked.
pub(crate) struct Provider {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Provider {
    /// `says` is given a whole request, and gives the body of the response.
    pub(crate) fn new(says: impl Fn(&str) -> Value + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                answer(stream.unwrap(), &kept, &says);
            }
        });
        Self { url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn answer(mut stream: TcpStream, kept: &Mutex<Vec<String>>, says: &impl Fn(&str) -> Value) {
    let (mut request, mut buffer) = (Vec::new(), [0; 1 << 16]);
    let text = loop {
        let count = stream.read(&mut buffer).unwrap();
        request.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
        if body.len() >= length.parse().unwrap() {
            break text;
        }
    };
    kept.lock().unwrap().push(text.clone());
    let body = says(&text).to_string();
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n", body.len());
    stream.write_all(format!("{head}connection: close\r\n\r\n{body}").as_bytes()).unwrap();
}
