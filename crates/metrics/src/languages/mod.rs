//! The tables of the languages that are measured by their grammar alone.
//!
//! Each follows Python's table, whose definitions are the paper's, as closely as the language allows:
//!
//! - **Decisions.** What Python spells `if`, `elif`, `for`, `while`, `except`, `assert`, `x if c else y`, `and` and `or`.
//!   A `case` is one too, other than in Python: these languages say with `switch` what Python says with `elif`. The
//!   default case is an `else` and none. Errors that are passed on (`throws`, `?`) are none, like Python's exceptions.
//! - **Callables.** Functions and methods with a body, and not below an `if`, loop, `try` or the like. What is nested in
//!   a callable counts in it as well. Python's lambdas are single expressions and no callables; each table says what its
//!   closures are.
//! - **Clone units.** Functions, `if`, loops, `try`, `switch`. An `else if` is an `if` in an `else`, and a unit of its own.
//! - **Literals.** All strings are alike, characters and regular expressions among them, all numbers of a class, all
//!   booleans, all nulls. Names of built-in types are identifiers, as `int` is in Python.
//! - **Lines.** See [`crate::syntax`].

pub(crate) mod c_family;
pub(crate) mod go;
pub(crate) mod java;
pub(crate) mod javascript;
pub(crate) mod rust;
