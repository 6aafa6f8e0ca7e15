//! JavaScript and TypeScript.
//!
//! - Decisions: `&&`, `||` and `??` and their assignments (`||=`), each `case`, `catch`, and every loop. Optional chaining
//!   and default values are none.
//! - Callables: a function without a name is one where its body is a block, as any `def` is, or where it is bound to a
//!   name by a variable, property, assignment or default export. `x => x + 1` as an argument is a lambda, part of
//!   the callable around it. Arguments are looked into, or the handlers of a server and the bodies of tests would be no
//!   callables; JSX is not. A function without any name that holds callables is none itself: it wraps a module
//!   or a test suite. Signatures without a body (overloads, interfaces, abstract methods) are no callables.
//! - The grammar has one kind of number. `undefined` is a null.

use std::sync::{LazyLock, OnceLock};

use ast_grep_language::SupportLang;

use crate::language::{Language, RoleTable, Roles};
use crate::program_signs::{ProgramSigns, is_program, pattern};
use crate::text::utf8;

/// JavaScript, with JSX.
pub(crate) static JAVASCRIPT: Language = Language {
    name: "javascript",
    extensions: &["js", "jsx", "mjs", "cjs"],
    grammar: SupportLang::JavaScript,
    roles: &[BOTH, JAVASCRIPT_ONLY],
    decision_tokens: DECISION_TOKENS,
    name_fields: &[("pair", "key"), ("assignment_expression", "left"), ("field_definition", "property")],
    comment: "//",
    decode: utf8,
    program: Some(&SIGNS),
    analyze: None,
    outline: None,
    kinds: OnceLock::new(),
};

static SIGNS: ProgramSigns = ProgramSigns {
    is_program: |text| is_program(text, SupportLang::JavaScript, ACTING),
    statement: LazyLock::new(|| {
        pattern(
            r"(?m)^[ \t]*(?:async|await|class|const|export|for|function|if|import|let|module|new|return|switch|throw|try|var|while)\b|=>|\)",
        )
    }),
    definition: LazyLock::new(|| {
        pattern(
            r"(?m)^[ \t]*(?:(?:async +)?function\b|class +\w+|(?:const|let|var) +[\w{\[]|import\b|module\.exports\b|export +)",
        )
    }),
    names_others: true,
};

/// What no other format has.
const ACTING: &[&str] = &[
    "arrow_function",
    "call_expression",
    "class_declaration",
    "function_declaration",
    "function_expression",
    "import_statement",
    "new_expression",
    "export_statement",
];

/// TypeScript without JSX, where `<T>value` is a type assertion.
pub(crate) static TYPESCRIPT: Language = typescript(SupportLang::TypeScript, &["ts", "mts", "cts"]);

/// TypeScript with JSX: the same language in a measurement, with a grammar of its own.
pub(crate) static TSX: Language = typescript(SupportLang::Tsx, &["tsx"]);

const fn typescript(grammar: SupportLang, extensions: &'static [&'static str]) -> Language {
    Language {
        name: "typescript",
        extensions,
        grammar,
        roles: &[BOTH, TYPESCRIPT_ONLY],
        decision_tokens: DECISION_TOKENS,
        name_fields: &[("pair", "key"), ("assignment_expression", "left")],
        comment: "//",
        decode: utf8,
        program: None,
        analyze: None,
        outline: None,
        kinds: OnceLock::new(),
    }
}

const DECISION_TOKENS: &[&str] = &["&&", "||", "??", "&&=", "||=", "??="];

const BOTH: RoleTable = &[
    (Roles::CALLABLE, &["function_declaration", "generator_function_declaration", "method_definition"]),
    (Roles::LAMBDA, &["arrow_function", "function_expression", "generator_function"]),
    (Roles::BLOCK, &["statement_block"]),
    (Roles::BINDS, &["variable_declarator", "pair", "assignment_expression", "export_statement"]),
    (Roles::PASSES_BINDING, &["parenthesized_expression"]),
    (Roles::QUALIFIES, &["class_declaration", "class"]),
    (
        Roles::LISTS_CALLABLES,
        &[
            "program",
            "export_statement",
            "statement_block",
            // Functions and classes.
            "function_declaration",
            "generator_function_declaration",
            "function_expression",
            "generator_function",
            "arrow_function",
            "method_definition",
            "class_declaration",
            "class",
            "class_body",
            "class_static_block",
            // Statements and expressions on the way to a function.
            "lexical_declaration",
            "variable_declaration",
            "variable_declarator",
            "expression_statement",
            "return_statement",
            "assignment_expression",
            "parenthesized_expression",
            "unary_expression",
            "await_expression",
            "call_expression",
            "new_expression",
            "member_expression",
            "arguments",
            "object",
            "pair",
            "array",
        ],
    ),
    (
        Roles::DECISION,
        &[
            "if_statement",
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
            "catch_clause",
            "ternary_expression",
            "switch_case",
        ],
    ),
    (Roles::DECIDES_BY_TOKEN, &["binary_expression", "augmented_assignment_expression"]),
    (
        Roles::CLONE_UNIT,
        &[
            "function_declaration",
            "generator_function_declaration",
            "function_expression",
            "generator_function",
            "arrow_function",
            "method_definition",
            "if_statement",
            "for_statement",
            "for_in_statement",
            "while_statement",
            "do_statement",
            "try_statement",
            "switch_statement",
        ],
    ),
    (
        Roles::IDENTIFIER,
        &[
            "identifier",
            "property_identifier",
            "private_property_identifier",
            "shorthand_property_identifier",
            "shorthand_property_identifier_pattern",
            "statement_identifier",
        ],
    ),
    (Roles::STRING, &["string", "template_string", "regex"]),
    (Roles::INTEGER, &["number"]),
    (Roles::BOOLEAN, &["true", "false"]),
    (Roles::NONE, &["null", "undefined"]),
    (Roles::COMMENT, &["comment", "html_comment", "hash_bang_line"]),
];

const JAVASCRIPT_ONLY: RoleTable =
    &[(Roles::BINDS, &["field_definition"]), (Roles::LISTS_CALLABLES, &["field_definition"])];

const TYPESCRIPT_ONLY: RoleTable = &[
    (Roles::BINDS, &["public_field_definition"]),
    (Roles::QUALIFIES, &["abstract_class_declaration", "internal_module", "module"]),
    (Roles::PASSES_BINDING, &["as_expression", "satisfies_expression", "non_null_expression"]),
    (
        Roles::LISTS_CALLABLES,
        &[
            "public_field_definition",
            "abstract_class_declaration",
            "ambient_declaration",
            "internal_module",
            "module",
            "as_expression",
            "satisfies_expression",
            "non_null_expression",
        ],
    ),
    (Roles::IDENTIFIER, &["type_identifier", "predefined_type"]),
];
