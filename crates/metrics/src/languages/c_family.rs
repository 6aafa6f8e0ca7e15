//! C and C++.
//!
//! - Decisions: `if`, every loop, `catch`, `? :`, `&&` and `||` (and `and` and `or`), each `case`. `if constexpr` is one as
//!   any other; `#if`, a fold and a constraint are none: the compiler decides them. `assert` is a macro and none.
//! - Callables: function definitions with a body, in `#if` too, or whatever stands in a header's guard would be none.
//!   Lambdas are Python's lambdas: part of the function around them.
//! - The grammars do not run the preprocessor: what a macro stands for is not seen, and where a macro is no expression,
//!   statement or type, the lines around it are counted as unparsed.
//! - `*.h` is taken for C++, which reads most of C; nothing in the name says which it is.

use std::sync::OnceLock;

use ast_grep_language::SupportLang;

use crate::language::{Language, RoleTable, Roles};
use crate::text::utf8;

/// C's table.
pub(crate) static C: Language = Language {
    name: "c",
    extensions: &["c"],
    grammar: SupportLang::C,
    roles: &[BOTH],
    decision_tokens: &["&&", "||", "case"],
    name_fields: &[("function_definition", "declarator")],
    comment: "//",
    decode: utf8,
    program: None,
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

/// C++'s table.
pub(crate) static CPP: Language = Language {
    name: "cpp",
    extensions: &["cc", "cpp", "cxx", "c++", "h", "hh", "hpp", "hxx", "h++", "ipp", "tpp", "inl"],
    grammar: SupportLang::Cpp,
    roles: &[BOTH, CPP_ONLY],
    decision_tokens: &["&&", "||", "and", "or", "case"],
    name_fields: &[("function_definition", "declarator")],
    comment: "//",
    decode: utf8,
    program: None,
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

const BOTH: RoleTable = &[
    (Roles::CALLABLE, &["function_definition"]),
    (
        Roles::DECLARATOR,
        &[
            "function_declarator",
            "pointer_declarator",
            "array_declarator",
            "parenthesized_declarator",
            "attributed_declarator",
        ],
    ),
    (
        Roles::LISTS_CALLABLES,
        &[
            "translation_unit",
            "linkage_specification",
            "declaration_list",
            "function_definition",
            "compound_statement",
            "preproc_if",
            "preproc_ifdef",
            "preproc_elif",
            "preproc_elifdef",
            "preproc_else",
        ],
    ),
    (Roles::DECISION, &["if_statement", "for_statement", "while_statement", "do_statement", "conditional_expression"]),
    (Roles::DECIDES_BY_TOKEN, &["binary_expression", "case_statement"]),
    (
        Roles::CLONE_UNIT,
        &[
            "function_definition",
            "if_statement",
            "for_statement",
            "while_statement",
            "do_statement",
            "switch_statement",
        ],
    ),
    (
        Roles::IDENTIFIER,
        &["identifier", "field_identifier", "type_identifier", "statement_identifier", "primitive_type"],
    ),
    (Roles::STRING, &["string_literal", "char_literal", "concatenated_string", "system_lib_string"]),
    (Roles::INTEGER, &["number_literal"]),
    (Roles::BOOLEAN, &["true", "false"]),
    (Roles::NONE, &["null"]),
    (Roles::COMMENT, &["comment"]),
];

const CPP_ONLY: RoleTable = &[
    (Roles::DECLARATOR, &["reference_declarator"]),
    (Roles::QUALIFIES, &["namespace_definition", "class_specifier", "struct_specifier", "union_specifier"]),
    (
        Roles::LISTS_CALLABLES,
        &[
            "namespace_definition",
            "class_specifier",
            "struct_specifier",
            "union_specifier",
            "field_declaration_list",
            "template_declaration",
            "friend_declaration",
            // A class may be defined where its name stands for a type.
            "declaration",
            "field_declaration",
            "type_definition",
        ],
    ),
    (Roles::DECISION, &["for_range_loop", "catch_clause"]),
    (Roles::CLONE_UNIT, &["for_range_loop", "try_statement"]),
    (Roles::IDENTIFIER, &["namespace_identifier"]),
    (Roles::STRING, &["raw_string_literal", "user_defined_literal"]),
];
