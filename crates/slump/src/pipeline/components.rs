//! Stage B: components.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    flaw::{AnswerFlaw, Flaws},
    prompt::{list, object},
};
use crate::task::{COMPONENTS, SlumpTask, TaskComponent, check as check_task};

/// What is scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComponentList {
    pub(super) components: Vec<TaskComponent>,
}

pub(super) fn schema() -> Value {
    let text = json!({"type": "string"});
    let texts = list(&text);
    let component = object(json!({
        "id": text, "name": text, "description": text, "formula": text, "inputs": texts, "outputs": texts, "connections": texts,
        "wiring": text,
    }));
    object(json!({"components": list(&component)}))
}

/// The components as a task has them: a connection that one names is both's.
pub(super) fn linked(list: &ComponentList) -> Vec<TaskComponent> {
    let mut components = list.components.clone();
    for one in &list.components {
        for other in components.iter_mut().filter(|other| other.id != one.id && one.connections.contains(&other.id)) {
            if !other.connections.contains(&one.id) {
                other.connections.push(one.id.clone());
            }
        }
    }
    components.iter_mut().for_each(|component| component.connections.sort());
    components
}

/// What is wrong with an answer, by the rules of `task`, which has none yet.
pub(super) fn check(answer: &ComponentList, mut task: SlumpTask) -> Vec<AnswerFlaw> {
    task.components = linked(answer);
    let of_task = check_task(&task.by_number()).into_iter().filter(|flaw| flaw.file == COMPONENTS);
    let mut flaws = Flaws(of_task.map(|flaw| AnswerFlaw::at(place(flaw.line), flaw.message)).collect());
    for (index, component) in answer.components.iter().enumerate() {
        let twin = answer.components[..index].iter().find(|other| other.name == component.name);
        let id = twin.map_or("", |twin| &twin.id);
        flaws.note(twin.is_some(), format!("components[{index}].name"), format!("is that of {id}; expected its own"));
    }
    flaws.0
}

/// The place of the entry with this number.
fn place(number: Option<u32>) -> String {
    number.map_or_else(|| "components".to_owned(), |number| format!("components[{}]", number.saturating_sub(1)))
}
