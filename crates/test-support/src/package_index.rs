//! Package indexes of Python and npm, served on this machine from a folder that a test fills.

use std::{
    fmt::Write as _,
    fs,
    io::{self, BufRead as _, BufReader, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

const PACKAGES: &str = "
import io, json, sys, tarfile
for package in sys.argv[1:]:
    name, version = package.split('|')
    files = {
        'package.json': json.dumps({'name': name, 'version': version, 'main': 'index.js', 'bin': {name: 'index.js'}}),
        'index.js': f'#!/usr/bin/env node\\nmodule.exports = \"{name} {version}\";\\nconsole.log(module.exports);\\n',
    }
    with tarfile.open(f'{name}-{version}.tgz', 'w:gz') as archive:
        for path, text in files.items():
            member = tarfile.TarInfo('package/' + path)
            member.size, member.mode = len(text), 0o755
            archive.addfile(member, io.BytesIO(text.encode()))
";

/// Writes packages for npm into a folder. Each is a name and a version, as in `hello|1.0.0`; it has one module, and a program
/// by its name, that print both.
///
/// # Panics
///
/// If there is no `python3`.
pub fn write_npm_packages(folder: &Path, packages: &[&str]) {
    let written = Command::new("python3").args(["-c", PACKAGES]).args(packages).current_dir(folder).status();
    assert!(written.as_ref().is_ok_and(|status| status.success()), "{written:?}");
}

/// Serves what wheels and npm's packages a folder holds. Pages of packages whose name begins with `broken` break off, those
/// with `failing` are answered with status 500, and those with `huge` have 31 MiB.
pub struct MockIndex {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl MockIndex {
    /// Serves `folder` to the end of the process.
    ///
    /// # Panics
    ///
    /// If this machine has no port for it.
    pub fn serve(folder: &Path) -> Self {
        let bound = TcpListener::bind("127.0.0.1:0").and_then(|listener| Ok((listener.local_addr()?, listener)));
        let Ok((address, listener)) = bound else { panic!("{bound:?}") };
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (folder, log) = (folder.to_path_buf(), Arc::clone(&asked));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, log) = (folder.clone(), Arc::clone(&log));
                thread::spawn(move || answer(stream, &folder, address, &log));
            }
        });
        Self { address, asked }
    }

    /// For `PIP_INDEX_URL`.
    pub fn python(&self) -> String {
        format!("http://{}/simple/", self.address)
    }

    /// For `npm_config_registry`.
    pub fn npm(&self) -> String {
        format!("http://{}/npm/", self.address)
    }

    /// The heads of all requests so far, each as one text.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn answer(stream: TcpStream, folder: &Path, address: SocketAddr, log: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(&stream);
    while reader.read_line(&mut head)? > 2 {}
    log.lock().unwrap_or_else(PoisonError::into_inner).push(head.clone());
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut parts = path.trim_matches('/').split('/');
    let (kind, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let (status, content_type, body) = match kind {
        _ if name.starts_with("failing") => (500, "text/plain", b"no".to_vec()),
        "simple" if name.starts_with("huge") => (200, "text/html", vec![b' '; 31 << 20]),
        "simple" => page("text/html", python_page(folder, name)),
        "npm" => page("application/json", npm_page(folder, name, address)),
        "files" => fs::read(folder.join(name)).map_or((404, "text/plain", Vec::new()), |body| (200, "x/y", body)),
        _ => (404, "text/plain", Vec::new()),
    };
    let length = body.len() + usize::from(name.starts_with("broken"));
    let head = format!("HTTP/1.1 {status} x\r\ncontent-type: {content_type}\r\ncontent-length: {length}\r\n");
    (&stream).write_all(&[head.as_bytes(), b"connection: close\r\n\r\n", &body].concat())
}

fn page(content_type: &'static str, text: Option<String>) -> (u16, &'static str, Vec<u8>) {
    text.map_or((404, "text/plain", Vec::new()), |text| (200, content_type, text.into_bytes()))
}

/// The files of a package whose names end in this, with their versions.
fn files(folder: &Path, name: &str, ending: &str) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| PathBuf::from(entry.file_name()).to_str().map(str::to_owned));
    let of_name = names.filter_map(|file| {
        let rest = file.strip_prefix(name)?.strip_prefix('-')?.strip_suffix(ending)?;
        let version = rest.split('-').next()?.to_owned();
        Some((file, version))
    });
    let mut files: Vec<_> = of_name.collect();
    files.sort();
    files
}

fn python_page(folder: &Path, name: &str) -> Option<String> {
    let files = files(folder, name, ".whl");
    let mut page = String::from("<!DOCTYPE html><html><body>");
    for (file, _) in &files {
        // Never fails.
        let _ = write!(page, "<a href=\"../../files/{file}\">{file}</a>");
    }
    (!files.is_empty()).then_some(page)
}

fn npm_page(folder: &Path, name: &str, address: SocketAddr) -> Option<String> {
    let files = files(folder, name, ".tgz");
    let (_, last) = files.last()?;
    let versions = files.iter().map(|(file, version)| {
        let dist = format!("{{\"tarball\":\"http://{address}/files/{file}\"}}");
        format!("\"{version}\":{{\"name\":\"{name}\",\"version\":\"{version}\",\"dist\":{dist}}}")
    });
    let versions = versions.collect::<Vec<_>>().join(",");
    Some(format!("{{\"name\":\"{name}\",\"dist-tags\":{{\"latest\":\"{last}\"}},\"versions\":{{{versions}}}}}"))
}
