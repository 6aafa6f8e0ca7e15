//! What a session of SLUMP was asked, by what its run keeps: prompts, the gateway's logs, cassettes, and the home and workspace that its
//! last request but one left.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::Value;
use walkdir::WalkDir;

use crate::Failure;

/// A run of one session.
pub(crate) struct Conversation {
    pub(crate) run: PathBuf,
    pub(crate) summary: Value,
    pub(crate) requests: Vec<KeptRequest>,
    /// Ids and subjects of the commits before the last request, in order.
    commits: Vec<String>,
    /// How often each request before the last is in what the agent keeps of conversations in its home.
    kept_by_agent: Vec<usize>,
}

/// What is known of one request.
pub(crate) struct KeptRequest {
    prompt: String,
    /// By what name the agent calls its conversation.
    conversation: Value,
    continued: bool,
    /// How the gateway answered each of the model's turns.
    outcomes: Vec<String>,
    /// What the model was sent, the shortest conversation first.
    sent: Vec<SentRequest>,
}

/// A request to the model, as its cassette has it.
struct SentRequest {
    key: String,
    /// The entries of its conversation, as digests.
    entries: Vec<String>,
}

impl Conversation {
    /// What a request begins with that no other has.
    pub(crate) fn mark(number: usize) -> String {
        format!("Request {number}: ")
    }

    /// How many requests of a run are done.
    pub(crate) fn count(run: &Path) -> Result<usize, Failure> {
        let Ok(unit) = unit(run) else { return Ok(0) };
        Ok(fs::read_dir(unit)?.count())
    }

    pub(crate) fn read(run: &Path) -> Result<Self, Failure> {
        let (unit, count) = (unit(run)?, Self::count(run)?);
        let folder = |number: usize| unit.join(format!("request_{number:02}"));
        let requests = (1..=count).map(|number| KeptRequest::read(&folder(number))).collect::<Result<_, _>>()?;
        let turn = json(&folder(count.saturating_sub(1)).join("turn.json"))?;
        let state = run.join("trees").join(turn["state"].as_str().ok_or("the last request but one has no state")?);
        Ok(Self {
            run: run.to_path_buf(),
            summary: json(&run.join("summary.json"))?,
            requests,
            commits: commits(&state.join("workspace"))?,
            kept_by_agent: kept_by_agent(&state.join("home"), count.saturating_sub(1))?,
        })
    }

    /// How often the model was asked for a turn.
    pub(crate) fn turns(&self) -> usize {
        self.requests.iter().map(|request| request.outcomes.len()).sum()
    }

    /// How many entries the conversation of the last turn has.
    pub(crate) fn last_entries(&self) -> usize {
        self.sent().last().map_or(0, |sent| sent.entries.len())
    }

    /// All that the model was sent, in order.
    fn sent(&self) -> impl Iterator<Item = &SentRequest> {
        self.requests.iter().flat_map(|request| &request.sent)
    }

    /// What is wrong with a session that was to be asked `texts`.
    pub(crate) fn flaws(&self, texts: &[String]) -> Vec<String> {
        let mut flaws = Vec::new();
        let mut expect = |holds: bool, flaw: String| flaws.extend((!holds).then_some(flaw));
        expect(self.requests.len() == texts.len(), format!("{} of {} requests", self.requests.len(), texts.len()));
        let first = self.requests.first().map(|request| &request.conversation);
        for (number, (request, text)) in (1..).zip(self.requests.iter().zip(texts)) {
            // The first one tells what there is to work with, too.
            let is_asked = if number == 1 { request.prompt.ends_with(text) } else { request.prompt == *text };
            expect(is_asked, format!("request {number} asks something else"));
            let goes_on = request.continued == (number > 1) && Some(&request.conversation) == first;
            expect(goes_on && request.conversation.is_string(), format!("request {number} is in another conversation"));
            let is_well = request.outcomes.iter().all(|outcome| outcome == "recorded 200");
            expect(is_well && !request.outcomes.is_empty(), format!("request {number}: {:?}", request.outcomes));
            expect(request.sent.len() == request.outcomes.len(), format!("request {number}: not all is recorded"));
        }
        let keys: BTreeSet<_> = self.sent().map(|sent| &sent.key).collect();
        expect(keys.len() == self.sent().count(), "the model was asked something twice".to_owned());
        for (index, (before, now)) in self.sent().zip(self.sent().skip(1)).enumerate() {
            expect(now.goes_on_from(before), format!("turn {} is without what turn {} was sent", index + 2, index + 1));
        }
        let subjects: Vec<_> = self.commits.iter().filter_map(|line| Some(line.split_once(' ')?.1)).collect();
        let expected: Vec<_> = (1..texts.len()).map(|number| format!("Request {number}")).collect();
        expect(subjects == expected, format!("commits: {}", subjects.join(", ")));
        let often: BTreeSet<_> = self.kept_by_agent.iter().collect();
        let is_kept = often.len() == 1 && !self.kept_by_agent.contains(&0);
        expect(is_kept, format!("the agent keeps requests so often: {:?}", self.kept_by_agent));
        flaws
    }

    /// In what this session is not what `calm` is, which nobody disturbed.
    pub(crate) fn differences(&self, calm: &Self) -> Vec<String> {
        let keys = |one: &Self| one.sent().map(|sent| sent.key.clone()).collect::<Vec<_>>();
        let same = [
            ("the summary", self.summary == calm.summary),
            ("what the model was sent", keys(self) == keys(calm)),
            ("the commits", self.commits == calm.commits),
            ("what the agent keeps of requests", self.kept_by_agent == calm.kept_by_agent),
        ];
        let differ = same.into_iter().filter(|(_, same)| !same);
        differ.map(|(what, _)| format!("{what} differs from the undisturbed run's")).collect()
    }
}

impl KeptRequest {
    fn read(folder: &Path) -> Result<Self, Failure> {
        let (session, turn) = (json(&folder.join("session.json"))?, json(&folder.join("turn.json"))?);
        let log = lines(&folder.join("gateway.jsonl"))?;
        let turns = log.iter().filter(|entry| entry["turn"] == true);
        let cassette = lines(&folder.join("cassette.jsonl")).unwrap_or_default();
        let mut sent: Vec<_> = cassette.iter().skip(1).map(SentRequest::of).collect();
        sent.sort_by_key(|sent| sent.entries.len());
        Ok(Self {
            prompt: fs::read_to_string(folder.join("prompt.md"))?,
            conversation: session["conversation"].clone(),
            continued: turn["continued"] == true,
            outcomes: turns
                .map(|entry| format!("{} {}", entry["outcome"].as_str().unwrap_or_default(), entry["status"]))
                .collect(),
            sent,
        })
    }
}

impl SentRequest {
    fn of(exchange: &Value) -> Self {
        let parts = exchange["request"]["parts"].as_array().into_iter().flatten();
        let entries = parts.filter(|part| part[0].as_str().is_some_and(|label| label.ends_with(']')));
        Self { key: exchange["request"]["key"].to_string(), entries: entries.map(|part| part[1].to_string()).collect() }
    }

    /// Whether it has all that `before` has, and more. The last entry may be marked otherwise then: Claude Code marks how far a
    /// provider is to keep the conversation in its cache.
    fn goes_on_from(&self, before: &Self) -> bool {
        let settled = before.entries.len().saturating_sub(1);
        self.entries.len() > before.entries.len() && self.entries[..settled] == before.entries[..settled]
    }
}

/// The folder of a run's only session.
fn unit(run: &Path) -> Result<PathBuf, Failure> {
    let mut units = fs::read_dir(run.join("units"))?;
    let unit = units.next().ok_or("the run has no session")??;
    Ok(unit.path())
}

fn commits(repository: &Path) -> Result<Vec<String>, Failure> {
    // The repository is of whoever worked in the sandbox.
    let mut git = Command::new("git");
    git.args(["-c", "safe.directory=*", "log", "--reverse", "--format=%H %s"]).current_dir(repository);
    let output = git.output()?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()),
        false => Err(format!("git: {}", String::from_utf8_lossy(&output.stderr)).into()),
    }
}

/// How often each request is what a user says in the conversations that an agent keeps: as JSON, one entry a line. Beside them it may keep
/// requests for other ends, more or less often as time has it.
fn kept_by_agent(home: &Path, requests: usize) -> Result<Vec<usize>, Failure> {
    let mut said = Vec::new();
    for entry in WalkDir::new(home) {
        let entry = entry?;
        if entry.file_type().is_file() && entry.path().extension().is_some_and(|extension| extension == "jsonl") {
            lines(entry.path())?.iter().for_each(|line| said.extend(said_by_user(line)));
        }
    }
    let often = |number: usize| said.iter().map(|text| text.matches(&Conversation::mark(number)).count()).sum();
    Ok((1..=requests).map(often).collect())
}

/// The contents of the user's messages in a value, at any depth.
fn said_by_user(value: &Value) -> Vec<String> {
    match value {
        Value::Object(message) if message.get("role").is_some_and(|role| role == "user") => {
            message.get("content").map(Value::to_string).into_iter().collect()
        }
        Value::Object(members) => members.values().flat_map(said_by_user).collect(),
        Value::Array(items) => items.iter().flat_map(said_by_user).collect(),
        _ => Vec::new(),
    }
}

fn json(path: &Path) -> Result<Value, Failure> {
    Ok(serde_json::from_str(&fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?)?)
}

fn lines(path: &Path) -> Result<Vec<Value>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is done to a conversation.
    type Harm = fn(&mut Conversation);

    fn sent(key: &str, entries: &[&str]) -> SentRequest {
        SentRequest { key: key.to_owned(), entries: entries.iter().map(|entry| (*entry).to_owned()).collect() }
    }

    fn request(number: usize, opening: &str, sent: Vec<SentRequest>) -> KeptRequest {
        KeptRequest {
            prompt: format!("{opening}{}", text(number)),
            conversation: "a".into(),
            continued: number > 1,
            outcomes: sent.iter().map(|_| "recorded 200".to_owned()).collect(),
            sent,
        }
    }

    fn text(number: usize) -> String {
        format!("{}Go on.", Conversation::mark(number))
    }

    fn conversation() -> Conversation {
        let requests = vec![
            request(1, "Work here. ", vec![sent("k1", &["1"]), sent("k2", &["1", "2"])]),
            request(2, "", vec![sent("k3", &["1", "2 kept", "3"])]),
            request(3, "", vec![sent("k4", &["1", "2 kept", "3", "4"])]),
        ];
        let commits = (1..3).map(|number| format!("{number}abc Request {number}")).collect();
        Conversation { run: PathBuf::new(), summary: Value::Null, requests, commits, kept_by_agent: vec![1, 1] }
    }

    #[test]
    fn each_harm_to_a_conversation_is_named() {
        let texts: Vec<_> = (1..=3).map(text).collect();
        assert_eq!(conversation().flaws(&texts), Vec::<String>::new());
        let harms: [(Harm, &str); 9] = [
            (|it| drop(it.requests.pop()), "2 of 3 requests"),
            (|it| it.requests[1].prompt = text(3), "request 2 asks something else"),
            (|it| it.requests[2].continued = false, "request 3 is in another conversation"),
            (|it| it.requests[2].conversation = "b".into(), "request 3 is in another conversation"),
            (|it| it.requests[1].outcomes[0] = "unfinished null".to_owned(), "request 2: [\"unfinished null\"]"),
            (|it| it.requests[2].sent[0].key = "k3".to_owned(), "the model was asked something twice"),
            (|it| drop(it.requests[1].sent[0].entries.remove(0)), "turn 3 is without what turn 2 was sent"),
            (|it| it.commits.swap(0, 1), "commits: Request 2, Request 1"),
            (|it| it.kept_by_agent[1] = 0, "the agent keeps requests so often: [1, 0]"),
        ];
        for (harm, named) in harms {
            let mut harmed = conversation();
            harm(&mut harmed);
            let flaws = harmed.flaws(&texts);
            assert!(flaws.iter().any(|flaw| flaw == named), "{named}: {flaws:?}");
        }
    }

    #[test]
    fn each_difference_is_named() {
        let (calm, mut killed) = (conversation(), conversation());
        assert_eq!(killed.differences(&calm), Vec::<String>::new());
        killed.requests[2].sent[0].key = "k5".to_owned();
        killed.kept_by_agent[1] = 2;
        let named = ["what the model was sent", "what the agent keeps of requests"];
        assert_eq!(killed.differences(&calm), named.map(|what| format!("{what} differs from the undisturbed run's")));
    }
}
