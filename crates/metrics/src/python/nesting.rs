//! How deeply code may be nested, from tokens alone: before any parser builds a tree of it.
//!
//! CPython 3.12 refuses what would overflow its own stacks, and so do we, at (nearly) the same depths. A program that
//! passes here has a tree that is safe to build, walk and drop.

use crate::refusal::{Refusal, RefusalReason};
use ruff_python_ast::token::TokenKind as T;
use ruff_python_parser::{Mode, lexer};

/// CPython's tokenizer: "too many nested parentheses" above this.
const MAX_BRACKETS: usize = 200;
/// CPython's tokenizer: "too many levels of indentation" from this on.
const MAX_INDENTS: usize = 100;
/// CPython's tokenizer: "too many nested f-strings" from this on.
const MAX_STRINGS: usize = 150;
/// CPython's tokenizer: "f-string: expressions nested too deeply" above this.
const MAX_FIELDS: usize = 3;
/// CPython's syntax tree: "maximum recursion depth exceeded during ast construction" above about this.
const MAX_DEPTH: usize = 2993;

/// Refuses text that is nested too deeply. What is no program in other ways is for the parser to say.
pub(crate) fn check(text: &str) -> Result<(), Refusal> {
    let mut lexer = lexer::lex(text, Mode::Module);
    let mut depths = Depths::default();
    loop {
        let token = lexer.next_token();
        if token == T::EndOfFile {
            return Ok(());
        }
        depths.add(token);
        if let Some(limit) = depths.exceeded() {
            return Err(Refusal::new(RefusalReason::TooDeep, limit));
        }
    }
}

/// The depth of the syntax tree at the end of the tokens so far: an estimate, never much below the truth.
#[derive(Default)]
struct Depths {
    blocks: Vec<OpenBlock>,
    block: OpenBlock,
    /// Statements around the current one: the blocks, and the `elif`s before them.
    statements: usize,
    /// The expressions around the current one, one for each open bracket or f-string.
    outer: Vec<(Opened, Expression)>,
    expression: Expression,
    /// The sum of the outer expressions' depths.
    expressions: usize,
    strings: usize,
    previous: Option<T>,
}

/// The `elif`s so far on one level of indentation: each nests in the one before.
#[derive(Clone, Copy, Default)]
struct OpenBlock {
    elifs: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Opened {
    /// A group or a display: an operand.
    Operand,
    /// A call or a subscript: one more level around what is before it.
    Postfix,
    String,
    /// A replacement field, and how many fields it lies in through their format specifications, itself included.
    Field {
        level: usize,
        in_specification: bool,
    },
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

/// What a token does to the depth of the expression that it is in.
enum Effect {
    Opens,
    OpensString,
    Closes,
    Ends,
    Tail,
    Boolean,
    Not,
    Compares,
    Chains,
    Nothing,
}

#[rustfmt::skip]
fn effect(token: T) -> Effect {
    match token {
        T::Lpar | T::Lsqb | T::Lbrace => Effect::Opens,
        T::FStringStart | T::TStringStart => Effect::OpensString,
        T::Rpar | T::Rsqb | T::Rbrace | T::FStringEnd | T::TStringEnd => Effect::Closes,
        T::Newline | T::Semi | T::Comma | T::Equal => Effect::Ends,
        T::Else | T::Colon => Effect::Tail,
        T::And | T::Or => Effect::Boolean,
        T::Not => Effect::Not,
        T::Less | T::Greater | T::EqEqual | T::NotEqual | T::LessEqual | T::GreaterEqual | T::In | T::Is => Effect::Compares,
        T::Plus | T::Minus | T::Star | T::DoubleStar | T::Slash | T::DoubleSlash | T::Percent | T::At
        | T::Vbar | T::Amper | T::CircumFlex | T::LeftShift | T::RightShift | T::Tilde
        | T::Dot | T::Await | T::Yield | T::Lambda | T::ColonEqual => Effect::Chains,
        _ => Effect::Nothing,
    }
}

impl Expression {
    fn depth(&self) -> usize {
        self.tails + self.booleans + self.nots + self.chain
    }

    /// The expression after a token with this effect.
    fn after(self, effect: &Effect) -> Self {
        let Expression { tails, booleans, nots, chain } = self;
        match effect {
            Effect::Ends => Expression::default(),
            Effect::Tail => Expression { tails: tails + 1, booleans, nots: 0, chain: 0 },
            Effect::Boolean => Expression { tails, booleans: booleans + 1, nots: 0, chain: 0 },
            Effect::Not => Expression { nots: nots + 1, ..self },
            Effect::Compares => Expression { chain: 0, ..self },
            Effect::Chains => Expression { chain: chain + 1, ..self },
            Effect::Opens | Effect::OpensString | Effect::Closes | Effect::Nothing => self,
        }
    }
}

impl Depths {
    fn add(&mut self, token: T) {
        if matches!(token, T::Comment | T::NonLogicalNewline) {
            return;
        }
        self.add_to_block(token);
        let effect = effect(token);
        match effect {
            Effect::Opens => self.open(self.bracket(token)),
            Effect::OpensString => self.open(Opened::String),
            Effect::Closes => self.close(),
            _ => self.expression = self.expression.after(&effect),
        }
        if let (T::Colon, Some((Opened::Field { in_specification, .. }, _))) = (token, self.outer.last_mut()) {
            *in_specification = true;
        }
        self.previous = Some(token);
    }

    fn add_to_block(&mut self, token: T) {
        let starts_statement = matches!(self.previous, None | Some(T::Newline | T::Indent | T::Dedent));
        match token {
            T::Indent => {
                self.blocks.push(std::mem::take(&mut self.block));
                self.statements += 1;
            }
            T::Dedent => {
                self.statements = self.statements.saturating_sub(1 + self.block.elifs);
                self.block = self.blocks.pop().unwrap_or_default();
            }
            T::Elif => {
                self.block.elifs += 1;
                self.statements += 1;
            }
            T::Else => {}
            _ if starts_statement => {
                let elifs = std::mem::take(&mut self.block.elifs);
                self.statements = self.statements.saturating_sub(elifs);
            }
            _ => {}
        }
    }

    fn open(&mut self, opened: Opened) {
        self.strings += usize::from(opened == Opened::String);
        self.expressions += self.expression.depth() + 1;
        self.outer.push((opened, std::mem::take(&mut self.expression)));
    }

    fn close(&mut self) {
        let Some((opened, around)) = self.outer.pop() else {
            return;
        };
        self.strings -= usize::from(opened == Opened::String);
        self.expressions -= around.depth() + 1;
        self.expression = around;
        self.expression.chain += usize::from(opened == Opened::Postfix);
    }

    /// What an opening bracket opens here.
    fn bracket(&self, token: T) -> Opened {
        match self.outer.last() {
            Some((Opened::String, _)) if token == T::Lbrace => Opened::Field { level: 1, in_specification: false },
            Some(&(Opened::Field { level, in_specification: true }, _)) if token == T::Lbrace => {
                Opened::Field { level: level + 1, in_specification: false }
            }
            _ if self.ends_operand() => Opened::Postfix,
            _ => Opened::Operand,
        }
    }

    /// Whether a bracket after the previous token is a call or a subscript.
    fn ends_operand(&self) -> bool {
        let Some(previous) = self.previous else {
            return false;
        };
        matches!(previous, T::Name | T::Rpar | T::Rsqb | T::Rbrace | T::String | T::FStringEnd)
            || matches!(previous, T::Match | T::Case | T::Type)
    }

    fn exceeded(&self) -> Option<&'static str> {
        let depth = self.statements + self.expressions + self.expression.depth();
        let field = match self.outer.last() {
            Some(&(Opened::Field { level, .. }, _)) => level,
            _ => 0,
        };
        let limits = [
            (self.outer.len() - self.strings > MAX_BRACKETS, "too many nested parentheses"),
            (self.strings >= MAX_STRINGS, "too many nested f-strings"),
            (field > MAX_FIELDS, "f-string: expressions nested too deeply"),
            (self.blocks.len() >= MAX_INDENTS, "too many levels of indentation"),
            (depth > MAX_DEPTH, "nested more deeply than CPython's syntax tree may be"),
        ];
        // By reference: this is asked after every token.
        limits.iter().find(|(is_exceeded, _)| *is_exceeded).map(|&(_, message)| message)
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    fn is_accepted(text: &str) -> bool {
        check(text).is_ok()
    }

    /// Where CPython 3.12 draws the line, exactly.
    #[test]
    fn the_tokenizers_limits_are_cpythons() {
        let nested = |open: &str, close: &str, depth| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(is_accepted(&nested("(", ")", 200)));
        assert!(!is_accepted(&nested("(", ")", 201)));
        assert!(is_accepted(&nested("f\"{", "}\"", 149)));
        assert!(!is_accepted(&nested("f\"{", "}\"", 150)));
        assert!(is_accepted("f'{1:{1:{1}}}'"));
        assert!(!is_accepted("f'{1:{1:{1:{1}}}}'"));
        let indented = |levels: usize| (0..=levels).map(|level| " ".repeat(level) + "if 1:\n").collect::<String>();
        assert!(is_accepted(&indented(99)));
        assert!(!is_accepted(&indented(100)));
    }

    #[test]
    fn long_chains_are_deep() {
        for (link, last) in
            [("1+", "1"), ("-", "1"), ("not ", "1"), ("1 if 1 else ", "1"), ("lambda:", "1"), ("a.", "a")]
        {
            assert!(is_accepted(&(link.repeat(1400) + last)), "{link}");
            assert!(!is_accepted(&(link.repeat(3100) + last)), "{link}");
        }
        assert!(is_accepted(&format!("a{}", "()".repeat(2900))));
        assert!(!is_accepted(&format!("a{}", "()".repeat(3100))));
        assert!(!is_accepted(&format!("if 1: pass\n{}", "elif 1: pass\n".repeat(3100))));
    }

    #[test]
    fn what_lies_side_by_side_is_not_deep() {
        let texts = ["a.b(c), ", "-a < ", "\"text\" ", "a = ", "f(x)\n", "if a: pass\n", "1 if a else 2, "];
        for text in texts {
            assert!(is_accepted(&text.repeat(50_000)), "{text}");
        }
        assert!(is_accepted(&"a.b + c and ".repeat(2900)));
    }

    /// CPython accepts this, but its tree nests in the grammar that rules are matched on.
    #[test]
    fn a_chain_of_and_is_limited_like_the_others() {
        assert!(!is_accepted(&"a and ".repeat(3100)));
    }
}
