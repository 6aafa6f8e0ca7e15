//! The file: template, style, script and data. What keeps foreign text from running is here, and in the script's `text` alone.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::{Error, PageDocument, PageFigure, StudyDocument};

const TEMPLATE: &str = include_str!("../web/template.html");
const STYLE: &str = include_str!("../web/page.css");

/// One script of several files, in this order: what all pages share, the views of one sort of page, and what shows them.
const SHARED: &[&str] = &[
    include_str!("../web/dom.js"),
    include_str!("../web/data.js"),
    include_str!("../web/table.js"),
    include_str!("../web/figures.js"),
];
const OF_RUNS: &[&str] = &[
    include_str!("../web/overview.js"),
    include_str!("../web/trajectories.js"),
    include_str!("../web/trajectory.js"),
    include_str!("../web/checkpoint.js"),
    include_str!("../web/compare.js"),
    include_str!("../web/views.js"),
];
const OF_A_STUDY: &[&str] = &[include_str!("../web/study.js")];
const SHOWN_BY: &str = include_str!("../web/main.js");

/// The page of runs as one file.
///
/// # Errors
///
/// [`Error::Json`] if what it knows is no JSON: a bug.
pub fn html(document: &PageDocument) -> Result<String, Error> {
    file(document, document.figures(), document.is_live(), OF_RUNS)
}

/// The page of a study's tables and figures as one file.
///
/// # Errors
///
/// [`Error::Json`] if what it knows is no JSON: a bug.
pub fn study_html(document: &StudyDocument) -> Result<String, Error> {
    file(document, document.figures(), false, OF_A_STUDY)
}

fn script(views: &[&str]) -> String {
    SHARED.concat() + &views.concat() + SHOWN_BY
}

fn file(document: &impl Serialize, figures: &[PageFigure], is_live: bool, views: &[&str]) -> Result<String, Error> {
    let script = script(views);
    let parts = [
        ("{{policy}}", policy(figures, is_live, &script)),
        ("{{style}}", STYLE.to_owned()),
        ("{{data}}", json_in_html(document)?),
        ("{{script}}", script),
    ];
    let mut rest = TEMPLATE;
    let mut page = String::new();
    // Part by part, so that nothing that is put in is looked at again.
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        page.push_str(before);
        page.push_str(&text);
        rest = after;
    }
    Ok(page + rest)
}

/// JSON that no HTML parser takes for anything else: without `<`, a script element has no end and no comment begins.
pub(crate) fn json_in_html<T: Serialize>(value: &T) -> Result<String, Error> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The content security policy: this script and this style, styles in the figures as they are, images that the script makes (figures on
/// their way to PNG), and nothing from anywhere. Where a server shows the page, the server may be asked.
fn policy(figures: &[PageFigure], is_live: bool, script: &str) -> String {
    let styles = figures.iter().flat_map(|figure| inner_styles(&figure.svg)).map(hash);
    let styles: String = styles.map(|hash| format!(" {hash}")).collect();
    let connect = if is_live { "'self'" } else { "'none'" };
    format!(
        "default-src 'none'; script-src {}; style-src {}{styles}; img-src blob:; connect-src {connect}; base-uri 'none'; form-action 'none'",
        hash(script),
        hash(STYLE)
    )
}

fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

/// What stands in the `style` elements of a figure.
fn inner_styles(svg: &str) -> Vec<&str> {
    let after = svg.split("<style").skip(1);
    after.filter_map(|rest| Some(rest.split_once('>')?.1.split_once("</style>")?.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_json_ends_a_script_or_begins_a_comment() {
        let text = json_in_html(&["</script><img src=x onerror=alert(1)>", "<!--", "a & b"]).unwrap();
        assert!(!text.contains('<'), "{text}");
        let read: Vec<String> = serde_json::from_str(&text).unwrap();
        assert_eq!(read, ["</script><img src=x onerror=alert(1)>", "<!--", "a & b"]);
    }

    #[test]
    fn the_template_has_every_part_once_and_in_order() {
        let places =
            ["{{policy}}", "{{style}}", "{{data}}", "{{script}}"].map(|mark| TEMPLATE.match_indices(mark).count());
        assert_eq!(places, [1; 4]);
        let script = script(OF_RUNS) + &OF_A_STUDY.concat();
        assert!(!script.contains("</script") && !script.contains("<!--"), "the script would end too early");
        assert!(!script.contains("innerHTML") && !script.contains("eval("), "foreign text is given as text alone");
        assert!(!STYLE.contains("</style"));
    }

    #[test]
    fn styles_of_figures_are_allowed_by_their_hashes() {
        assert_eq!(inner_styles("<svg><style type='text/css'>a{}</style><g/><style>b{}</style></svg>"), ["a{}", "b{}"]);
    }
}
