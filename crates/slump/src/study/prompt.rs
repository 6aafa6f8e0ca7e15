//! What agents are told: the request itself, and before the first one what there is to work with.

use slopbench_guard::Brief;

use super::design::SlumpDocument;
use crate::{condition::Disclosure, task::SlumpTask};

/// Before the first request of a conversation: what there is to work with, and nothing of what is scored.
const OPENING: &str = "Work in the current folder{empty}, in {language}. {packages}Keep it under version control with git, and commit what you \
did at the end of each request.\n\n";

/// Before a whole document.
const WHOLE: &str = "Implement all of what follows.\n\n";

/// What is asked in a session's request `number`, from 1.
pub(super) fn asked(
    task: &SlumpTask,
    disclosure: Disclosure,
    document: SlumpDocument,
    number: usize,
) -> Option<String> {
    Some(match (disclosure, document) {
        (Disclosure::Emergent, _) => task.requests.get(number.checked_sub(1)?)?.text.clone(),
        // The ids of its components are for those who check tasks: to an agent they would be the list that is scored.
        (Disclosure::SingleShot, SlumpDocument::Specification) => WHOLE.to_owned() + &task.named(&task.specification),
        (Disclosure::SingleShot, SlumpDocument::Paper) => WHOLE.to_owned() + &task.paper,
    })
}

/// What an agent is told: what is `asked` in request `number`, behind the guard's brief where there is one, and behind the opening where a
/// conversation `begins` with it.
pub(super) fn told(task: &SlumpTask, number: usize, asked: &str, brief: Option<&Brief>, begins: bool) -> String {
    let text = brief.map_or_else(|| asked.to_owned(), |brief| brief.before(asked));
    if begins { opening(task, number) + &text } else { text }
}

fn opening(task: &SlumpTask, number: usize) -> String {
    let packages = match task.manifest.packages.as_slice() {
        [] => "Use the language's own library alone. ".to_owned(),
        packages => format!("Beside the language's own library, use {} alone. ", packages.join(", ")),
    };
    let empty = if number == 1 { ", which is empty at first" } else { "" };
    OPENING.replace("{empty}", empty).replace("{language}", "Python").replace("{packages}", &packages)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::task::load_tasks;

    /// Both conditions differ in what is disclosed alone.
    #[test]
    fn both_conditions_begin_alike_and_name_no_measure() {
        let tasks = load_tasks(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tasks")).unwrap();
        for task in &tasks {
            let begun = |disclosure, number, begins| {
                let asked = asked(task, disclosure, SlumpDocument::Specification, number).unwrap();
                told(task, number, &asked, None, begins)
            };
            let opening = opening(task, 1);
            let emergent = begun(Disclosure::Emergent, 1, true);
            assert_eq!(emergent.strip_prefix(&opening).unwrap(), task.requests[0].text);
            let single = begun(Disclosure::SingleShot, 1, true);
            let document = single.strip_prefix(&opening).unwrap().strip_prefix(WHOLE).unwrap();
            assert_eq!(document, task.named(&task.specification));
            for word in ["module", "connect", "used", "entry", "complete", "every part"] {
                assert!(!opening.contains(word) && !WHOLE.contains(word), "{word}");
            }
            // A conversation that goes on is told the request alone, one that begins anew where it is, too.
            assert_eq!(begun(Disclosure::Emergent, 2, false), task.requests[1].text);
            let anew = begun(Disclosure::Emergent, 2, true);
            assert!(
                anew.starts_with("Work in the current folder, in Python. ") && anew.ends_with(&task.requests[1].text)
            );
        }
    }
}
