//! What makes a whole study of SLUMP known beforehand: the plan of a program that builds tasks, and what guard and judge answer, all of them made
//! of the tasks and of a table of what sessions leave.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::Failure;

/// What a program is told that begins with a whole document, and what a brief of a guard has.
const MARKS: [&str; 2] = ["Implement all of what follows.", "## What the project is committed to"];

/// How many of its last requests the program has in mind.
const MEMORY: usize = 6;

/// How much of a request tells it from all others, in characters.
const TELLING: usize = 48;

/// Forms of a module, in the table's order, each with its score; of the last, the judge says nothing of use.
const FORMS: [(&str, Option<u8>); 5] =
    [("faithful", Some(4)), ("equivalent", Some(3)), ("simplified", Some(2)), ("wrong", Some(1)), ("unclear", None)];

/// By task and condition, how many components have each form; the others are absent.
pub(crate) type Left = BTreeMap<String, BTreeMap<String, [usize; FORMS.len()]>>;

/// A task, as far as scripts need it.
pub(crate) struct StudyTask {
    name: String,
    title: String,
    /// Words that its specification has and no other.
    opening: String,
    components: Vec<StudyComponent>,
    requests: Vec<StudyRequest>,
}

#[derive(Deserialize)]
struct StudyComponent {
    id: String,
    name: String,
    connections: Vec<String>,
}

#[derive(Deserialize)]
struct StudyRequest {
    text: String,
    reveals: BTreeMap<String, u8>,
}

#[derive(Deserialize)]
struct Components {
    component: Vec<StudyComponent>,
}

#[derive(Deserialize)]
struct Requests {
    request: Vec<StudyRequest>,
}

/// Which form a component takes that has this place among its task's.
fn form(counts: &[usize; FORMS.len()], place: usize) -> &'static str {
    let forms = FORMS.iter().zip(counts).flat_map(|((form, _), count)| std::iter::repeat_n(*form, *count));
    forms.into_iter().nth(place).unwrap_or("absent")
}

impl StudyComponent {
    /// What its module and its function are called.
    fn stem(&self) -> String {
        let words = self.name.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
    }

    fn module(&self) -> String {
        format!("parts/{}.py", self.stem())
    }
}

impl StudyTask {
    pub(crate) fn read(folder: &Path) -> Result<Self, Failure> {
        let text = |file: &str| {
            let path = folder.join(file);
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let manifest: toml::Table = toml::from_str(&text("task.toml")?)?;
        let Components { component: components } = toml::from_str(&text("components.toml")?)?;
        let Requests { request: requests } = toml::from_str(&text("requests.toml")?)?;
        let specification = text("specification.md")?;
        let opening = specification.lines().nth(2).ok_or("a specification has no paragraph")?;
        Ok(Self {
            name: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            title: manifest.get("title").and_then(toml::Value::as_str).ok_or("a task has no title")?.to_owned(),
            opening: opening.to_owned(),
            components,
            requests,
        })
    }

    /// By request, the components that it tells of, each with whether that is the last word on it.
    fn tells(&self) -> Vec<Vec<(&StudyComponent, bool)>> {
        let is_last =
            |place: usize, id: &str| self.requests[place + 1..].iter().all(|later| !later.reveals.contains_key(id));
        let of = |place: usize| {
            let told = self.components.iter().filter(move |one| self.requests[place].reveals.contains_key(&one.id));
            told.map(|one| (one, is_last(place, &one.id))).collect()
        };
        (0..self.requests.len()).map(of).collect()
    }

    fn place(&self, id: &str) -> Option<usize> {
        self.components.iter().position(|one| one.id == id)
    }

    /// What the program has to know of it.
    fn plan(&self, left: &Left) -> Result<Value, Failure> {
        let conditions = left.get(&self.name).ok_or_else(|| format!("the table says nothing of {}", self.name))?;
        let component = |(place, one): (usize, &StudyComponent)| {
            let forms: BTreeMap<_, _> = conditions.iter().map(|(name, counts)| (name, form(counts, place))).collect();
            let connections: Vec<_> = one.connections.iter().filter_map(|id| self.place(id)).collect();
            json!({"id": one.id, "stem": one.stem(), "connections": connections, "forms": forms})
        };
        let request = |(request, tells): (&StudyRequest, Vec<(&StudyComponent, bool)>)| {
            let tells: Vec<_> = tells.into_iter().map(|(one, is_last)| (self.place(&one.id), is_last)).collect();
            json!({"end": last_of(&request.text), "tells": tells})
        };
        Ok(json!({
            "title": self.title,
            "opening": self.opening,
            "components": self.components.iter().enumerate().map(component).collect::<Vec<_>>(),
            "requests": self.requests.iter().zip(self.tells()).map(request).collect::<Vec<_>>(),
        }))
    }

    /// What a guard's model says of its requests: each component is recorded with the last request that tells of it.
    fn guard_answers(&self) -> Vec<Value> {
        let mut answers = Vec::new();
        for (turn, (request, tells)) in (1..).zip(self.requests.iter().zip(self.tells())) {
            let settled: Vec<_> = tells.iter().filter(|(_, is_last)| *is_last).map(|(one, _)| *one).collect();
            let Some(first) = settled.first() else { continue };
            let title = |one: &StudyComponent| format!("{} of {}", one.name, self.title);
            let quote: String = request.text.chars().take(TELLING).collect();
            let commitment = |one: &&StudyComponent| {
                let statement = format!("{} has a module of its own.", one.name);
                json!({
                    "kind": "design", "title": title(one), "statement": statement, "turn": turn, "source": "request", "quote": quote,
                })
            };
            let operation = |(number, one): (usize, &&StudyComponent)| {
                json!({
                    "operation": "add", "commitment": number, "record": one.stem().replace('_', "-"), "kind": "design",
                    "title": title(one), "text": format!("It is in {}.", one.module()), "find": "", "relation": "", "to": "",
                })
            };
            let commitments: Vec<_> = settled.iter().map(commitment).collect();
            let operations: Vec<_> = (1..).zip(&settled).map(operation).collect();
            let asked = format!("## Request of turn {turn}\n\n{quote}");
            answers.push(answer(&asked, &json!({"commitments": commitments}).to_string()));
            let asked = format!("### 1 (design, turn {turn}): {}\n", title(first));
            answers.push(answer(&asked, &json!({"operations": operations}).to_string()));
        }
        answers
    }

    /// What a judge says who has read a component's module: its first line names the form.
    fn judge_answers(&self) -> Vec<Value> {
        let of = |one: &StudyComponent| {
            FORMS.map(|(form, score)| {
                let said = match score {
                    Some(score) => verdict(score, &format!("{}:1", one.module())),
                    None => "That cannot be said.".to_owned(),
                };
                answer(&format!("{}, {}: {form}.", self.title, one.id), &said)
            })
        };
        self.components.iter().flat_map(of).collect()
    }

    /// What a judge does first who is asked of a component, and says where its module is not there.
    fn looks(&self) -> impl Iterator<Item = Value> {
        self.components.iter().map(|one| {
            let mut look = answer(&format!("COMPONENT: {}\n", one.name), &verdict(0, "not found"));
            look["calls"] = json!([{"tool": "read", "arguments": {"path": one.module()}}]);
            look
        })
    }
}

fn verdict(score: u8, evidence: &str) -> String {
    json!({"score": score, "evidence": evidence, "deviation": "none"}).to_string()
}

fn answer(asked: &str, text: &str) -> Value {
    json!({"asked": asked, "text": text})
}

fn last_of(text: &str) -> String {
    let text = text.trim_end();
    text.chars().skip(text.chars().count().saturating_sub(TELLING)).collect()
}

/// What the program is given before what it is told.
pub(crate) fn plan(tasks: &[StudyTask], left: &Left) -> Result<String, Failure> {
    let [whole, guarded] = MARKS;
    let tasks = tasks.iter().map(|task| task.plan(left)).collect::<Result<Vec<_>, _>>()?;
    Ok(json!({"whole": whole, "guarded": guarded, "memory": MEMORY, "tasks": tasks}).to_string())
}

/// What a guard's model answers.
pub(crate) fn guard(tasks: &[StudyTask]) -> Result<String, Failure> {
    let forecast = json!({
        "purpose": "It adds to the method.", "approach": "add", "reason": "It is not there yet.", "records": [], "modules": [],
        "constraints": [], "context_tokens": 0,
    });
    // The first that fits is given.
    let mut answers = vec![answer("# Forecaster, turn ", &forecast.to_string())];
    answers.extend(tasks.iter().flat_map(StudyTask::guard_answers));
    answers.push(answer("# Extractor, turn ", &json!({"commitments": []}).to_string()));
    script(answers)
}

/// What a judge's model answers.
pub(crate) fn judge(tasks: &[StudyTask]) -> Result<String, Failure> {
    script(tasks.iter().flat_map(StudyTask::judge_answers).chain(tasks.iter().flat_map(StudyTask::looks)).collect())
}

fn script(answers: Vec<Value>) -> Result<String, Failure> {
    Ok(toml::to_string(&json!({"format": "slopbench.script/1", "finish": "", "answers": answers}))?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn tasks() -> Vec<StudyTask> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tasks");
        let folders = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        folders.map(|folder| StudyTask::read(&folder).unwrap()).collect()
    }

    fn left() -> Left {
        toml::from_str(include_str!("../slump-study/left.toml")).unwrap()
    }

    #[test]
    fn the_table_is_of_every_task_and_condition_and_of_no_more_components_than_there_are() {
        let (tasks, left) = (tasks(), left());
        assert_eq!(tasks.len(), left.len());
        for task in tasks {
            let conditions = &left[&task.name];
            assert_eq!(conditions.len(), 4, "{}", task.name);
            let most = conditions.values().map(|counts| counts.iter().sum::<usize>()).max().unwrap();
            assert!(most <= task.components.len(), "{}: {most}", task.name);
        }
        assert_eq!(
            [0, 2, 3, 9].map(|place| form(&[1, 1, 1, 0, 1], place)),
            ["faithful", "simplified", "unclear", "absent"]
        );
    }

    #[test]
    fn what_the_program_is_told_tells_which_request_of_which_task_it_is() {
        let tasks = tasks();
        let requests: Vec<_> = tasks.iter().flat_map(|task| &task.requests).map(|one| last_of(&one.text)).collect();
        assert_eq!(requests.iter().collect::<BTreeSet<_>>().len(), requests.len());
        let openings: BTreeSet<_> = tasks.iter().map(|task| &task.opening).collect();
        assert_eq!(openings.len(), tasks.len());
        for task in &tasks {
            let settled = task.tells().into_iter().flatten().filter(|(_, is_last)| *is_last).count();
            assert_eq!(settled, task.components.len(), "{}: every component is told of", task.name);
            let stems: BTreeSet<_> = task.components.iter().map(StudyComponent::stem).collect();
            assert_eq!(stems.len(), task.components.len(), "{}: modules have names of their own", task.name);
        }
    }
}
