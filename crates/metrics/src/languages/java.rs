//! Java.
//!
//! - Decisions: `if`, every loop, `catch`, `? :`, `assert`, `&&` and `||`, each `case` (one with several labels is one)
//!   and each `when` after it.
//! - Callables: methods and constructors with a body, those of local and anonymous classes included. Lambdas are
//!   Python's lambdas: part of the method around them.
//! - `synchronized` and `try (…)` are Python's `with`: no decisions, but clone units.

use std::sync::{LazyLock, OnceLock};

use ast_grep_language::SupportLang;

use crate::language::{Language, RoleTable, Roles};
use crate::program_signs::{ProgramSigns, is_program, pattern};
use crate::text::utf8;

/// Java's table.
pub(crate) static JAVA: Language = Language {
    name: "java",
    extensions: &["java"],
    grammar: SupportLang::Java,
    roles: &[ROLES],
    decision_tokens: &["&&", "||", "case"],
    name_fields: &[("object_creation_expression", "type")],
    comment: "//",
    decode: utf8,
    program: Some(&SIGNS),
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

static SIGNS: ProgramSigns = ProgramSigns {
    is_program: |text| is_program(text, SupportLang::Java, ACTING),
    statement: LazyLock::new(|| {
        pattern(r"(?m)^[ \t]*(?:abstract|class|enum|final|import|interface|package|public|record|sealed)\b")
    }),
    definition: LazyLock::new(|| {
        pattern(r"(?m)^[ \t]*(?:(?:public|final|abstract) +)*(?:class|interface|enum|record) +\w+|^import +[\w.]+")
    }),
    names_others: true,
};

/// What no other format has.
const ACTING: &[&str] =
    &["class_declaration", "interface_declaration", "enum_declaration", "record_declaration", "import_declaration"];

const ROLES: RoleTable = &[
    (Roles::CALLABLE, &["method_declaration", "constructor_declaration", "compact_constructor_declaration"]),
    (
        Roles::QUALIFIES,
        &[
            "class_declaration",
            "interface_declaration",
            "annotation_type_declaration",
            "enum_declaration",
            "enum_constant",
            "record_declaration",
            // Anonymous classes bear the name of what they extend.
            "object_creation_expression",
        ],
    ),
    (
        Roles::LISTS_CALLABLES,
        &[
            "program",
            "class_declaration",
            "class_body",
            "interface_declaration",
            "interface_body",
            "annotation_type_declaration",
            "annotation_type_body",
            "enum_declaration",
            "enum_body",
            "enum_body_declarations",
            "enum_constant",
            "record_declaration",
            "method_declaration",
            "constructor_declaration",
            "constructor_body",
            "compact_constructor_declaration",
            "block",
            // Statements and expressions on the way to an anonymous class.
            "field_declaration",
            "local_variable_declaration",
            "variable_declarator",
            "expression_statement",
            "assignment_expression",
            "return_statement",
            "method_invocation",
            "argument_list",
            "object_creation_expression",
        ],
    ),
    (
        Roles::DECISION,
        &[
            "if_statement",
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
            "catch_clause",
            "ternary_expression",
            "assert_statement",
            "guard",
        ],
    ),
    (Roles::DECIDES_BY_TOKEN, &["binary_expression", "switch_label"]),
    (
        Roles::CLONE_UNIT,
        &[
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
            "if_statement",
            "for_statement",
            "enhanced_for_statement",
            "while_statement",
            "do_statement",
            "try_statement",
            "try_with_resources_statement",
            "synchronized_statement",
            "switch_expression",
        ],
    ),
    (
        Roles::IDENTIFIER,
        &["identifier", "type_identifier", "integral_type", "floating_point_type", "boolean_type", "void_type"],
    ),
    (Roles::STRING, &["string_literal", "character_literal"]),
    (
        Roles::INTEGER,
        &["decimal_integer_literal", "hex_integer_literal", "octal_integer_literal", "binary_integer_literal"],
    ),
    (Roles::FLOAT, &["decimal_floating_point_literal", "hex_floating_point_literal"]),
    (Roles::BOOLEAN, &["true", "false"]),
    (Roles::NONE, &["null_literal"]),
    (Roles::COMMENT, &["line_comment", "block_comment"]),
];
