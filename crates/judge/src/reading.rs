//! Reading a verdict out of what a model says.

use serde_json::{Deserializer, Value};

use crate::{outcome::NotJudged, question::Question};

/// The one verdict in the last turn's text, or why there is none. A verdict may have words around it, and may be repeated; there must
/// not be another one, neither in it nor in what was said in `earlier` turns, and nothing behind it that tries to be one. What
/// was only said earlier, in quoting a file or before looking, is no verdict.
pub(crate) fn verdict<Q: Question>(question: &Q, earlier: &str, last: &str) -> Result<Q::Answer, NotJudged> {
    if last.trim().is_empty() {
        return Err(NotJudged::Silent);
    }
    let (said, rest) = values(last);
    let mut verdicts: Vec<Value> = Vec::new();
    for value in values(earlier).0.into_iter().chain(said.iter().cloned()) {
        if answer(question, &value).is_ok() && !verdicts.contains(&value) {
            verdicts.push(value);
        }
    }
    let Some(value) = said.last() else { return Err(NotJudged::Prose) };
    match answer(question, value) {
        Err(flaw) => Err(NotJudged::Malformed { flaw }),
        Ok(_) if verdicts.len() > 1 => Err(NotJudged::AnsweredTwice { verdicts: verdicts.len() as u32 }),
        Ok(_) if rest.contains("{\"") => {
            Err(NotJudged::Malformed { flaw: "behind the verdict begins another object that is no JSON".to_owned() })
        }
        Ok(answer) => Ok(answer),
    }
}

fn answer<Q: Question>(question: &Q, value: &Value) -> Result<Q::Answer, String> {
    let answer = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    question.check(&answer).map(|()| answer)
}

/// Every JSON object in a text that lies in no other, and what stands behind the last of them.
fn values(text: &str) -> (Vec<Value>, &str) {
    let (mut values, mut rest, mut behind) = (Vec::new(), text, text);
    while let Some(start) = rest.find('{') {
        let mut stream = Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        let Some(Ok(value)) = stream.next() else {
            rest = &rest[start + 1..];
            continue;
        };
        values.push(value);
        rest = &rest[start + stream.byte_offset()..];
        behind = rest;
    }
    (values, behind)
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};
    use serde_json::json;

    use super::*;

    #[derive(Serialize)]
    struct Asked;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Verdict {
        score: u8,
    }

    impl Question for Asked {
        type Answer = Verdict;
        fn kind(&self) -> &str {
            "asked/1"
        }
        fn template(&self) -> &str {
            ""
        }
        fn schema(&self) -> Value {
            json!({})
        }
        fn check(&self, answer: &Verdict) -> Result<(), String> {
            if answer.score <= 4 { Ok(()) } else { Err("expected 0 to 4".to_owned()) }
        }
    }

    #[test]
    fn there_is_one_verdict_or_none() {
        let cases = [
            ("{\"score\": 3}", Ok(3)),
            ("I looked {closely}.\n```json\n{\"score\": 3}\n```", Ok(3)),
            ("{\"score\": 3} I repeat: {\"score\": 3}", Ok(3)),
            ("{\"other\": {\"score\": 1}} so {\"score\": 2}", Ok(2)),
            (" \n", Err(NotJudged::Silent)),
            ("It is good.", Err(NotJudged::Prose)),
            ("{\"score\": 3", Err(NotJudged::Prose)),
            ("{\"score\": 3} or {\"score\": 4}", Err(NotJudged::AnsweredTwice { verdicts: 2 })),
            ("{\"score\": 7}", Err(NotJudged::Malformed { flaw: "expected 0 to 4".to_owned() })),
        ];
        for (text, expected) in cases {
            assert_eq!(verdict(&Asked, "", text).map(|verdict| verdict.score), expected, "{text}");
        }
        assert!(matches!(verdict(&Asked, "", "{\"grade\": 1}"), Err(NotJudged::Malformed { .. })));
    }

    /// A file may hold a verdict, and a model quote it before it looks on.
    #[test]
    fn what_was_only_quoted_or_guessed_is_no_verdict() {
        let quoted = "The file has {\"score\": 4}, which tries to influence me.";
        let cases = [
            (quoted, "It is absent.", Err(NotJudged::Prose)),
            (quoted, "{\"grade\": 0}", Err(malformed())),
            (quoted, "{\"score\": 0}", Err(NotJudged::AnsweredTwice { verdicts: 2 })),
            (quoted, "{\"score\": 4}", Ok(4)),
            ("", "It says {\"score\": 4}; mine is {\"grade\": 0}", Err(malformed())),
            ("", "{\"grade\": 0}, I mean {\"score\": 1}", Ok(1)),
        ];
        for (earlier, last, expected) in cases {
            assert_eq!(verdict(&Asked, earlier, last).map(|verdict| verdict.score), expected, "{last}");
        }
        let broken = verdict(&Asked, "", "It says {\"score\": 4}; mine is {\"score\": 0, ");
        assert!(matches!(broken, Err(NotJudged::Malformed { .. })), "{broken:?}");
    }

    fn malformed() -> NotJudged {
        NotJudged::Malformed { flaw: "missing field `score`".to_owned() }
    }

    #[test]
    fn many_braces_take_no_time() {
        assert_eq!(verdict(&Asked, "", &"{".repeat(100_000)), Err(NotJudged::Prose));
        assert_eq!(verdict(&Asked, "", &"{\"a\":".repeat(20_000)), Err(NotJudged::Prose));
    }
}
