//! Go.
//!
//! - Decisions: `if`, `for`, each `case` of `switch`, type switch and `select`, `&&` and `||`. Go has no other.
//! - Callables: functions and methods with a body, and function literals, whose body always is a block; they are looked
//!   for wherever a value may be (`RunE: func(…) error {…}` in a command's declaration). A literal is called what it is
//!   bound to; one that is bound to nothing and holds callables is none itself, as in JavaScript.

use std::sync::{LazyLock, OnceLock};

use ast_grep_language::SupportLang;

use crate::language::{Language, RoleTable, Roles};
use crate::program_signs::{ProgramSigns, is_program, pattern};
use crate::text::utf8;

/// Go's table.
pub(crate) static GO: Language = Language {
    name: "go",
    extensions: &["go"],
    grammar: SupportLang::Go,
    roles: &[ROLES],
    decision_tokens: &["&&", "||"],
    name_fields: &[("short_var_declaration", "left"), ("assignment_statement", "left"), ("keyed_element", "key")],
    comment: "//",
    decode: utf8,
    program: Some(&SIGNS),
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

static SIGNS: ProgramSigns = ProgramSigns {
    is_program: |text| is_program(text, SupportLang::Go, ACTING),
    statement: LazyLock::new(|| pattern(r"(?m)^[ \t]*(?:package|func|import)\b")),
    definition: LazyLock::new(|| pattern(r"(?m)^(?:package +\w+|func +[\w(])")),
    names_others: true,
};

/// What no other format has.
const ACTING: &[&str] = &["package_clause", "function_declaration", "method_declaration"];

const ROLES: RoleTable = &[
    (Roles::CALLABLE, &["function_declaration", "method_declaration"]),
    (Roles::LAMBDA, &["func_literal"]),
    (Roles::BLOCK, &["block"]),
    (Roles::BINDS, &["var_spec", "short_var_declaration", "assignment_statement", "keyed_element"]),
    (Roles::PASSES_BINDING, &["expression_list", "literal_element", "parenthesized_expression"]),
    (
        Roles::LISTS_CALLABLES,
        &[
            "source_file",
            "function_declaration",
            "method_declaration",
            "func_literal",
            "block",
            "statement_list",
            // Statements and expressions on the way to a function literal.
            "var_declaration",
            "var_spec_list",
            "var_spec",
            "short_var_declaration",
            "assignment_statement",
            "expression_statement",
            "return_statement",
            "go_statement",
            "defer_statement",
            "expression_list",
            "call_expression",
            "argument_list",
            "selector_expression",
            "parenthesized_expression",
            "unary_expression",
            "composite_literal",
            "literal_value",
            "literal_element",
            "keyed_element",
        ],
    ),
    (Roles::DECISION, &["if_statement", "for_statement", "expression_case", "type_case", "communication_case"]),
    (Roles::DECIDES_BY_TOKEN, &["binary_expression"]),
    (
        Roles::CLONE_UNIT,
        &[
            "function_declaration",
            "method_declaration",
            "func_literal",
            "if_statement",
            "for_statement",
            "expression_switch_statement",
            "type_switch_statement",
            "select_statement",
        ],
    ),
    (
        Roles::IDENTIFIER,
        &["identifier", "blank_identifier", "field_identifier", "type_identifier", "package_identifier", "label_name"],
    ),
    (Roles::STRING, &["interpreted_string_literal", "raw_string_literal", "rune_literal"]),
    (Roles::INTEGER, &["int_literal"]),
    (Roles::FLOAT, &["float_literal", "imaginary_literal"]),
    (Roles::BOOLEAN, &["true", "false"]),
    (Roles::NONE, &["nil"]),
    (Roles::COMMENT, &["comment"]),
];
