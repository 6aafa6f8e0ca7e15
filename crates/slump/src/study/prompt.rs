//! What agents are told: the request itself, and before the first one what there is to work with.

use super::design::SlumpDocument;
use crate::{condition::Disclosure, task::SlumpTask};

/// Before the first request of a conversation.
const OPENING: &str = "Work in the current folder, which is empty at first, in {language}. {packages}Keep it under version control with \
git, and commit what you did at the end of each request. Keep the code in modules that are used by those that come later.\n\n";

/// Before a whole document.
const WHOLE: &str = "Implement all of what follows: a complete repository, with every part connected to those that use it, and \
an entry script that runs it.\n\n";

/// What a session's request `number`, from 1, says.
pub(super) fn prompt(
    task: &SlumpTask,
    disclosure: Disclosure,
    document: SlumpDocument,
    number: usize,
) -> Option<String> {
    let text = match disclosure {
        Disclosure::Emergent => task.requests.get(number.checked_sub(1)?)?.text.clone(),
        Disclosure::SingleShot => {
            let whole = match document {
                SlumpDocument::Specification => &task.specification,
                SlumpDocument::Paper => &task.paper,
            };
            WHOLE.to_owned() + whole
        }
    };
    Some(if number == 1 { opening(task) + &text } else { text })
}

fn opening(task: &SlumpTask) -> String {
    let packages = match task.manifest.packages.as_slice() {
        [] => "Use the language's own library alone. ".to_owned(),
        packages => format!("Beside the language's own library, use {} alone. ", packages.join(", ")),
    };
    OPENING.replace("{language}", "Python").replace("{packages}", &packages)
}
