//! Reading a verdict out of what a model says.

use serde_json::{Deserializer, Value};

use crate::{outcome::NotJudged, question::Question};

/// The one verdict in a text, or why there is none. A verdict may have words around it, and may be repeated, but there must
/// not be another one.
pub(crate) fn verdict<Q: Question>(question: &Q, text: &str) -> Result<Q::Answer, NotJudged> {
    if text.trim().is_empty() {
        return Err(NotJudged::Silent);
    }
    let values = values(text);
    let parsed: Vec<_> = values.iter().map(|value| answer(question, value)).collect();
    let mut verdicts: Vec<&Value> = Vec::new();
    for (value, _) in values.iter().zip(&parsed).filter(|(_, parsed)| parsed.is_ok()) {
        if !verdicts.contains(&value) {
            verdicts.push(value);
        }
    }
    if verdicts.len() > 1 {
        return Err(NotJudged::AnsweredTwice { verdicts: verdicts.len() as u32 });
    }
    let mut flaw = None;
    for parsed in parsed {
        match parsed {
            Ok(answer) => return Ok(answer),
            Err(message) => flaw = Some(message),
        }
    }
    Err(flaw.map_or(NotJudged::Prose, |flaw| NotJudged::Malformed { flaw }))
}

fn answer<Q: Question>(question: &Q, value: &Value) -> Result<Q::Answer, String> {
    let answer = serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    question.check(&answer).map(|()| answer)
}

/// Every JSON object in a text that lies in no other.
fn values(text: &str) -> Vec<Value> {
    let (mut values, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find('{') {
        let mut stream = Deserializer::from_str(&rest[start..]).into_iter::<Value>();
        let end = match stream.next() {
            Some(Ok(value)) => {
                values.push(value);
                start + stream.byte_offset()
            }
            _ => start + 1,
        };
        rest = &rest[end..];
    }
    values
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
            assert_eq!(verdict(&Asked, text).map(|verdict| verdict.score), expected, "{text}");
        }
        assert!(matches!(verdict(&Asked, "{\"grade\": 1}"), Err(NotJudged::Malformed { .. })));
    }

    #[test]
    fn many_braces_take_no_time() {
        assert_eq!(verdict(&Asked, &"{".repeat(100_000)), Err(NotJudged::Prose));
        assert_eq!(verdict(&Asked, &"{\"a\":".repeat(20_000)), Err(NotJudged::Prose));
    }
}
