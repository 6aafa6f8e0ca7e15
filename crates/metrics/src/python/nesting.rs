//! How deeply code may be nested, from tokens alone: before any parser builds a tree of it.
//!
//! CPython 3.12 refuses what would overflow its own stacks, and so do we, at (nearly) the same depths. A program that
//! passes here has a tree that is safe to build, walk and drop.

use ruff_python_ast::token::TokenKind as T;
use ruff_python_parser::{Mode, lexer};

use crate::measurement::Reason;
use crate::source::Refusal;

/// CPython's tokenizer: "too many nested parentheses" above this.
const MAX_BRACKETS: usize = 200;
/// CPython's tokenizer: "too many levels of indentation" from this on.
const MAX_INDENTS: usize = 100;
/// CPython's tokenizer: "too many nested f-strings" from this on.
const MAX_STRINGS: usize = 150;
/// CPython's syntax tree: "maximum recursion depth exceeded during ast construction" above about this.
const MAX_DEPTH: usize = 2993;

/// Refuses text that is nested too deeply. What is no program in other ways is for the parser to say.
pub(super) fn check(text: &str) -> Result<(), Refusal> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut depths = Depths::default();
    loop {
        let token = lexer.next_token();
        if token == T::EndOfFile {
            return Ok(());
        }
        depths.add(token);
        if let Some(limit) = depths.exceeded() {
            return Err(Refusal::new(Reason::TooDeep, limit));
        }
    }
}

/// The depth of the syntax tree at the end of the tokens so far: an estimate, never much below the truth.
#[derive(Default)]
struct Depths {
    /// The `elif`s so far, for each level of indentation: each nests in the one before.
    blocks: Vec<usize>,
    elifs: usize,
    /// The expressions around the current one, one for each open bracket or f-string.
    outer: Vec<(Opened, Expression)>,
    outer_depth: usize,
    strings: usize,
    current: Expression,
    previous: Option<T>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// A group or a display: an operand.
    Operand,
    /// A call or a subscript: one more level around what is before it.
    Postfix,
    String,
}

/// What nests within one pair of brackets since the last comma. Operators that bind more loosely than another start
/// its count anew, since their operands lie beside each other.
#[derive(Clone, Copy, Default)]
struct Expression {
    /// `else` and `:` nest to the right of everything before them.
    tails: usize,
    /// `and`, `or`.
    booleans: usize,
    /// `not`.
    nots: usize,
    /// Arithmetic, attributes, calls, subscripts: each is one level above the one before.
    chain: usize,
}

impl Expression {
    fn depth(&self) -> usize {
        self.tails + self.booleans + self.nots + self.chain
    }

    fn operand(self) -> Self {
        Expression { chain: 0, ..self }
    }

    fn negatable(self) -> Self {
        Expression { nots: 0, ..self.operand() }
    }
}

impl Depths {
    fn add(&mut self, token: T) {
        match token {
            T::Lpar | T::Lsqb | T::Lbrace => {
                self.open(if self.ends_operand() { Opened::Postfix } else { Opened::Operand })
            }
            T::FStringStart | T::TStringStart => self.open(Opened::String),
            T::Rpar | T::Rsqb | T::Rbrace | T::FStringEnd | T::TStringEnd => self.close(),
            T::Indent => self.blocks.push(std::mem::take(&mut self.elifs)),
            T::Dedent => self.elifs = self.blocks.pop().unwrap_or_default(),
            _ => self.count(token),
        }
        if !matches!(token, T::Comment | T::NonLogicalNewline) {
            self.previous = Some(token);
        }
    }

    fn count(&mut self, token: T) {
        let now = self.current;
        match token {
            T::Newline | T::Semi | T::Comma | T::Equal => self.current = Expression::default(),
            T::Elif => self.elifs += 1,
            T::If | T::Try | T::While | T::For | T::With | T::Match | T::Def | T::Class if self.starts_statement() => {
                self.elifs = 0
            }
            T::Else | T::Colon => self.current = Expression { tails: now.tails + 1, ..now.negatable() },
            T::And | T::Or => self.current = Expression { booleans: now.booleans + 1, ..now.negatable() },
            T::Not => self.current.nots += 1,
            T::Less | T::Greater | T::EqEqual | T::NotEqual | T::LessEqual | T::GreaterEqual | T::In | T::Is => {
                self.current = now.operand()
            }
            T::Plus
            | T::Minus
            | T::Star
            | T::Slash
            | T::Vbar
            | T::Amper
            | T::Dot
            | T::Percent
            | T::Tilde
            | T::CircumFlex
            | T::LeftShift
            | T::RightShift
            | T::DoubleStar
            | T::DoubleSlash
            | T::At
            | T::Await
            | T::Yield
            | T::Lambda
            | T::ColonEqual => self.current.chain += 1,
            _ => {}
        }
    }

    fn open(&mut self, opened: Opened) {
        self.strings += usize::from(opened == Opened::String);
        self.outer_depth += self.current.depth() + 1;
        self.outer.push((opened, std::mem::take(&mut self.current)));
    }

    fn close(&mut self) {
        let Some((opened, around)) = self.outer.pop() else {
            return;
        };
        self.strings -= usize::from(opened == Opened::String);
        self.outer_depth -= around.depth() + 1;
        self.current = around;
        self.current.chain += usize::from(opened == Opened::Postfix);
    }

    /// Whether a bracket after the previous token is a call or a subscript.
    fn ends_operand(&self) -> bool {
        matches!(
            self.previous,
            Some(T::Name | T::Rpar | T::Rsqb | T::Rbrace | T::String | T::FStringEnd | T::Match | T::Case | T::Type)
        )
    }

    fn starts_statement(&self) -> bool {
        matches!(self.previous, None | Some(T::Newline | T::Indent | T::Dedent))
    }

    fn exceeded(&self) -> Option<&'static str> {
        let depth = self.outer_depth + self.current.depth() + self.blocks.iter().sum::<usize>() + self.elifs;
        let limits = [
            (self.outer.len() - self.strings > MAX_BRACKETS, "too many nested parentheses"),
            (self.strings >= MAX_STRINGS, "too many nested f-strings"),
            (self.blocks.len() >= MAX_INDENTS, "too many levels of indentation"),
            (depth + self.blocks.len() > MAX_DEPTH, "nested more deeply than CPython's syntax tree may be"),
        ];
        limits.into_iter().find_map(|(exceeded, message)| exceeded.then_some(message))
    }
}
