//! What a session has of package indexes: pages and files, a bounded amount of both.

use std::{
    collections::{BTreeMap, HashMap},
    fs::File,
    io::Read as _,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use hyper::{Method, header, http::request::Parts};

use super::{
    Log, RequestOutcome,
    answer::{Pieces, StreamedAnswer},
    asked::RequestRefusal,
};
use crate::packages::{
    Ecosystem, FilePlace, MirroredPage, PackageMirror, PackageRequest, PackageTrouble, PageMemory, PageShare, host,
};

/// What a session may have of package indexes, in bytes and in requests. The names that it asks for are a way to tell an index
/// something, if a narrow one.
const MOST_BYTES: u64 = 4 << 30;
const MOST_REQUESTS: u64 = 20_000;

/// How many links of pages are remembered: files are asked for right after their page.
const MOST_LINKS: usize = 50_000;

/// How much of a local file is read at once, in bytes.
const PIECE: usize = 64 << 10;

/// One session's way to the package indexes.
pub(super) struct PackageDesk {
    mirror: Option<PackageMirror>,
    /// The gateway's own address, for links.
    gateway: String,
    log: Arc<Log>,
    memory: PageMemory,
    links: Mutex<KnownLinks>,
}

/// Where the files are that pages linked to.
#[derive(Default)]
struct KnownLinks {
    count: usize,
    pages: HashMap<(Ecosystem, String), BTreeMap<String, FilePlace>>,
}

type Answered = Result<(StreamedAnswer, RequestOutcome), RequestRefusal>;

impl PackageDesk {
    pub(super) fn new(mirror: Option<PackageMirror>, gateway: String, log: Arc<Log>) -> Self {
        Self { mirror, gateway, log, memory: PageMemory::default(), links: Mutex::default() }
    }

    /// What is said of a request for a package. Of the request, only its path matters.
    pub(super) async fn answer(&self, parts: &Parts, number: usize) -> Answered {
        let refuse = |status, reason: &str| Err(RequestRefusal::new(None, status, reason));
        let Some(mirror) = &self.mirror else {
            return refuse(403, "the package indexes are closed to this session");
        };
        let asked = Some(&parts.method).filter(|method| **method == Method::GET);
        let Some(request) = asked.and_then(|_| PackageRequest::of_path(parts.uri.path())) else {
            return refuse(404, "of package indexes, the gateway has pages of packages and files that these link to");
        };
        let used = self.log.packages();
        if used.requests >= MOST_REQUESTS || used.bytes >= MOST_BYTES {
            let reason = format!("the session has had {} requests and {} bytes of packages", used.requests, used.bytes);
            return refuse(403, &reason);
        }
        self.log.count_packages(|used| used.requests += 1);
        let had = match &request {
            PackageRequest::Page { ecosystem, name } => {
                let whole = !accepts_less(parts);
                self.page(mirror, *ecosystem, name, whole)
                    .await
                    .map(|(page, share)| self.send_page(page, share, number))
            }
            PackageRequest::File { ecosystem, name, file } => self.file(mirror, *ecosystem, name, file, number).await,
        };
        match had {
            Ok(answered) => Ok(answered),
            Err(PackageTrouble::Absent) => {
                let host = String::new();
                Ok((StreamedAnswer::empty(404), RequestOutcome::Packages { host, received: 0 }))
            }
            Err(PackageTrouble::Unreached(reason)) => {
                self.log.count_packages(|used| used.failed += 1);
                let answer = StreamedAnswer::new(503, "text/plain", vec![reason.clone().into()]);
                Ok((answer, RequestOutcome::Unreached { attempts: 1, reason }))
            }
        }
    }

    /// A page with its share of the memory for pages.
    async fn page(
        &self,
        mirror: &PackageMirror,
        ecosystem: Ecosystem,
        name: &str,
        whole: bool,
    ) -> Result<(MirroredPage, PageShare), PackageTrouble> {
        let mut share = self.memory.share();
        let mut page = mirror.page(ecosystem, name, whole, &self.gateway, &mut share).await?;
        self.remember((ecosystem, name.to_owned()), std::mem::take(&mut page.files));
        Ok((page, share))
    }

    fn remember(&self, key: (Ecosystem, String), files: Vec<(String, FilePlace)>) {
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        if links.count + files.len() > MOST_LINKS {
            *links = KnownLinks::default();
        }
        links.count += files.len();
        let files: BTreeMap<_, _> = files.into_iter().collect();
        if let Some(before) = links.pages.insert(key, files) {
            links.count = links.count.saturating_sub(before.len());
        }
    }

    fn known(&self, ecosystem: Ecosystem, name: &str, file: &str) -> Option<FilePlace> {
        let links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        links.pages.get(&(ecosystem, name.to_owned()))?.get(file).cloned()
    }

    fn send_page(&self, page: MirroredPage, share: PageShare, number: usize) -> (StreamedAnswer, RequestOutcome) {
        let MirroredPage { content_type, text, host, .. } = page;
        let length = text.len() as u64;
        // Its memory is free once it is sent.
        let pieces = stream::iter([Ok(text)]).chain(stream::once(async move {
            drop(share);
            Ok(Bytes::new())
        }));
        self.send(content_type, Some(length), pieces.boxed(), host, number)
    }

    async fn file(
        &self,
        mirror: &PackageMirror,
        ecosystem: Ecosystem,
        name: &str,
        file: &str,
        number: usize,
    ) -> Result<(StreamedAnswer, RequestOutcome), PackageTrouble> {
        let place = match self.known(ecosystem, name, file) {
            Some(place) => place,
            None => {
                // Of an earlier session, or long ago: a lock file of npm's names it, say.
                drop(self.page(mirror, ecosystem, name, false).await?);
                self.known(ecosystem, name, file).ok_or(PackageTrouble::Absent)?
            }
        };
        const BINARY: &str = "application/octet-stream";
        match place {
            FilePlace::Local(path) => {
                let (length, pieces) = local(&path).map_err(|error| PackageTrouble::Unreached(error.to_string()))?;
                Ok(self.send(BINARY, Some(length), pieces, String::new(), number))
            }
            FilePlace::Linked { index, url } => {
                let response = mirror.linked(ecosystem, index, url).await?;
                let host = host(response.url());
                let length = response.content_length();
                let pieces = response.bytes_stream().map_err(std::io::Error::other).boxed();
                Ok(self.send(BINARY, length, pieces, host, number))
            }
        }
    }

    fn send(
        &self,
        content_type: &str,
        length: Option<u64>,
        pieces: Pieces,
        host: String,
        number: usize,
    ) -> (StreamedAnswer, RequestOutcome) {
        let length = length.map(|length| (header::CONTENT_LENGTH.to_string(), length.to_string()));
        let outcome = RequestOutcome::Packages { host: host.clone(), received: 0 };
        let mut meter = PackageMeter { log: Arc::clone(&self.log), number, host, received: 0, broken: None };
        let pieces = pieces.map(move |piece| meter.pass(piece)).boxed();
        let mut answer = StreamedAnswer { pieces, ..StreamedAnswer::new(200, content_type, Vec::new()) };
        answer.headers.extend(length);
        (answer, outcome)
    }
}

/// Whether less than all that is known of a package of npm's will do.
fn accepts_less(parts: &Parts) -> bool {
    let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    accept.is_some_and(|accept| accept.contains("vnd.npm.install-v1"))
}

/// A file of this machine, piece by piece.
fn local(path: &Path) -> std::io::Result<(u64, Pieces)> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece)?;
        piece.truncate(read);
        Ok((read > 0).then(|| (Bytes::from(piece), file)))
    });
    Ok((length, pieces.boxed()))
}

/// Counts what passes, and tells the log when it goes, however that ends.
struct PackageMeter {
    log: Arc<Log>,
    number: usize,
    host: String,
    received: u64,
    broken: Option<String>,
}

impl PackageMeter {
    fn pass(&mut self, piece: std::io::Result<Bytes>) -> std::io::Result<Bytes> {
        let piece = piece.inspect_err(|_| {
            self.log.count_packages(|used| used.failed += 1);
            self.broken = Some(format!("{} broke off after {} bytes", self.host, self.received));
        })?;
        let bytes = piece.len() as u64;
        if self.log.packages().bytes.saturating_add(bytes) > MOST_BYTES {
            let reason = format!("a session has at most {MOST_BYTES} bytes of packages");
            self.broken = Some(reason.clone());
            return Err(std::io::Error::other(reason));
        }
        self.log.count_packages(|used| used.bytes += bytes);
        self.received += bytes;
        Ok(piece)
    }
}

impl Drop for PackageMeter {
    fn drop(&mut self) {
        let outcome = match self.broken.take() {
            Some(reason) => RequestOutcome::Broken { attempts: 1, reason },
            None => RequestOutcome::Packages { host: std::mem::take(&mut self.host), received: self.received },
        };
        self.log.settle(self.number, outcome);
    }
}
