use std::fs;

use slopbench_slump::{
    Error, ExposureAudit, ExposurePoint, Recoverability, SlumpTask, check,
    task::{scaffold_task, task_names},
};

use crate::fixture::TaskFixture;

fn load(fixture: &TaskFixture) -> SlumpTask {
    SlumpTask::load(&fixture.dir()).unwrap()
}

/// All that is wrong, by file and line.
fn flaws(fixture: &TaskFixture) -> Vec<String> {
    match SlumpTask::load(&fixture.dir()) {
        Ok(task) => check(&task).iter().map(ToString::to_string).collect(),
        Err(Error::Task { flaws, .. }) => flaws.iter().map(ToString::to_string).collect(),
        Err(error) => panic!("{error}"),
    }
}

/// A file, what stands in it, what is put in its place, and what is then wrong.
type Row = (&'static str, &'static str, &'static str, &'static [&'static str]);

const REQUEST_31: &str = "Please look at the thing numbered 31 and improve it.";

/// Request 31 is of version 7, which decides c06 in request 32.
#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("task.toml", "title", "titel", &["task.toml:2: unknown field `titel`, expected one of `format`, `title`, `hidden`, `language`, `packages`, `summary`"]),
    ("task.toml", "-task/1", "-task/9", &["task.toml:1: format is \"slopbench.slump-task/9\"; this version reads \"slopbench.slump-task/1\""]),
    ("task.toml", "python", "cobol", &["task.toml: language is \"cobol\"; expected \"python\""]),
    ("task.toml", "A wheel that is turned by the moon.", " ", &["task.toml: summary is empty; expected a text"]),
    ("task.toml", "[\"LWH\"]", "[]", &["task.toml: hidden is empty; expected the words of the title that identify the method, and its acronym"]),
    ("task.toml", "LWH", "!", &["task.toml: hidden holds \"!\", which has no word in it"]),
    ("paper.md", "# How", "How", &["paper.md:1: expected the document's title as `# Title`"]),
    ("paper.md", "$x$", "x", &["paper.md: no formula; expected mathematics as $…$"]),
    ("specification.md", "c07", "c70", &["specification.md: lacks c07; expected each component by its id", "specification.md:25: names c70, which components.toml lacks"]),
    ("components.toml", "It does cedar.", "", &["components.toml:19: c03: description is empty; expected something"]),
    ("components.toml", "[\"c02\", \"c04\"]", "[\"c02\", \"c04\", \"c04\"]", &["components.toml:19: c03: connections names c04 twice"]),
    ("components.toml", "[\"c02\", \"c04\"]", "[\"c02\", \"c04\", \"c03\"]", &["components.toml:19: c03: connections names the component itself"]),
    ("components.toml", "[\"c02\", \"c04\"]", "[\"c02\", \"c04\", \"c44\"]", &["components.toml:19: c03: connections names \"c44\", which is no component"]),
    ("components.toml", "[\"c02\", \"c04\"]", "[\"c04\"]", &["components.toml:10: c02: connections names c03, whose connections lack c02; expected both to name the other"]),
    ("versions.toml", "id = 3\n", "id = 33\n", &[
        "requests.toml:51: request 11: version is 3, which versions.toml lacks",
        "requests.toml:56: request 12: version is 3, which versions.toml lacks",
        "requests.toml:61: request 13: version is 3, which versions.toml lacks",
        "requests.toml:66: request 14: version is 3, which versions.toml lacks",
        "requests.toml:71: request 15: version is 3, which versions.toml lacks",
        "components.toml:10: c02: request 12 (version 3) states it; expected no 4 before version 33, which decides it",
        "versions.toml:12: version 33: id is 33; expected 3, as versions count from 1 in their order",
        "versions.toml:12: version 33: no request of requests.toml is of it; expected at least one",
    ]),
    ("versions.toml", "Step 3.", "", &["versions.toml:12: version 3: summary is empty; expected something"]),
    ("versions.toml", "[\"c02\"]", "[\"c02\", \"c22\"]", &["versions.toml:12: version 3: decides names \"c22\", which is no component"]),
    ("versions.toml", "[\"c03\"]", "[\"c03\", \"c02\"]", &["versions.toml:17: version 4: decides names c02, which version 3 decides already"]),
    ("versions.toml", "[\"c02\"]", "[]", &["components.toml:10: c02: requests state it (R = 4), and no version decides it; expected it in decides of one"]),
    ("versions.toml", "tries = [\"a01\"]", "tries = []", &[
        "requests.toml:26: request 6: reveals c05 = 1: it was 2; expected no fall, unless version 2 tries or drops an alternative to c05",
        "versions.toml:54: a01: 0 versions try it and 1 drop it; expected one of each",
    ]),
    ("versions.toml", "drops = [\"a01\"]", "drops = [\"a01\", \"a09\"]", &["versions.toml:17: version 4: drops names \"a09\", which is no alternative"]),
    ("versions.toml", "component = \"c05\"", "component = \"c01\"", &[
        "requests.toml:26: request 6: reveals c05 = 1: it was 2; expected no fall, unless version 2 tries or drops an alternative to c05",
        "versions.toml:54: a01: version 2 decides c01; expected it to be decided from version 4 on, which drops a01",
    ]),
    ("versions.toml", "why_dropped = \"It burns.\"", "why_dropped = \"\"", &["versions.toml:54: a01: why_dropped is empty; expected something"]),
    ("requests.toml", REQUEST_31, "Improve it.", &["requests.toml:151: request 31: 2 words; expected 5 to 220"]),
    ("requests.toml", REQUEST_31, "Please do ```x = 1``` for me there.", &["requests.toml:151: request 31: holds a block of code; expected what a researcher says in words"]),
    ("requests.toml", REQUEST_31, "Please, look at the thing numbered 30 and improve it!", &["requests.toml:151: request 31: says the same as request 30; expected something new"]),
    ("requests.toml", REQUEST_31, "Add a module lunar_wheel for the whole.", &["requests.toml:151: request 31: says the title \"Lunar Wheel\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Call the whole thing lwh from now on.", &["requests.toml:151: request 31: says the hidden word \"LWH\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Show how the moon grinds corn by night.", &["requests.toml:151: request 31: says the document's title \"How the moon grinds corn\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Name the folder MoonGrindsCorn from now on.", &["requests.toml:151: request 31: says a part of the document's title \"moon grinds corn\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Now put c03 behind all of the others.", &["requests.toml:151: request 31: says the id \"c03\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Make it as the paper has it, please.", &["requests.toml:151: request 31: says what gives a document away: \"the paper\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Call the package tidal_mill from now on.", &["requests.toml:151: request 31: says the task's name \"tidal_mill\"; expected words that do not give it away"]),
    ("requests.toml", REQUEST_31, "Add the heath part to what is there.", &["requests.toml:151: request 31: says \"The heath part\", the name of c08, of which nothing is revealed yet; expected other words, or c08 in reveals"]),
    ("requests.toml", "numbered 9 and", "called SluiceGate and", &["requests.toml:41: request 9: says \"sluice gate\", which version 6 decides; expected it from version 6 on"]),
    ("requests.toml", "version = 7\ntext = \"Please look at the thing numbered 31", "version = 5\ntext = \"Please look at the thing numbered 31", &["requests.toml:151: request 31: version is 5 after 6; expected versions to ascend"]),
    ("requests.toml", "c06 = 4", "c06 = 5", &[
        "components.toml:46: c06: version 7 decides it, and requests reveal 5 of it in the end; expected 4",
        "requests.toml:156: request 32: reveals c06 = 5: expected a level from 0 to 4",
    ]),
    ("requests.toml", "c06 = 4", "c06 = 0", &[
        "components.toml:46: c06: version 7 decides it, and requests reveal 0 of it in the end; expected 4",
        "requests.toml: tidal_mill: 11 of 12 components are recoverable from its requests (RCR 0.917); expected at least 0.95, or scores say nothing of who was asked; disclose the others in requests.toml",
        "requests.toml:156: request 32: reveals c06 = 0: it has this level already; expected only what changes",
    ]),
    ("requests.toml", "c06 = 4", "c06 = 4, c09 = 4", &[
        "components.toml:73: c09: request 32 (version 7) states it; expected no 4 before version 10, which decides it",
        "requests.toml:231: request 47: reveals c09 = 4: it has this level already; expected only what changes",
    ]),
    ("requests.toml", "c06 = 4", "c06 = 4, c66 = 1", &["requests.toml:156: request 32: reveals names \"c66\", which is no component"]),
    ("provenance.toml", "file = \"paper.md\"", "file = \"audit.md\"", &[
        "provenance.toml: has several assets with file = \"audit.md\"; expected one",
        "provenance.toml: lacks an [[asset]] with file = \"paper.md\"",
    ]),
    ("provenance.toml", "\"paper.md\"\norigin = \"authored\"", "\"paper.md\"\norigin = \"authored\"\nmodel = \"m\"", &["provenance.toml:5: paper.md: an authored asset has model; expected origin = \"model\", or none"]),
    ("provenance.toml", "\"paper.md\"\norigin = \"authored\"", "\"paper.md\"\norigin = \"model\"", &[
        "provenance.toml:5: paper.md: a model's asset lacks digest; expected what made it",
        "provenance.toml:5: paper.md: a model's asset lacks inputs; expected what made it",
        "provenance.toml:5: paper.md: a model's asset lacks model; expected what made it",
        "provenance.toml:5: paper.md: a model's asset lacks prompt; expected what made it",
    ]),
];

#[test]
fn each_rule_is_broken_with_its_place_and_what_is_expected() {
    assert_eq!(flaws(&TaskFixture::new()), [""; 0]);
    for (file, old, new, expected) in ROWS {
        let fixture = TaskFixture::new();
        fixture.replace(file, old, new);
        let mut found = flaws(&fixture);
        let mut expected: Vec<_> = expected.iter().map(|flaw| (*flaw).to_owned()).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{file}: {old:?} -> {new:?}");
    }
}

#[test]
fn amounts_are_those_of_the_paper() {
    let cases = [
        ("components.toml", "[[component]]\nid = \"c12\"", "components.toml: 11 components; expected 12 to 25"),
        ("versions.toml", "[[version]]\nid = 10", "versions.toml: 9 versions; expected 10 to 20"),
        (
            "requests.toml",
            "[[request]]\nversion = 10\ntext = \"Please look at the thing numbered 48",
            "requests.toml: 47 requests; expected 48 to 61",
        ),
    ];
    for (file, last, expected) in cases {
        let fixture = TaskFixture::new();
        let path = fixture.dir().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let (before, after) = text.split_once(last).unwrap();
        // The alternatives come after the versions.
        let rest = after.split_once("[[").map(|(_, rest)| format!("[[{rest}")).unwrap_or_default();
        fs::write(&path, before.to_owned() + &rest).unwrap();
        assert!(flaws(&fixture).contains(&expected.to_owned()), "{:#?}", flaws(&fixture));
    }
}

#[test]
fn every_file_that_is_missing_or_broken_is_named_at_once() {
    let fixture = TaskFixture::new();
    fs::remove_file(fixture.dir().join("paper.md")).unwrap();
    fs::write(fixture.dir().join("versions.toml"), "[[version]]\nid = \"one\"\n").unwrap();
    fs::write(fixture.dir().join("requests.toml"), "[[request]\n").unwrap();
    let found = flaws(&fixture);
    let places: Vec<_> = found.iter().map(|flaw| flaw.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["paper.md", "versions.toml:2", "requests.toml:1"], "{found:#?}");
}

#[test]
fn digests_are_those_of_the_files() {
    let fixture = TaskFixture::new();
    let digest = |file: &str| slopbench_digest::Sha256::of_file(&fixture.dir().join(file)).unwrap();
    let (paper, own) = (digest("paper.md"), digest("specification.md"));
    let made = format!(
        "\"specification.md\"\norigin = \"model\"\nmodel = \"m-1\"\nprompt = \"{paper}\"\ndigest = \"{own}\"\n\
         inputs = [{{ file = \"paper.md\", digest = \"{paper}\" }}]"
    );
    fixture.replace("provenance.toml", "\"specification.md\"\norigin = \"authored\"", &made);
    assert_eq!(flaws(&fixture), [""; 0]);
    fixture.replace("paper.md", "$x$", "$x_0$");
    let now = digest("paper.md");
    let expected = format!(
        "provenance.toml:9: specification.md: paper.md has the digest {now}; expected {paper}: make it again, or record it"
    );
    assert_eq!(flaws(&fixture), [expected]);
}

#[test]
fn a_reference_uses_all_that_its_modules_offer() {
    let fixture = TaskFixture::new();
    let folder = fixture.dir().join("reference");
    fs::create_dir(&folder).unwrap();
    assert_eq!(flaws(&fixture), ["reference: offers no symbol; expected modules that others use"]);
    fs::write(folder.join("mill.py"), "def grind(): pass\n\n\ndef stop(): pass\n").unwrap();
    fs::write(folder.join("__main__.py"), "from mill import grind\ngrind()\n").unwrap();
    let expected =
        "reference/mill.py:4: no other module uses stop; expected that all are used, or a name with a leading _";
    assert_eq!(flaws(&fixture), [expected]);
    fixture.replace("reference/mill.py", "def stop", "def _stop");
    assert_eq!(flaws(&fixture), [""; 0]);
}

#[test]
fn a_new_task_has_the_form_and_says_what_is_missing() {
    let folder = tempfile::tempdir().unwrap();
    let dir = scaffold_task(folder.path(), "new_mill").unwrap();
    let task = SlumpTask::load(&dir).unwrap();
    let flaws: Vec<_> = check(&task).iter().map(ToString::to_string).collect();
    for file in ["task.toml", "paper.md", "components.toml", "versions.toml", "requests.toml", "audit.md"] {
        assert!(flaws.iter().any(|flaw| flaw.starts_with(file)), "{file}: {flaws:#?}");
    }
    assert_eq!(task_names(folder.path()).unwrap(), ["new_mill"]);
    for (name, message) in [("new_mill", "is there already"), ("New", "is no name"), ("../x", "is no name")] {
        let error = scaffold_task(folder.path(), name).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Twelve components: in the end all are stated. Two are hinted at from request 1, c01 is stated in request 7.
#[test]
fn exposure_follows_the_requests() {
    let fixture = TaskFixture::new();
    let task = load(&fixture);
    let levels = Recoverability::authored(&task);
    let audit = ExposureAudit::new(&task, &levels);
    assert_eq!((audit.recoverable, audit.explicit, audit.committed_and_recoverable), (12, 12, 12));
    assert_eq!((audit.rcr, audit.esr), (1.0, 1.0));
    let of = |request: usize| audit.curve[request - 1];
    let point = |request, explicit, recoverable| ExposurePoint { request, explicit, recoverable };
    assert_eq!(of(1), point(1, 0.0, 2.0 / 12.0));
    assert_eq!(of(7), point(7, 1.0 / 12.0, 2.0 / 12.0));
    assert_eq!(of(12), point(12, 2.0 / 12.0, 3.0 / 12.0));
    assert_eq!(of(47), point(47, 1.0, 1.0));
    assert_eq!((levels.after(5, "c05"), levels.after(6, "c05"), levels.after(27, "c05")), (2, 1, 4));
    audit.admit().unwrap();
}

/// Of 12 components, 11 are 0.917: too few. Of 20, 19 are just enough.
#[test]
fn too_little_exposure_is_refused() {
    let fixture = TaskFixture::new();
    let task = load(&fixture);
    let audit = |known: usize, all: usize| {
        let components = (1..=all).map(|number| format!("c{number:02}")).collect();
        let levels = vec![(1..=all).map(|number| u8::from(number <= known)).collect()];
        ExposureAudit::new(&task, &Recoverability { components, levels })
    };
    assert!(audit(11, 12).admit().unwrap_err().to_string().contains("11 of 12"));
    assert!(audit(19, 20).admit().is_ok());
    // Of those, c01 to c12 are decided by versions.
    assert_eq!(audit(19, 20).committed_and_recoverable, 12);
}
