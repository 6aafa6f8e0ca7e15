//! Outlines: what files offer to others.

use slopbench_metrics::outline::{LONGEST_SIGNATURE, SignatureKind, outline};

/// Each signature as `name | text`, private ones in brackets.
fn signatures(path: &str, text: &str) -> Vec<String> {
    let outline = outline(path, text.as_bytes().to_vec()).expect("a known language").expect("a program");
    let shown = outline.signatures.into_iter().map(|signature| {
        let line = format!("{} | {}", signature.name, signature.text);
        if signature.public { line } else { format!("({line})") }
    });
    shown.collect()
}

#[test]
fn pythons_definitions_are_listed_without_bodies_comments_and_line_breaks() {
    let text = "\"\"\"\n    Trains models.\n\nAt length.\n\"\"\"\nimport os\nfrom .loss import loss as l, weight\nRATE: float = 0.1\n\
                _hidden = 2\n__version__ = '1'\n\n\ndef train(\n    model,  # a net\n    *,\n    rate: float = RATE,\n) -> dict[\n    \
                str, int\n]:\n    inner = 1\n    def nested(): pass\n\n\n@dataclass(frozen=True)\nclass Net(\n    Base, meta=M\n):\n    \
                size: int = 3\n    def __init__(self, size): self.size = size\n    @property\n    def area(self) -> int: return 1\n    \
                async def _load(self): pass\n\n\nif FAST:\n    def step(x, /, y): pass\nelse:\n    class _Slow: \n        \
                def run(self): pass\n\nif __name__ == '__main__':\n    RESULT = train(1)\n";
    let found = signatures("a/train.py", text);
    let expected = [
        "RATE | RATE: float = 0.1",
        "train | def train(model, *, rate: float = RATE,) -> dict[str, int]",
        "Net | @dataclass(frozen=True) class Net(Base, meta=M)",
        "Net.size | size: int = 3",
        "Net.__init__ | def __init__(self, size)",
        "Net.area | @property def area(self) -> int",
        "(Net._load | async def _load(self))",
        "step | def step(x, /, y)",
        "(_Slow | class _Slow)",
        "(_Slow.run | def run(self))",
    ];
    assert_eq!(found, expected);
    let outline = outline("a/train.py", text.as_bytes().to_vec()).expect("Python").expect("a program");
    assert_eq!((outline.language.as_str(), outline.summary.as_str()), ("python", "Trains models."));
    let imported: Vec<_> = outline.imported.iter().map(|import| (import.level, import.module.as_str())).collect();
    assert_eq!(imported, [(0, "os"), (1, "loss"), (1, "loss")]);
    let kinds: Vec<_> = outline.signatures.iter().map(|signature| signature.kind).collect();
    let (constant, function, class) = (SignatureKind::Constant, SignatureKind::Function, SignatureKind::Class);
    assert_eq!(kinds[..4], [constant, function, class, SignatureKind::Attribute]);
    assert_eq!(kinds[4], SignatureKind::Method);
}

#[test]
fn all_says_which_names_of_a_module_are_for_others() {
    let text = "__all__ = ['_f', 'C']\ndef _f(): pass\ndef g(): pass\nclass C:\n    def m(self): pass\n";
    let expected = ["_f | def _f()", "(g | def g())", "C | class C", "C.m | def m(self)"];
    assert_eq!(signatures("a.py", text), expected);
}

#[test]
fn other_languages_list_their_callables_by_name_with_what_stands_before_the_body() {
    let cases = [
        (
            "a.rs",
            "pub fn f(a: u32) -> u32 {\n    a\n}\nimpl P {\n    fn m(&self,\n        b: u8) {}\n}\n",
            vec!["f | pub fn f(a: u32) -> u32", "P.m | fn m(&self, b: u8)"],
        ),
        (
            "a.go",
            "package p\n\nfunc (s *S) Run(a int) error {\n\treturn nil\n}\n",
            vec!["Run | func (s *S) Run(a int) error"],
        ),
        (
            "a.js",
            "const g = (a, b) => { return a; };\nclass C { m(x) { return x; } #p() {} }\n",
            vec!["g | g = (a, b) =>", "C.m | m(x)", "(C.#p | #p())"],
        ),
        ("A.java", "class A { int f(int a) { return a; } }\n", vec!["A.f | int f(int a)"]),
        ("a.c", "static int f(int a)\n{ return a; }\n", vec!["f | static int f(int a)"]),
    ];
    for (path, text, expected) in cases {
        assert_eq!(signatures(path, text), expected, "{path}");
    }
}

#[test]
fn a_signature_is_bounded_and_what_is_no_program_is_refused() {
    let long = format!("def f(a={:?}): pass\n", "é".repeat(1_000));
    let found = signatures("a.py", &long);
    assert!(found[0].len() <= LONGEST_SIGNATURE + "f | ".len() && found[0].ends_with('…'), "{found:?}");
    assert!(outline("a.txt", Vec::new()).is_none());
    let refusal = outline("a.py", b"a = 1\ndef f(:\n".to_vec()).expect("Python").expect_err("no program");
    assert_eq!(refusal.line, Some(2));
}
