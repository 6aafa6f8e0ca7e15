//! From a request to an answer.

use std::{convert::Infallible, net::SocketAddr, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Frame, Incoming},
    header::{self, HeaderMap, HeaderValue},
};
use tokio::sync::watch;

use super::live::LiveStudy;

type Body = UnsyncBoxBody<Bytes, Infallible>;

/// After so long without news a comment is sent, so that a connection that is gone is noticed.
const QUIET: Duration = Duration::from_secs(15);

/// Said with every answer: it is of this machine's, of the moment, what it says it is, and in no frame of others'.
const HEADERS: &[(&str, &str)] = &[
    ("cache-control", "no-store"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
];

pub(super) async fn answer(
    request: Request<Incoming>,
    address: SocketAddr,
    live: Arc<LiveStudy>,
) -> Result<Response<Body>, Infallible> {
    let mut response = match refusal(request.method(), request.headers(), address) {
        Some((status, text)) => plain(status, text),
        None => give(request.uri().path(), live).await,
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(*name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// Why a request is not answered. A name that leads here without being ours is somebody's who has browsers ask for him.
fn refusal(method: &Method, headers: &HeaderMap, address: SocketAddr) -> Option<(StatusCode, &'static str)> {
    let own = [address.to_string(), format!("localhost:{}", address.port())];
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let site = headers.get("sec-fetch-site").map_or(Ok("none"), HeaderValue::to_str).unwrap_or_default();
    if !own.iter().any(|name| name.eq_ignore_ascii_case(host)) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server is called 127.0.0.1 and localhost, with its port"));
    }
    if !["none", "same-origin"].contains(&site) {
        return Some((StatusCode::FORBIDDEN, "other pages have nothing to ask here"));
    }
    (![Method::GET, Method::HEAD].contains(method))
        .then_some((StatusCode::METHOD_NOT_ALLOWED, "there is nothing to change here"))
}

async fn give(path: &str, live: Arc<LiveStudy>) -> Response<Body> {
    if path == "/events" {
        return typed("text/event-stream", events(live.versions()));
    }
    // What is asked for is made of what was read, or read anew: neither is for the thread that talks.
    let number = path.strip_prefix("/detail/").and_then(|number| number.parse::<usize>().ok());
    let given = match (path, number) {
        ("/", _) => Ok(("text/html; charset=utf-8", live.html())),
        ("/data.json", _) => live.json().map(|json| ("application/json", json)),
        (_, Some(place)) => match tokio::task::spawn_blocking(move || live.detail(place)).await {
            Ok(Ok(Some(json))) => Ok(("application/json", json)),
            Ok(Ok(None)) => return plain(StatusCode::NOT_FOUND, "there is no such trajectory"),
            Ok(Err(error)) => Err(error),
            Err(error) => Err(error.to_string()),
        },
        _ => return plain(StatusCode::NOT_FOUND, "there is nothing here but the page, at /"),
    };
    match given {
        Ok((kind, bytes)) => typed(kind, Full::new(bytes).boxed_unsync()),
        Err(error) => {
            let mut response = typed("text/plain; charset=utf-8", Full::new(Bytes::from(error)).boxed_unsync());
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            response
        }
    }
}

/// The version that is there, then each that comes.
fn events(versions: watch::Receiver<u64>) -> Body {
    let events = stream::unfold((versions, true), |(mut versions, first)| async move {
        let changed = if first { Ok(Ok(())) } else { tokio::time::timeout(QUIET, versions.changed()).await };
        let text = match changed {
            Ok(Ok(())) => format!("event: version\ndata: {}\n\n", *versions.borrow_and_update()),
            Ok(Err(_)) => return None,
            Err(_) => ": still here\n\n".to_owned(),
        };
        Some((Ok::<_, Infallible>(Frame::data(Bytes::from(text))), (versions, false)))
    });
    StreamBody::new(events).boxed_unsync()
}

fn typed(kind: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}

fn plain(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response =
        typed("text/plain; charset=utf-8", Full::new(Bytes::from_static(text.as_bytes())).boxed_unsync());
    *response.status_mut() = status;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_asks_by_another_name_or_from_another_page_is_refused() {
        let address = SocketAddr::from(([127, 0, 0, 1], 4000));
        let rows = [
            ("GET", "127.0.0.1:4000", None, None),
            ("HEAD", "LOCALHOST:4000", Some("same-origin"), None),
            ("GET", "127.0.0.1", None, Some(421)),
            ("GET", "evil.example:4000", None, Some(421)),
            ("GET", "127.0.0.1:4000.evil.example", None, Some(421)),
            ("GET", "", None, Some(421)),
            ("GET", "localhost:4000", Some("cross-site"), Some(403)),
            ("POST", "localhost:4000", None, Some(405)),
        ];
        for (method, host, site, expected) in rows {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            site.map(|site| headers.insert("sec-fetch-site", HeaderValue::from_static(site)));
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let found = refusal(&method, &headers, address).map(|(status, _)| status.as_u16());
            assert_eq!(found, expected, "{method} {host} {site:?}");
        }
    }
}
