//! Small changes of a program, each of which a suite should notice.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::statements::{descendants, is_text, parse};

/// A program with one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    pub(crate) operator: &'static str,
    /// What is replaced in the source, and by what.
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
    /// Where it begins, from 1.
    pub(crate) line: u32,
}

/// What is replaced, and by what.
type Change = (Range<usize>, String);

/// A sort of change.
struct MutationOperator {
    name: &'static str,
    /// The syntax nodes that it is for.
    kinds: &'static [&'static str],
    change: fn(Node<'_>, &str) -> Option<Change>,
}

const OPERATORS: [MutationOperator; 11] = [
    MutationOperator { name: "comparison", kinds: &["comparison_operator"], change: comparison },
    MutationOperator { name: "arithmetic", kinds: &["binary_operator", "augmented_assignment"], change: arithmetic },
    MutationOperator { name: "sign", kinds: &["unary_operator"], change: sign },
    MutationOperator { name: "logic", kinds: &["boolean_operator"], change: logic },
    MutationOperator { name: "condition", kinds: &["not_operator"], change: without_not },
    MutationOperator {
        name: "condition",
        kinds: &["if_statement", "elif_clause", "while_statement", "conditional_expression", "if_clause"],
        change: negated,
    },
    MutationOperator { name: "number", kinds: &["integer", "float"], change: number },
    MutationOperator { name: "text", kinds: &["string"], change: text },
    MutationOperator { name: "truth", kinds: &["true", "false"], change: truth },
    MutationOperator {
        name: "statement",
        kinds: &[
            "expression_statement",
            "raise_statement",
            "return_statement",
            "continue_statement",
            "break_statement",
            "delete_statement",
        ],
        change: dropped,
    },
    MutationOperator { name: "arguments", kinds: &["argument_list"], change: swapped },
];

/// What no change is made in: what is no behaviour.
const LEFT_ALONE: [&str; 4] = ["type", "import_statement", "import_from_statement", "future_import_statement"];

/// Every mutant of a program, in the order of its text.
pub(crate) fn mutants(tree: &Tree, source: &str) -> Vec<Mutant> {
    let nodes = descendants(tree.root_node()).into_iter().filter(|node| !is_left_alone(*node, source));
    let mut mutants: Vec<_> = nodes.flat_map(|node| of_node(node, source)).collect();
    mutants.sort_by(|a, b| (a.range.start, a.operator).cmp(&(b.range.start, b.operator)));
    mutants
}

fn of_node(node: Node<'_>, source: &str) -> Vec<Mutant> {
    let operators = OPERATORS.iter().filter(|operator| operator.kinds.contains(&node.kind()));
    operators
        .filter_map(|operator| {
            let (range, replacement) = (operator.change)(node, source)?;
            let line = 1 + source.get(..range.start)?.bytes().filter(|byte| *byte == b'\n').count() as u32;
            let mutant = Mutant { operator: operator.name, range, replacement, line };
            // What is no program any more would be noticed by anyone.
            parse(&mutant.apply(source)).map(|_| mutant)
        })
        .collect()
}

impl Mutant {
    /// The changed program.
    pub(crate) fn apply(&self, source: &str) -> String {
        let mut text = source.to_owned();
        text.replace_range(self.range.clone(), &self.replacement);
        text
    }

    /// The change as `old -> new`.
    pub(crate) fn mutation(&self, source: &str) -> String {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{} -> {}", words(source.get(self.range.clone()).unwrap_or_default()), words(&self.replacement))
    }
}

fn is_left_alone(node: Node<'_>, source: &str) -> bool {
    let mut above = Some(node);
    while let Some(node) = above {
        if LEFT_ALONE.contains(&node.kind()) || is_text(node) || is_start(node, source) {
            return true;
        }
        // Blocks are looked at for themselves.
        above = node.parent().filter(|parent| parent.kind() != "block");
    }
    false
}

/// `if __name__ == "__main__"`
fn is_start(node: Node<'_>, source: &str) -> bool {
    node.kind() == "comparison_operator" && of(node, source).contains("__name__")
        || node.kind() == "if_statement"
            && node.child_by_field_name("condition").is_some_and(|condition| is_start(condition, source))
}

fn of<'a>(node: Node<'_>, source: &'a str) -> &'a str {
    source.get(node.byte_range()).unwrap_or_default()
}

/// The other one of a pair in a table.
fn other(table: &[(&str, &str)], this: &str) -> Option<String> {
    table.iter().find(|(from, _)| *from == this).map(|(_, to)| (*to).to_owned())
}

const COMPARISONS: [(&str, &str); 10] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("in", "not in"),
    ("not in", "in"),
    ("is", "is not"),
    ("is not", "is"),
];

fn comparison(node: Node<'_>, source: &str) -> Option<Change> {
    let operator = (0..node.child_count()).filter_map(|index| node.child(index)).find(|child| !child.is_named())?;
    let words = of(operator, source).split_whitespace().collect::<Vec<_>>().join(" ");
    Some((operator.byte_range(), other(&COMPARISONS, &words)?))
}

const ARITHMETIC: [(&str, &str); 20] = [
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "//"),
    ("//", "/"),
    ("%", "+"),
    ("**", "*"),
    ("<<", ">>"),
    (">>", "<<"),
    ("&", "|"),
    ("|", "&"),
    ("^", "&"),
    ("+=", "-="),
    ("-=", "+="),
    ("*=", "+="),
    ("/=", "//="),
    ("//=", "/="),
    ("%=", "+="),
    ("|=", "&="),
    ("&=", "|="),
];

fn arithmetic(node: Node<'_>, source: &str) -> Option<Change> {
    let operator = node.child_by_field_name("operator")?;
    Some((operator.byte_range(), other(&ARITHMETIC, of(operator, source))?))
}

fn sign(node: Node<'_>, source: &str) -> Option<Change> {
    let argument = node.child_by_field_name("argument")?;
    of(node, source).starts_with('-').then(|| (node.byte_range(), of(argument, source).to_owned()))
}

fn logic(node: Node<'_>, source: &str) -> Option<Change> {
    let operator = node.child_by_field_name("operator")?;
    Some((operator.byte_range(), other(&[("and", "or"), ("or", "and")], of(operator, source))?))
}

fn without_not(node: Node<'_>, source: &str) -> Option<Change> {
    let argument = node.child_by_field_name("argument")?;
    Some((node.byte_range(), format!("({})", of(argument, source))))
}

fn negated(node: Node<'_>, source: &str) -> Option<Change> {
    let condition = match node.kind() {
        "conditional_expression" => node.named_child(1)?,
        "if_clause" => node.named_child(0)?,
        _ => node.child_by_field_name("condition")?,
    };
    // That of a negation goes with its `not`.
    (condition.kind() != "not_operator").then(|| (condition.byte_range(), format!("(not ({}))", of(condition, source))))
}

fn number(node: Node<'_>, source: &str) -> Option<Change> {
    let text = of(node, source);
    let more = match node.kind() {
        "integer" => (text.replace('_', "").parse::<u128>().ok()?.checked_add(1)?).to_string(),
        _ => format!("{:?}", text.replace('_', "").parse::<f64>().ok()? + 1.0),
    };
    Some((node.byte_range(), more))
}

fn text(node: Node<'_>, source: &str) -> Option<Change> {
    let part = |kind: &str| (0..node.child_count()).filter_map(|i| node.child(i)).find(|child| child.kind() == kind);
    let is_plain = part("interpolation").is_none() && node.parent()?.kind() != "concatenated_string";
    let (start, end) = (part("string_start")?, part("string_end")?);
    let is_empty = start.end_byte() == end.start_byte();
    (is_plain && !is_empty).then(|| (node.byte_range(), format!("{}{}", of(start, source), of(end, source))))
}

fn truth(node: Node<'_>, source: &str) -> Option<Change> {
    Some((node.byte_range(), other(&[("True", "False"), ("False", "True")], of(node, source))?))
}

/// What only gives a name to something is kept: without it, the next line would fail.
fn dropped(node: Node<'_>, source: &str) -> Option<Change> {
    let inner = node.named_child(0);
    let replacement = match (node.kind(), inner) {
        ("return_statement", Some(value)) if of(value, source) != "None" => "return None",
        ("return_statement", _) => return None,
        ("expression_statement", Some(inner)) => {
            let is_kept = inner.kind() == "assignment"
                && !inner
                    .child_by_field_name("left")
                    .is_some_and(|left| ["attribute", "subscript"].contains(&left.kind()));
            let acts = ["assignment", "augmented_assignment", "call", "await", "yield"].contains(&inner.kind());
            if is_kept || !acts {
                return None;
            }
            "pass"
        }
        _ => "pass",
    };
    Some((node.byte_range(), replacement.to_owned()))
}

/// The first two neighbours that are given by their place and differ.
fn swapped(node: Node<'_>, source: &str) -> Option<Change> {
    let by_place = |argument: &Node<'_>| {
        !["keyword_argument", "list_splat", "dictionary_splat", "comment"].contains(&argument.kind())
    };
    let arguments: Vec<_> = (0..node.named_child_count()).filter_map(|i| node.named_child(i as u32)).collect();
    let pair = arguments.windows(2).find_map(|pair| match pair {
        [a, b] if by_place(a) && by_place(b) && of(*a, source) != of(*b, source) => Some((*a, *b)),
        _ => None,
    });
    let (a, b) = pair?;
    let between = source.get(a.end_byte()..b.start_byte())?;
    Some((a.start_byte()..b.end_byte(), format!("{}{between}{}", of(b, source), of(a, source))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn mutations(source: &str) -> Vec<String> {
        let mutants = mutants(&parse(source).unwrap(), source);
        mutants.iter().map(|mutant| format!("{}: {}", mutant.operator, mutant.mutation(source))).collect()
    }

    #[test]
    fn each_operator_changes_what_it_is_for() {
        let table: [(&str, &[&str]); 14] = [
            ("a < b\n", &["comparison: < -> <="]),
            ("a not  in b\n", &["comparison: not in -> in"]),
            ("x = a + b\n", &["arithmetic: + -> -"]),
            ("x = -a\n", &["sign: -a -> a"]),
            ("x = a and b\n", &["logic: and -> or"]),
            ("x = not a\n", &["condition: not a -> (a)"]),
            ("x = a if c else b\n", &["condition: c -> (not (c))"]),
            ("x = 9\n", &["number: 9 -> 10"]),
            ("x = 'ab'\n", &["text: 'ab' -> ''"]),
            ("x = True\n", &["truth: True -> False"]),
            ("f()\n", &["statement: f() -> pass"]),
            ("f(a, b, c=d)\n", &["statement: f(a, b, c=d) -> pass", "arguments: a, b -> b, a"]),
            ("def f():\n    return x\n", &["statement: return x -> return None"]),
            ("while a: break\n", &["condition: a -> (not (a))", "statement: break -> pass"]),
        ];
        for (source, expected) in table {
            assert_eq!(mutations(source), expected, "{source}");
        }
    }

    #[test]
    fn what_is_no_behaviour_is_left_alone() {
        let source =
            "\"\"\"Text.\"\"\"\nfrom a import b\nx: dict[str, \"T\"] = y\nif __name__ == \"__main__\":\n    pass\n";
        assert_eq!(mutations(source), [""; 0]);
    }

    #[test]
    fn a_mutant_is_the_program_with_one_change() {
        let source = "a = 1\nif a >= 2:\n    b()\n";
        let mutants = mutants(&parse(source).unwrap(), source);
        let boundary = mutants.iter().find(|mutant| mutant.operator == "comparison").unwrap();
        assert_eq!((boundary.line, boundary.apply(source).as_str()), (2, "a = 1\nif a > 2:\n    b()\n"));
    }
}
