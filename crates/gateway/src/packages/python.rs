//! Pages of an index of Python packages: read as JSON (PEP 691) or HTML (PEP 503), written as HTML, which every installer
//! knows.

use std::{
    collections::{BTreeMap, HashSet},
    fmt::Write as _,
    fs,
    path::PathBuf,
};

use html5gum::{Token, Tokenizer};
use serde::{Deserialize, de::IgnoredAny};

use super::{
    mirrored_page::{FilePlace, MirroredPage},
    request::{PYTHON_FILES, is_file},
    upstream::{IndexPage, PackageTrouble},
};

/// What an index is asked for.
pub(super) const ACCEPT: &str =
    "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1";

/// How the name of a file's metadata ends, which lies beside it (PEP 658).
const METADATA: &str = ".metadata";

/// All that is known of a package.
pub(super) struct PythonPage {
    pub(super) links: Vec<PythonLink>,
}

/// A file of a package.
pub(super) struct PythonLink {
    file: String,
    place: FilePlace,
    /// As in `sha256=0123`.
    digest: Option<String>,
    requires_python: Option<String>,
    /// The digest of its metadata, or `true`, where the index has that beside it.
    metadata: Option<String>,
    yanked: Option<String>,
}

#[derive(Deserialize)]
struct JsonPage {
    files: Vec<JsonFile>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct JsonFile {
    filename: String,
    url: String,
    #[serde(default)]
    hashes: BTreeMap<String, String>,
    requires_python: Option<String>,
    #[serde(alias = "dist-info-metadata", alias = "data-dist-info-metadata")]
    core_metadata: Option<JsonFlag<BTreeMap<String, String>>>,
    yanked: Option<JsonFlag<String>>,
}

/// Whether, or what.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonFlag<T> {
    Whether(bool),
    What(T),
    #[allow(dead_code, reason = "another index's own")]
    Other(IgnoredAny),
}

impl PythonPage {
    /// What folders of this machine have.
    pub(super) fn of_folders(folders: &[PathBuf], name: &str) -> Self {
        let entries = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
        let link = |path: PathBuf| {
            let file = path.file_name()?.to_str()?.to_owned();
            let link = |file| PythonLink {
                file,
                place: FilePlace::Local(path.clone()),
                digest: None,
                requires_python: None,
                metadata: None,
                yanked: None,
            };
            (is_file(&file) && package_of(&file)? == name && path.is_file()).then(|| link(file))
        };
        let mut links: Vec<_> = entries.filter_map(|entry| link(entry.path())).collect();
        links.sort_by(|one, other| one.file.cmp(&other.file));
        Self { links }
    }

    /// Adds what the index with this number says. Of files of one name, the first is offered.
    pub(super) fn add(&mut self, index: usize, page: &IndexPage) -> Result<(), PackageTrouble> {
        let links = match page.is_json {
            true => of_json(index, page).ok_or_else(|| {
                PackageTrouble::Unreached(format!(
                    "the page of the package index at {} is not as it should be",
                    page.host()
                ))
            })?,
            false => of_html(index, page),
        };
        let known: HashSet<String> = self.links.iter().map(|link| link.file.clone()).collect();
        self.links.extend(links.into_iter().filter(|link| is_file(&link.file) && !known.contains(&link.file)));
        Ok(())
    }

    /// As agents get it.
    pub(super) fn mirrored(self, name: &str, host: String) -> MirroredPage {
        let mut text = String::from("<!DOCTYPE html><html><body>\n");
        let mut files = Vec::new();
        for link in self.links {
            text += &link.html(name);
            if let (Some(_), FilePlace::Linked { index, url }) = (&link.metadata, &link.place) {
                let mut beside = url.clone();
                beside.set_path(&format!("{}{METADATA}", url.path()));
                files.push((format!("{}{METADATA}", link.file), FilePlace::Linked { index: *index, url: beside }));
            }
            files.push((link.file, link.place));
        }
        text += "</body></html>\n";
        MirroredPage { content_type: "text/html; charset=utf-8", text: text.into(), files, host }
    }
}

impl PythonLink {
    fn html(&self, name: &str) -> String {
        let Self { file, digest, requires_python, metadata, yanked, .. } = self;
        let digest = digest.as_ref().map(|digest| format!("#{}", escaped(digest)));
        let file_url = file.replace('+', "%2B");
        let mut html = format!("<a href=\"{PYTHON_FILES}{name}/{file_url}{}\"", digest.unwrap_or_default());
        let attributes = [
            ("data-requires-python", requires_python),
            ("data-core-metadata", metadata),
            ("data-dist-info-metadata", metadata),
            ("data-yanked", yanked),
        ];
        for (attribute, value) in attributes {
            let Some(value) = value else { continue };
            // Never fails.
            let _ = write!(html, " {attribute}=\"{}\"", escaped(value));
        }
        html + &format!(">{file}</a><br>\n")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

fn of_json(index: usize, page: &IndexPage) -> Option<Vec<PythonLink>> {
    let said: JsonPage = serde_json::from_slice(&page.text).ok()?;
    let link = |file: JsonFile| {
        let place = FilePlace::Linked { index, url: page.url.join(&file.url).ok()? };
        let digest = |hashes: &BTreeMap<String, String>| Some(format!("sha256={}", hashes.get("sha256")?));
        let metadata = match &file.core_metadata {
            Some(JsonFlag::What(hashes)) => digest(hashes).or_else(|| Some("true".to_owned())),
            Some(JsonFlag::Whether(true)) => Some("true".to_owned()),
            _ => None,
        };
        let yanked = match file.yanked {
            Some(JsonFlag::What(reason)) => Some(reason),
            Some(JsonFlag::Whether(true)) => Some(String::new()),
            _ => None,
        };
        let digest = digest(&file.hashes);
        Some(PythonLink { file: file.filename, place, digest, requires_python: file.requires_python, metadata, yanked })
    };
    Some(said.files.into_iter().filter_map(link).collect())
}

fn of_html(index: usize, page: &IndexPage) -> Vec<PythonLink> {
    let text = String::from_utf8_lossy(&page.text);
    let mut links = Vec::new();
    for Ok(token) in Tokenizer::new(&*text) {
        let Token::StartTag(tag) = token else { continue };
        if &**tag.name != b"a" {
            continue;
        }
        let attribute = |name: &str| {
            let value = tag.attributes.get(name.as_bytes())?;
            Some(String::from_utf8_lossy(value).into_owned())
        };
        let Some(mut url) = attribute("href").and_then(|href| page.url.join(&href).ok()) else { continue };
        let digest = url.fragment().filter(|fragment| fragment.contains('=')).map(str::to_owned);
        url.set_fragment(None);
        let Some(file) = url.path_segments().and_then(|mut parts| parts.next_back()) else { continue };
        links.push(PythonLink {
            file: file.replace("%2B", "+").replace("%2b", "+"),
            digest,
            requires_python: attribute("data-requires-python"),
            metadata: attribute("data-core-metadata").or_else(|| attribute("data-dist-info-metadata")),
            yanked: attribute("data-yanked"),
            place: FilePlace::Linked { index, url },
        });
    }
    links
}

/// The package that a file is of, by the file's name: a wheel's ends before the first dash, a source distribution's before
/// the version.
fn package_of(file: &str) -> Option<String> {
    let name = match file.strip_suffix(".whl") {
        Some(stem) => stem.split('-').next()?,
        None => file.strip_suffix(".tar.gz").or_else(|| file.strip_suffix(".zip"))?.rsplit_once('-')?.0,
    };
    let mut normalised = String::new();
    for sign in name.chars() {
        let sign = if "-_.".contains(sign) { '-' } else { sign.to_ascii_lowercase() };
        if sign != '-' || !normalised.ends_with('-') {
            normalised.push(sign);
        }
    }
    Some(normalised)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::Url;

    fn page(is_json: bool, text: &str) -> IndexPage {
        let url = Url::parse("https://index.example/simple/x/").unwrap();
        IndexPage { url, is_json, text: text.as_bytes().to_vec().into() }
    }

    fn mirrored(pages: &[IndexPage]) -> MirroredPage {
        let mut all = PythonPage { links: Vec::new() };
        pages.iter().enumerate().for_each(|(index, page)| all.add(index, page).unwrap());
        all.mirrored("x", "index.example".to_owned())
    }

    const JSON: &str = r#"{"meta": {"api-version": "1.1"}, "name": "x", "versions": ["1"], "files": [
        {"filename": "x-1-py3-none-any.whl", "url": "https://files.example/a/x-1-py3-none-any.whl", "hashes": {"sha256": "ab"},
         "requires-python": ">=3.8", "core-metadata": {"sha256": "cd"}, "yanked": false, "size": 3},
        {"filename": "x-0.tar.gz", "url": "../../x-0.tar.gz", "hashes": {}, "yanked": "a \"reason\""},
        {"filename": "../x", "url": "https://files.example/x", "hashes": {}}]}"#;

    const HTML: &str = r#"<!DOCTYPE html><html><head><meta name="pypi:repository-version" content="1.1"></head><body>
        <a href="https://files.example/a/x-1-py3-none-any.whl#sha256=ab" data-requires-python="&gt;=3.8"
           data-core-metadata="sha256=cd">x-1-py3-none-any.whl</a><br/>
        <a data-yanked='a "reason"' href=../../x-0.tar.gz>x-0.tar.gz</a> <a>nothing</a> <a href="../">up</a></body></html>"#;

    #[test]
    fn json_and_html_are_the_same_page() {
        let (json, html) = (mirrored(&[page(true, JSON)]), mirrored(&[page(false, HTML)]));
        let text = String::from_utf8(json.text.to_vec()).unwrap();
        assert_eq!(text, String::from_utf8(html.text.to_vec()).unwrap());
        let lines: Vec<_> = text.lines().collect();
        let first = "<a href=\"/packages/python/files/x/x-1-py3-none-any.whl#sha256=ab\" data-requires-python=\"&gt;=3.8\" \
                     data-core-metadata=\"sha256=cd\" data-dist-info-metadata=\"sha256=cd\">x-1-py3-none-any.whl</a><br>";
        let second =
            "<a href=\"/packages/python/files/x/x-0.tar.gz\" data-yanked=\"a &quot;reason&quot;\">x-0.tar.gz</a><br>";
        assert_eq!(lines[1..lines.len() - 1], [first, second]);
        let files: Vec<_> = json.files.iter().map(|(file, place)| (file.as_str(), format!("{place:?}"))).collect();
        assert_eq!(files.len(), 3);
        assert_eq!(files[0].0, "x-1-py3-none-any.whl.metadata");
        assert!(files[2].1.contains("index.example") && files[2].1.contains("x-0.tar.gz"), "{files:?}");
    }

    #[test]
    fn of_two_indexes_the_first_one_has_its_way() {
        let other = r#"{"files": [{"filename": "x-0.tar.gz", "url": "https://o/x-0.tar.gz"},
            {"filename": "x-2.tar.gz", "url": "https://o/x-2.tar.gz"}]}"#;
        let both = mirrored(&[page(true, JSON), page(true, other)]);
        let of = |wanted: &str| both.files.iter().filter(|(file, _)| file == wanted).count();
        assert_eq!((of("x-0.tar.gz"), of("x-2.tar.gz")), (1, 1));
        assert!(PythonPage { links: Vec::new() }.add(0, &page(true, "{}")).is_err());
    }

    #[test]
    fn a_file_tells_its_package() {
        for (file, package) in [
            ("Zope_Interface-5-py3-none-any.whl", "zope-interface"),
            ("zope.interface-5.tar.gz", "zope-interface"),
            ("a__b-1.zip", "a-b"),
        ] {
            assert_eq!(package_of(file).as_deref(), Some(package));
        }
        assert_eq!(package_of("notes.txt"), None);
    }
}
