//! Rust.
//!
//! - Decisions: `if`, `if let` and each `&&` and `||`, those of let chains included; every loop, `loop` too, as Python
//!   counts `while True`; the arms of a `match` but one, and each arm's guard; the `else` of a `let`. `?` is none.
//! - Callables: `fn` items with a body. Closures are Python's lambdas: part of the function around them. What a macro is
//!   given is no syntax tree: neither functions nor decisions are seen in it.
//! - Documentation comments are comments.

use std::sync::{LazyLock, OnceLock};

use ast_grep_language::SupportLang;

use crate::language::{Language, RoleTable, Roles};
use crate::program_signs::{ProgramSigns, is_program, pattern};
use crate::text::utf8;

/// Rust's table.
pub(crate) static RUST: Language = Language {
    name: "rust",
    extensions: &["rs"],
    grammar: SupportLang::Rust,
    roles: &[ROLES],
    decision_tokens: &["&&", "||", "if", "else"],
    name_fields: &[("impl_item", "type")],
    comment: "//",
    decode: utf8,
    program: Some(&SIGNS),
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

static SIGNS: ProgramSigns = ProgramSigns {
    is_program: |text| is_program(text, SupportLang::Rust, ACTING),
    statement: LazyLock::new(|| {
        pattern(
            r"(?m)^[ \t]*(?:pub|fn|use|mod|impl|let|struct|enum|trait|macro_rules|extern|unsafe|for|if|match|while|loop)\b|\)",
        )
    }),
    definition: LazyLock::new(|| pattern(r"(?m)^[ \t]*(?:pub[ (]|fn +\w+|impl\b|use +[\w:]+|mod +\w+|macro_rules!)")),
    names_others: true,
};

/// What no other format has.
const ACTING: &[&str] =
    &["function_item", "macro_invocation", "use_declaration", "call_expression", "macro_definition"];

const ROLES: RoleTable = &[
    (Roles::CALLABLE, &["function_item"]),
    (Roles::QUALIFIES, &["mod_item", "impl_item", "trait_item"]),
    (
        Roles::LISTS_CALLABLES,
        &["source_file", "mod_item", "impl_item", "trait_item", "declaration_list", "function_item", "block"],
    ),
    (Roles::DECISION, &["if_expression", "for_expression", "while_expression", "loop_expression"]),
    // The tokens of a `match_pattern` are those of its guard, those of a `let_declaration` its `else`.
    (Roles::DECIDES_BY_TOKEN, &["binary_expression", "let_chain", "match_pattern", "let_declaration"]),
    (Roles::CHOICE, &["match_block"]),
    (Roles::ALTERNATIVE, &["match_arm"]),
    (
        Roles::CLONE_UNIT,
        &[
            "function_item",
            "if_expression",
            "for_expression",
            "while_expression",
            "loop_expression",
            "match_expression",
        ],
    ),
    (
        Roles::IDENTIFIER,
        &["identifier", "field_identifier", "shorthand_field_identifier", "type_identifier", "primitive_type"],
    ),
    (Roles::STRING, &["string_literal", "raw_string_literal", "char_literal"]),
    (Roles::INTEGER, &["integer_literal"]),
    (Roles::FLOAT, &["float_literal"]),
    (Roles::BOOLEAN, &["boolean_literal"]),
    (Roles::COMMENT, &["line_comment", "block_comment", "shebang"]),
];
