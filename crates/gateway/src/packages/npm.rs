//! Pages of the npm registry: JSON in which each version names its file.

use std::sync::LazyLock;

use regex::bytes::{Captures, Regex};
use reqwest::Url;

use super::{
    mirrored_page::{FilePlace, MirroredPage},
    request::{NPM_PATH, is_file},
    upstream::{IndexPage, PackageTrouble},
};

/// What installing takes.
pub(super) const TO_INSTALL: &str = "application/vnd.npm.install-v1+json";

/// All that is known.
pub(super) const WHOLE: &str = "application/json";

/// Where a version names its file. Text in JSON has its quotes escaped, so that this is a member wherever it stands.
static FILE: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""tarball"(\s*:\s*)"([^"\\]*)""#).ok());

/// The same page with files at `gateway`. It is not read as JSON, as some have ten MiB.
pub(super) fn mirrored(name: &str, page: &IndexPage, gateway: &str) -> Result<MirroredPage, PackageTrouble> {
    let pattern = FILE.as_ref().filter(|_| page.is_json);
    let no_page = || PackageTrouble::Unreached(format!("what {} says of {name} is no JSON", page.host()));
    let pattern = pattern.ok_or_else(no_page)?;
    let mut files = Vec::new();
    let text = pattern.replace_all(&page.text, |found: &Captures<'_>| {
        let linked = std::str::from_utf8(&found[2]).ok().and_then(|url| page.url.join(url).ok());
        let file = linked.as_ref().and_then(file_name);
        let (Some(url), Some(file)) = (linked, file) else { return found[0].to_vec() };
        let address = format!("\"{gateway}{NPM_PATH}{name}/-/{file}\"");
        let mirrored = [b"\"tarball\"", &found[1], address.as_bytes()];
        files.push((file, FilePlace::Linked { index: 0, url }));
        mirrored.concat()
    });
    let text = text.into_owned().into();
    Ok(MirroredPage { content_type: "application/json", text, files, host: page.host() })
}

fn file_name(url: &Url) -> Option<String> {
    let name = url.path_segments()?.next_back()?;
    is_file(name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_the_gateways_and_all_else_is_as_it_was() {
        let text =
            br#"{"name":"@s/x","readme":"\"tarball\":\"https://a/b.tgz\"","versions":{"1.0.0":{"dist":{"shasum":"1",
            "tarball": "https://files.example/@s/x/-/x-1.0.0.tgz"}},"2.0.0":{"dist":{"tarball":"../odd/ x"}}}}"#;
        let url = Url::parse("https://registry.example/@s%2fx").unwrap();
        let page = IndexPage { url, is_json: true, text: text.as_slice().into() };
        let mirrored = mirrored("@s/x", &page, "http://127.0.0.1:1").unwrap();
        let said = String::from_utf8(mirrored.text.to_vec()).unwrap();
        assert!(said.contains(r#""tarball": "http://127.0.0.1:1/packages/npm/@s/x/-/x-1.0.0.tgz""#), "{said}");
        assert!(said.contains(r#"\"tarball\":\"https://a/b.tgz\""#) && said.contains("../odd/ x"), "{said}");
        let [(file, FilePlace::Linked { url, .. })] = mirrored.files.as_slice() else { panic!("{mirrored:?}") };
        assert_eq!((file.as_str(), url.as_str()), ("x-1.0.0.tgz", "https://files.example/@s/x/-/x-1.0.0.tgz"));
    }
}
