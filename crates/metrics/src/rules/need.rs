//! Which words a node must contain for a rule to match it, read off the rule itself.
//!
//! Asking the engine about a node costs some hundred nanoseconds; most rules name a function or a keyword, and most
//! nodes do not contain it. A need errs on one side only: where it is not met, the rule cannot match.

use ast_grep_config::{RuleConfig, SerializableRule};
use ast_grep_language::SupportLang;
use serde_json::Value;

use super::words::{Occurrences, Vocabulary, WordId, words};

/// `matches` may call itself in a circle.
const MAX_CALLS: usize = 16;

/// What a node's text must contain.
#[derive(Debug)]
pub(super) enum Need {
    Nothing,
    Word(WordId),
    All(Vec<Need>),
    Any(Vec<Need>),
}

impl Need {
    /// The need of a rule; its words are added to the vocabulary.
    pub(super) fn of_rule(rule: &RuleConfig<SupportLang>, vocabulary: &mut Vocabulary) -> Need {
        let utils = rule.utils.as_ref().and_then(|utils| serde_json::to_value(utils).ok()).unwrap_or_default();
        Reader { utils, vocabulary }.rule(&to_json(&rule.rule), MAX_CALLS)
    }

    /// Whether the bytes from the occurrences' position up to `end` contain what is needed.
    pub(super) fn is_met(&self, occurrences: &mut Occurrences, end: usize) -> bool {
        match self {
            Need::Nothing => true,
            Need::Word(word) => occurrences.has_before(*word, end),
            Need::All(needs) => needs.iter().all(|need| need.is_met(occurrences, end)),
            Need::Any(needs) => needs.iter().any(|need| need.is_met(occurrences, end)),
        }
    }

    fn all(needs: impl Iterator<Item = Need>) -> Need {
        let mut needs: Vec<_> = needs.filter(|need| !matches!(need, Need::Nothing)).collect();
        if needs.len() < 2 { needs.pop().unwrap_or(Need::Nothing) } else { Need::All(needs) }
    }

    fn any(needs: Vec<Need>) -> Need {
        let nothing = needs.iter().any(|need| matches!(need, Need::Nothing));
        if nothing { Need::Nothing } else { Need::Any(needs) }
    }
}

fn to_json(rule: &SerializableRule) -> Value {
    serde_json::to_value(rule).unwrap_or_default()
}

struct Reader<'a> {
    utils: Value,
    vocabulary: &'a mut Vocabulary,
}

impl Reader<'_> {
    /// All keys of a rule object must match. Those that look outside the node, or at what is not there, need nothing.
    fn rule(&mut self, rule: &Value, calls: usize) -> Need {
        let Some(keys) = rule.as_object() else {
            return Need::Nothing;
        };
        let needs: Vec<_> = keys.iter().map(|(key, value)| self.key(key, value, calls)).collect();
        Need::all(needs.into_iter())
    }

    fn key(&mut self, key: &str, value: &Value, calls: usize) -> Need {
        match key {
            "pattern" => self.pattern(value),
            "has" => self.rule(value, calls),
            "all" => Need::all(self.rules(value, calls).into_iter()),
            "any" => Need::any(self.rules(value, calls)),
            "matches" if calls > 0 => self.call(value, calls - 1),
            _ => Need::Nothing,
        }
    }

    fn rules(&mut self, list: &Value, calls: usize) -> Vec<Need> {
        let rules = list.as_array().into_iter().flatten();
        rules.map(|rule| self.rule(rule, calls)).collect()
    }

    fn call(&mut self, name: &Value, calls: usize) -> Need {
        let util = name.as_str().and_then(|name| self.utils.get(name)).cloned();
        util.map_or(Need::Nothing, |util| self.rule(&util, calls))
    }

    /// A pattern that is a plain string matches every token by its text. A pattern object may not.
    fn pattern(&mut self, pattern: &Value) -> Need {
        // Quotes and comments are left out with everything behind them: what is in them are no tokens.
        let code = pattern.as_str().and_then(|text| text.split(['"', '\'', '`', '#']).next()).unwrap_or_default();
        let text = pattern.as_str().unwrap_or_default();
        let is_prefix = |end: usize| end == code.len() && end < text.len();
        let fixed = words(code).filter(|word| !is_variable(code, word.start) && !is_prefix(word.end));
        let needs: Vec<_> = fixed.filter_map(|word| code.get(word)).collect();
        Need::all(needs.into_iter().map(|word| Need::Word(self.vocabulary.add(word))))
    }
}

/// Whether the word at `start` belongs to a metavariable (`$NAME`, `$$$NAMES`).
fn is_variable(code: &str, start: usize) -> bool {
    code.get(..start).is_some_and(|before| before.ends_with('$'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(rule: &str) -> String {
        let mut vocabulary = Vocabulary::default();
        let yaml = format!(
            "id: a\nlanguage: Python\nrule: {rule}\nutils: {{loads: {{pattern: loads($A)}}, loop: {{has: {{matches: loop}}}}}}"
        );
        let rules = ast_grep_config::from_yaml_string(&yaml, &Default::default());
        let need = Need::of_rule(&rules.expect("a valid rule")[0], &mut vocabulary);
        show(&need, &vocabulary)
    }

    fn show(need: &Need, vocabulary: &Vocabulary) -> String {
        let list = |needs: &[Need]| needs.iter().map(|need| show(need, vocabulary)).collect::<Vec<_>>();
        match need {
            Need::Nothing => "-".to_owned(),
            Need::Word(word) => vocabulary.word(*word).to_owned(),
            Need::All(needs) => format!("({})", list(needs).join(" & ")),
            Need::Any(needs) => format!("({})", list(needs).join(" | ")),
        }
    }

    #[test]
    fn patterns_need_their_words_but_no_variables_and_no_strings() {
        assert_eq!(need("{pattern: 'json.dumps($VALUE, $$$REST)'}"), "(json & dumps)");
        assert_eq!(need("{pattern: 'if $A: return True'}"), "(if & return & True)");
        assert_eq!(need(r#"{pattern: 'open(f"{$A}", mode)'}"#), "open");
        assert_eq!(need("{pattern: {context: 'print($A)', selector: call}}"), "-");
    }

    #[test]
    fn composite_rules_need_what_their_parts_need() {
        assert_eq!(need("{any: [{pattern: a($X)}, {pattern: b($X)}], kind: call}"), "(a | b)");
        assert_eq!(need("{any: [{pattern: a($X)}, {kind: call}]}"), "-");
        assert_eq!(need("{kind: call, has: {pattern: a, stopBy: end}, not: {has: {pattern: b}}}"), "a");
        assert_eq!(need("{kind: call, inside: {pattern: a, stopBy: end}, follows: {pattern: b}}"), "-");
        assert_eq!(need("{kind: call, matches: loads}"), "loads");
    }
}
