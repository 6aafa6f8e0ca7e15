//! Asking a package index, with nothing of the agent's but a package's name.

use std::{fmt, fs, path::PathBuf, time::Duration};

use bytes::{Bytes, BytesMut};
use reqwest::{Certificate, Client, Proxy, Response, StatusCode, Url, header, redirect::Policy};

use super::page_memory::PageShare;
use crate::provider::Secret;

/// The largest page that is read, in bytes. Those of the packages with the most versions have some ten MiB.
const LARGEST_PAGE: usize = 32 << 20;

/// How long an index may take to accept a connection, and be silent.
const CONNECTING: Duration = Duration::from_secs(30);
const SILENCE: Duration = Duration::from_secs(60);

/// How often an index, or the host of a file, may send on to another place.
const MOST_REDIRECTS: usize = 5;

/// One package index.
#[derive(Clone)]
pub struct PackageServer {
    /// With the name and password that it takes, if it takes any.
    pub url: Secret,
    /// A file of whom to trust beside those whom the machine trusts.
    pub certificates: Option<PathBuf>,
    /// The proxy on the way, beside those of this process's environment.
    pub proxy: Option<Secret>,
}

impl fmt::Debug for PackageServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PackageServer").field("certificates", &self.certificates).finish_non_exhaustive()
    }
}

/// Why there is no page or file.
#[derive(Debug)]
pub(crate) enum PackageTrouble {
    /// The index has none.
    Absent,
    /// The index, or who has the file, gave no answer that is of use: the infrastructure's.
    Unreached(String),
}

/// An index that can be asked.
#[derive(Debug)]
pub(super) struct Upstream {
    base: Url,
    http: Client,
}

/// What an index said of a package.
#[derive(Debug)]
pub(super) struct IndexPage {
    /// Where it was in the end: links may be relative to that.
    pub(super) url: Url,
    pub(super) is_json: bool,
    pub(super) text: Bytes,
}

impl IndexPage {
    pub(super) fn host(&self) -> String {
        host(&self.url)
    }
}

/// A host, with its port where that is a special one.
pub(crate) fn host(url: &Url) -> String {
    let port = url.port().map(|port| format!(":{port}"));
    format!("{}{}", url.host_str().unwrap_or_default(), port.unwrap_or_default())
}

impl Upstream {
    /// The error is what is wrong with the configuration.
    pub(super) fn open(server: &PackageServer) -> Result<Self, String> {
        // Neither the URL nor what is wrong with it is told: it may hold a password.
        let wrong = |what: &str| format!("a package index of this machine's configuration has {what}");
        let mut base = Url::parse(server.url.reveal()).map_err(|_| wrong("no valid URL"))?;
        if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
            return Err(wrong("a URL that is neither http nor https"));
        }
        if let Ok(mut path) = base.path_segments_mut() {
            path.pop_if_empty();
        }
        drop(rustls::crypto::ring::default_provider().install_default());
        let mut client = Client::builder()
            // What an index that is asked in the open links to may be anywhere; one that is not may not lead to services of
            // this machine's or its network's, which rarely have a certificate.
            .https_only(base.scheme() == "https")
            .redirect(Policy::limited(MOST_REDIRECTS))
            .referer(false)
            .connect_timeout(CONNECTING)
            .read_timeout(SILENCE)
            .user_agent(concat!("slopbench/", env!("CARGO_PKG_VERSION")));
        if let Some(path) = &server.certificates {
            let pem = fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let certificates = Certificate::from_pem_bundle(&pem);
            let certificates = certificates.map_err(|error| format!("{}: {error}", path.display()))?;
            client = client.tls_certs_merge(certificates);
        }
        if let Some(proxy) = &server.proxy {
            client = client.proxy(Proxy::all(proxy.reveal()).map_err(|_| wrong("a proxy without a valid URL"))?);
        }
        let http = client.build().map_err(|error| error.to_string())?;
        Ok(Self { base, http })
    }

    /// The page at these segments of the index's path.
    pub(super) async fn page(
        &self,
        segments: &[&str],
        accept: &str,
        share: &mut PageShare,
    ) -> Result<IndexPage, PackageTrouble> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.extend(segments);
        }
        let mut response = self.send(url, accept).await?;
        let url = response.url().clone();
        let content_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let is_json = content_type.is_some_and(|value| value.contains("json"));
        let mut text = BytesMut::new();
        while let Some(piece) = response.chunk().await.map_err(|error| unreached(&url, &error))? {
            if text.len() + piece.len() > LARGEST_PAGE {
                return Err(trouble(&url, format_args!("its page has more than {} MiB", LARGEST_PAGE >> 20)));
            }
            share.grow(text.len() + piece.len()).await;
            text.extend_from_slice(&piece);
        }
        Ok(IndexPage { url, is_json, text: text.freeze() })
    }

    /// A file that one of its pages links to.
    pub(super) async fn file(&self, mut url: Url) -> Result<Response, PackageTrouble> {
        if url.origin() == self.base.origin() && url.username().is_empty() {
            // Fails for URLs without a host alone.
            let _ = url.set_username(self.base.username());
            let _ = url.set_password(self.base.password());
        }
        self.send(url, "*/*").await
    }

    async fn send(&self, url: Url, accept: &str) -> Result<Response, PackageTrouble> {
        let sent = self.http.get(url.clone()).header(header::ACCEPT, accept).send().await;
        let response = sent.map_err(|error| unreached(&url, &error))?;
        match response.status() {
            StatusCode::OK => Ok(response),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(PackageTrouble::Absent),
            status => Err(trouble(&url, format_args!("it answered with status {}", status.as_u16()))),
        }
    }
}

fn unreached(url: &Url, error: &reqwest::Error) -> PackageTrouble {
    let kind = match error {
        error if error.is_timeout() => "it was silent for too long",
        error if error.is_redirect() => "it sends on to other places without end",
        error if error.is_builder() => "it links to what is not encrypted",
        _ => "the connection failed",
    };
    trouble(url, kind)
}

/// Without more of the address than its host.
fn trouble(url: &Url, what: impl fmt::Display) -> PackageTrouble {
    PackageTrouble::Unreached(format!("the package index at {} gave no answer: {what}", host(url)))
}
