//! Python 3.12, by the definitions of the paper's implementation.

pub(crate) mod encoding;
pub(crate) mod imports;
mod indentation;
pub(crate) mod names;
pub(crate) mod nesting;
pub(crate) mod nodes;
mod outline;
mod program;
pub(crate) mod scopes;
mod sloc;
mod syntax;

use std::sync::{LazyLock, OnceLock};

use ast_grep_language::SupportLang;
use ruff_python_ast::Stmt;
use ruff_python_ast::token::{Token, TokenKind};

use crate::extra_measures::ExtraMeasures;
use crate::language::{Facts, Language, Roles};
use crate::line_set::LineSet;
use crate::program_signs::{ProgramSigns, pattern};
use crate::radon::raw;
use crate::refusal::Refusal;

pub use imports::Import;
pub(crate) use program::{Listed, Program};

/// Python's table. `match`/`case`, `with`, `else`, `finally` and a comprehension's `for` are no decisions; lambdas are
/// no callables; a function defined under an `if`, `try`, `with` or loop is not listed.
pub(crate) static PYTHON: Language = Language {
    name: "python",
    extensions: &["py"],
    grammar: SupportLang::Python,
    roles: &[&[
        (Roles::CALLABLE, &["function_definition"]),
        (
            Roles::LISTS_CALLABLES,
            &["module", "class_definition", "function_definition", "decorated_definition", "block"],
        ),
        (Roles::QUALIFIES, &["class_definition"]),
        (
            Roles::DECISION,
            &[
                "if_statement",
                "elif_clause",
                "for_statement",
                "while_statement",
                "except_clause",
                "assert_statement",
                "list_comprehension",
                "set_comprehension",
                "dictionary_comprehension",
                "generator_expression",
                "boolean_operator",
                "conditional_expression",
                "if_clause",
            ],
        ),
        (
            Roles::CLONE_UNIT,
            &[
                "function_definition",
                "if_statement",
                "for_statement",
                "while_statement",
                "with_statement",
                "try_statement",
                "match_statement",
            ],
        ),
        (Roles::IDENTIFIER, &["identifier"]),
        // The definition also names `f_string`, `string_fragment` and `bytes`; this grammar calls them all `string`.
        (Roles::STRING, &["string", "string_content"]),
        (Roles::INTEGER, &["integer"]),
        // And `imaginary`, which is an `integer` or a `float` here.
        (Roles::FLOAT, &["float"]),
        (Roles::BOOLEAN, &["true", "false"]),
        (Roles::NONE, &["none"]),
    ]],
    decision_tokens: &[],
    name_fields: &[],
    comment: "#",
    decode: encoding::decode,
    program: Some(&SIGNS),
    analyze: Some(analyze),
    outline: Some(outline::outline),
    kinds: OnceLock::new(),
};

static SIGNS: ProgramSigns = ProgramSigns {
    is_program,
    statement: LazyLock::new(|| {
        pattern(r"(?m)^[ \t]*(?:async|await|class|def|for|from|if|import|match|return|try|while|with)\b|\blambda\b")
    }),
    definition: LazyLock::new(|| {
        pattern(r"(?m)^[ \t]*(?:(?:async +)?def +\w+ *\(|class +\w+ *[(:]|import +\w+|from +[\w.]+ +import )")
    }),
    names_others: false,
};

fn analyze(text: &str) -> Result<Facts, Refusal> {
    let program = Program::parse(text)?;
    let raw = raw::count(text, program.tokens());
    Ok(Facts {
        loc: raw.sloc,
        sloc: sloc::lines(text, &program),
        code: code_lines(text),
        unparsed: LineSet::default(),
        extra: Some(ExtraMeasures::of_program(&program, raw)),
    })
}

/// Whether all of a text is a program, and does more than to give values to names: prose does not parse, and what other
/// formats have in common with Python are literals and assignments.
fn is_program(text: &str) -> bool {
    let acts = |statement: &Stmt| !matches!(statement, Stmt::Expr(_) | Stmt::Assign(_) | Stmt::AnnAssign(_));
    let is_lambda = |token: &Token| token.kind() == TokenKind::Lambda;
    Program::parse(text).is_ok_and(|program| program.body().iter().any(acts) || program.tokens().iter().any(is_lambda))
}

/// Lines that, without white space around them, neither are empty nor start with a comment.
fn code_lines(text: &str) -> LineSet {
    let trimmed = (1..).zip(slopbench_text::lines(text).map(slopbench_text::trim_start));
    let code = trimmed.filter(|(_, line)| !line.is_empty() && !line.starts_with(PYTHON.comment));
    code.map(|(number, _)| number).collect()
}
