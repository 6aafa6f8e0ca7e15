//! What agents are told: templates in minijinja's syntax, three of them built in (paper, appendix B, in our own words).
//!
//! A template may use `spec` (the specification), `is_continuation` (whether there is a workspace from an earlier
//! checkpoint), `has_environment` (whether the packages that it declares are in a virtual environment that is active), `entry`
//! or `entry_file` (the file that is started), `entry_command` (the command that starts it), `language` (what it is written
//! in), `conventions` (how it is built and started, and where its packages are; empty in the track of Python, of which the
//! templates say it themselves), and of who is told: `agent_type`, `agent_version` and `model_name`, empty where there
//! is none. Templates for the paper's harness run as they are: methods of Python's strings, as in `spec.strip()`, work too.

use std::{collections::BTreeMap, fs, path::Path};

use minijinja::{Environment, UndefinedBehavior, context};
use minijinja_contrib::pycompat::unknown_method_callback;
use slopbench_agents::stage::Worker;
use slopbench_tests::Problem;

/// A prompt that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// It is neither built in nor a file.
    #[error("no prompt \"{choice}\": there are {known}, and the file cannot be read: {error}")]
    Unknown {
        /// What was asked for.
        choice: String,
        /// What there is.
        known: String,
        /// Why there is no file.
        error: std::io::Error,
    },
    /// Its template has a mistake.
    #[error("the prompt \"{name}\" cannot be rendered: {error:#}")]
    Template {
        /// Its name.
        name: String,
        /// What and where.
        error: minijinja::Error,
    },
}

/// The built-in templates by name.
pub const BUILT_IN: &[(&str, &str)] = &[
    ("just-solve", include_str!("../../prompts/just-solve.md.j2")),
    ("anti_slop", include_str!("../../prompts/anti_slop.md.j2")),
    ("plan_first", include_str!("../../prompts/plan_first.md.j2")),
];

/// The template that `choice` names: a built-in one, or a file, which is then called like it without its extensions.
/// It is rendered once for `problem`, so that a mistake in it shows before anything is run.
///
/// # Errors
///
/// [`PromptError::Unknown`] if it is neither built in nor a file that can be read, [`PromptError::Template`] if it cannot be
/// rendered.
pub fn find(choice: &str, problem: &Problem) -> Result<(String, String), PromptError> {
    let (name, template) = match BUILT_IN.iter().find(|(name, _)| *name == choice) {
        Some((name, template)) => ((*name).to_owned(), (*template).to_owned()),
        None => {
            let path = Path::new(choice);
            let text = fs::read_to_string(path).map_err(|error| {
                let known = BUILT_IN.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                PromptError::Unknown { choice: choice.to_owned(), known, error }
            })?;
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            (file.split('.').next().unwrap_or_default().to_owned(), text)
        }
    };
    render(&name, &template, problem, &[1], &Worker::Noop, false)?;
    Ok((name, template))
}

/// What `worker` is told at `checkpoints`: one of them, or all for the one-shot control.
pub(crate) fn render(
    name: &str,
    template: &str,
    problem: &Problem,
    checkpoints: &[u32],
    worker: &Worker,
    has_environment: bool,
) -> Result<String, PromptError> {
    let flaw = |error| PromptError::Template { name: name.to_owned(), error };
    let mut environment = Environment::new();
    // A misspelt name would otherwise be told to the agent as nothing.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_unknown_method_callback(unknown_method_callback);
    let (entry, track) = (problem.entry.file(), problem.entry.track.definition());
    let values = context! {
        spec => specification(problem, checkpoints),
        is_continuation => checkpoints.first() != Some(&1),
        has_environment,
        entry => &entry,
        entry_file => &entry,
        conventions => problem.entry.conventions(),
        entry_command => problem.command(Path::new("")).join(" "),
        agent_type => agent_type(worker),
        agent_version => worker.version(),
        model_name => worker.model().unwrap_or_default(),
        language => track.title,
    };
    environment.render_str(template, values).map_err(flaw)
}

/// Who is told, in the words of the paper's harness.
fn agent_type(worker: &Worker) -> String {
    match worker {
        Worker::Reference => "reference".to_owned(),
        Worker::Noop => "noop".to_owned(),
        Worker::Command { .. } => "command".to_owned(),
        Worker::Agent { name, .. } => name.replace('-', "_"),
    }
}

/// The specifications as they are, one after the other, with nothing that tells where one ends.
fn specification(problem: &Problem, checkpoints: &[u32]) -> String {
    let chosen: Vec<_> = checkpoints.iter().filter_map(|number| problem.specification(*number)).collect();
    match chosen.as_slice() {
        [one] => one.clone(),
        all => all.iter().map(|spec| spec.trim()).collect::<Vec<_>>().join("\n\n") + "\n",
    }
}

/// Templates by name, as a plan holds them.
pub(crate) type Templates = BTreeMap<String, String>;

#[cfg(test)]
mod tests {
    use super::*;
    use slopbench_agents::stage::ModelChoice;
    use slopbench_tests::Track;

    fn problem() -> Problem {
        Problem::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/code_search")).unwrap()
    }

    #[test]
    fn every_built_in_prompt_holds_the_specification_word_for_word() {
        let problem = problem();
        for (name, template) in BUILT_IN {
            for number in [1, 2] {
                let prompt = render(name, template, &problem, &[number], &Worker::Noop, false).unwrap();
                assert!(prompt.ends_with(problem.specification(number).unwrap().trim()), "{name}: {prompt}");
                assert!(prompt.contains("`code_search.py`") && prompt.contains("requirements.txt"), "{name}: {prompt}");
                assert_eq!(prompt.contains("Work in a virtual environment"), number == 1, "{name}: {prompt}");
                // Environments are no part of a snapshot, so nobody finds an old one.
                assert_eq!(prompt.to_lowercase().contains("work in a new"), number == 2, "{name}: {prompt}");
            }
        }
    }

    #[test]
    fn no_prompt_holds_a_tag_of_a_sentence() {
        let problem = Problem::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/ledger")).unwrap();
        for checkpoint in &problem.checkpoints {
            assert!(!checkpoint.sentences.is_empty());
            for (name, template) in BUILT_IN {
                let prompt = render(name, template, &problem, &[checkpoint.number], &Worker::Noop, false).unwrap();
                assert!(prompt.contains("ledger") && !prompt.contains("<!--"), "{name}: {prompt}");
            }
        }
    }

    #[test]
    fn in_other_tracks_a_prompt_says_how_the_program_is_built_and_started() {
        for track in [Track::Javascript, Track::Go, Track::Rust, Track::Java] {
            let problem = problem().in_track(track);
            for (name, template) in BUILT_IN {
                for number in [1, 2] {
                    let prompt = render(name, template, &problem, &[number], &Worker::Noop, false).unwrap();
                    let told = problem.entry.conventions();
                    assert!(prompt.contains(&told) && prompt.contains("started as"), "{name}: {prompt}");
                    assert!(prompt.contains(&problem.specification(number).unwrap().trim().to_owned()), "{name}");
                    for word in ["requirements.txt", "virtual environment", "code_search.py", "%%%", "\n\n\n"] {
                        assert!(!prompt.contains(word), "{name}, {track}: {word} in {prompt}");
                    }
                }
            }
        }
    }

    #[test]
    fn an_environment_that_is_active_is_told_of() {
        let problem = problem();
        for (name, template) in BUILT_IN {
            let prompt = render(name, template, &problem, &[2], &Worker::Noop, true).unwrap().replace('\n', " ");
            assert!(prompt.contains("packages is active: go on with it, and add any new package "), "{name}: {prompt}");
            assert!(!prompt.to_lowercase().contains("work in a new"), "{name}: {prompt}");
        }
    }

    #[test]
    fn the_one_shot_control_is_a_beginning_and_holds_every_specification_and_no_word_of_checkpoints() {
        let problem = problem();
        let prompt = render(
            "just-solve",
            "{% if not is_continuation %}{{ spec }}{% endif %}",
            &problem,
            &[1, 2, 3, 4, 5],
            &Worker::Noop,
            false,
        );
        let specs: Vec<_> = (1..=5).filter_map(|number| problem.specification(number)).collect();
        let specs: Vec<_> = specs.iter().map(|spec| spec.trim()).collect();
        assert_eq!(prompt.unwrap().trim(), specs.join("\n\n"));
    }

    #[test]
    fn a_template_for_the_papers_harness_runs_as_it_is() {
        let worker = Worker::Agent {
            name: "claude-code".to_owned(),
            version: "2.0.51".to_owned(),
            model: ModelChoice {
                name: "opus-4.5".to_owned(),
                id: "claude-opus-4-5-20251101".to_owned(),
                provider: None,
                reasoning: "high".to_owned(),
            },
        };
        let template = "{%- if not is_continuation -%}\nBegin.\n{%- else -%}\nGo on.\n{%- endif %}\n\
            {% if agent_type == 'claude_code' %}{{ agent_version }} {{ model_name.upper() }}{% endif %}\n\
            {{ entry_file }}: `{{ entry_command }}`\nYour task is:\n{{ spec.strip() }}";
        let problem = problem();
        let spec = problem.specification(2).unwrap();
        let spec = spec.trim();
        assert_eq!(
            render("paper", template, &problem, &[2], &worker, false).unwrap(),
            format!("Go on.\n2.0.51 OPUS-4.5\ncode_search.py: `python3 code_search.py`\nYour task is:\n{spec}")
        );
    }

    #[test]
    fn a_misspelt_name_is_no_empty_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terse.md.j2");
        let find = |text: &str| {
            fs::write(&path, text).unwrap();
            super::find(&path.display().to_string(), &problem())
        };
        assert_eq!(find("Do: {{ spec }}").unwrap().0, "terse");
        let error = find("Do: {{ specification }}").unwrap_err().to_string();
        assert!(error.starts_with("the prompt \"terse\" cannot be rendered: undefined value"), "{error}");
    }
}
