//! What real agents told, recorded with a scripted model: sessions that went well, and ones whose model refused to answer.
//! Recordings are shortened: lists of tools, identifiers, times and long texts are left out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::{fs, path::Path};

use slopbench_agents::{
    catalogue::AgentCatalogue,
    definition::Agent,
    events::{Counter, SessionEnd, SessionReport},
    launch::EndedProcess,
    session::EndedSession,
};
use slopbench_gateway::turn::TokenUsage;
use slopbench_sandbox::{Limit, ProgramEnd};

/// Of the script that was played: agent, version, and the recording's ending.
const WELL: &[(&str, &str, &str)] = &[
    ("claude-code", "2.0.51", "jsonl"),
    ("claude-code", "2.1.329", "jsonl"),
    ("codex", "0.65.0", "jsonl"),
    ("codex", "0.169.0", "jsonl"),
    ("gemini-cli", "0.61.0", "jsonl"),
    ("mini-swe-agent", "2.4.6", "json"),
    ("opencode", "1.18.33", "jsonl"),
];

const REFUSED: &[(&str, &str)] = &[
    ("claude-code", "2.0.51"),
    ("claude-code", "2.1.329"),
    ("codex", "0.65.0"),
    ("codex", "0.169.0"),
    ("gemini-cli", "0.61.0"),
];

fn events(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/events").join(name)).unwrap()
}

fn report(agent: &str, events: &[u8]) -> (Agent, SessionReport) {
    let agent = AgentCatalogue::built_in().unwrap().agents.get(agent).unwrap().value.clone();
    let report = SessionReport::of(&agent, &agent.scripted_model, "Write a greeting.", events);
    (agent, report)
}

fn ending(report: &SessionReport, end: ProgramEnd) -> SessionEnd {
    let ended = EndedProcess { end, stdout: vec![], stderr: vec![] };
    report.ending(&EndedSession { ended, events: vec![] })
}

#[test]
fn a_session_becomes_a_trajectory() {
    for (agent, version, kind) in WELL {
        let (agent, report) = report(agent, &events(&format!("{agent}-{version}.{kind}")));
        let trajectory = report.trajectory(&agent, version, &agent.scripted_model, None);
        insta::assert_json_snapshot!(format!("{}-{version}", agent.name), trajectory);
        assert_eq!(ending(&report, ProgramEnd::Exited(0)), SessionEnd::Done);
    }
}

/// The scripted model's five turns read 6000 tokens and write 65, 9 of them reasoning. Every agent is told so in its own
/// provider's terms, and tells it on in its own.
#[test]
fn all_agents_are_counted_alike() {
    let five = TokenUsage { input: 6000, cached_input: 5500, cache_writes: 0, output: 65, reasoning: 9 };
    for (agent, version, kind) in WELL {
        let (_, report) = report(agent, &events(&format!("{agent}-{version}.{kind}")));
        let expected = match (*agent, *version) {
            // Requests beside the session: three, without tools.
            ("claude-code", "2.0.51") => {
                TokenUsage { input: 9000, cached_input: 8200, output: 80, reasoning: 0, ..five }
            }
            // Not told, as Anthropic does not.
            ("claude-code", _) => TokenUsage { reasoning: 0, ..five },
            // Not told by this version.
            ("codex", "0.65.0") => TokenUsage { reasoning: 0, ..five },
            // The turn that ends a session says so with a call.
            ("mini-swe-agent", _) => TokenUsage { output: 75, ..five },
            _ => five,
        };
        assert_eq!(report.total(), expected, "{agent} {version}");
    }
}

#[test]
fn our_price_is_the_one_that_the_agent_computes() {
    for version in ["2.0.51", "2.1.329"] {
        let (_, report) = report("claude-code", &events(&format!("claude-code-{version}.jsonl")));
        let ours =
            report.cost_usd(&AgentCatalogue::built_in().unwrap().models.prices.of("anthropic"), "2026-11-21").unwrap();
        let told = report.reported_cost_usd.unwrap();
        assert!((ours - told).abs() < 1e-9, "{version}: {ours}, told {told}");
    }
}

#[test]
fn a_model_that_refuses_is_a_failure_whatever_the_exit_code() {
    for (agent, version) in REFUSED {
        let (_, report) = report(agent, &events(&format!("{agent}-{version}-refused.jsonl")));
        for exit in [0, 1] {
            let SessionEnd::Failed { reason } = ending(&report, ProgramEnd::Exited(exit)) else {
                panic!("{agent} {version}")
            };
            assert!(reason.contains("dump"), "{agent} {version}: {reason}");
        }
    }
}

/// Two turns of the agent with a subagent's two between them, and answers of tools on either side.
const WITH_SUBAGENT: &str = r#"{"type": "system", "subtype": "init", "session_id": "s"}
{"type": "assistant", "timestamp": "2026-11-22T07:00:00.000Z", "session_id": "s", "parent_tool_use_id": null, "message": {"id": "m1", "model": "m", "usage": {"input_tokens": 1, "cache_read_input_tokens": 2, "output_tokens": 3}, "content": [{"type": "tool_use", "id": "task", "name": "Task", "input": {"prompt": "Look."}}]}}
{"type": "assistant", "parent_tool_use_id": "task", "message": {"id": "m2", "model": "h", "content": [{"type": "tool_use", "id": "read", "name": "Read", "input": {"file_path": "a.py"}}]}}
{"type": "user", "parent_tool_use_id": "task", "message": {"content": [{"type": "tool_result", "tool_use_id": "read", "content": "x = 0"}]}}
{"type": "assistant", "parent_tool_use_id": "task", "message": {"id": "m3", "model": "h", "content": [{"type": "text", "text": "It sets x."}]}}
{"type": "user", "parent_tool_use_id": null, "message": {"content": [{"type": "tool_result", "tool_use_id": "task", "content": "It sets x."}]}}
{"type": "assistant", "parent_tool_use_id": null, "message": {"id": "m4", "model": "m", "content": [{"type": "text", "text": "Done."}]}}
{"type": "result", "subtype": "success", "is_error": false, "result": "Done."}"#;

#[test]
fn what_a_subagent_does_is_apart() {
    let (agent, report) = report("claude-code", WITH_SUBAGENT.as_bytes());
    assert_eq!(report.steps.len(), 3, "what was asked, and two turns");
    assert_eq!(report.subagents["task"].len(), 2);
    let trajectory = report.trajectory(&agent, "2.0.51", "m", None);
    insta::assert_json_snapshot!("with-subagent", trajectory);
}

#[test]
fn what_the_gateway_counted_takes_the_place_of_what_a_killed_agent_did_not_tell() {
    let whole = events("claude-code-2.0.51.jsonl");
    let (agent, mut report) = report("claude-code", &whole[..whole.len() / 2]);
    assert_eq!(report.total(), TokenUsage::default());
    report.count([].into());
    assert_eq!((report.total(), report.counted_by), (TokenUsage::default(), Counter::Agent));
    let counted = TokenUsage { input: 10, cached_input: 4, output: 3, ..TokenUsage::default() };
    report.count([("m".to_owned(), counted)].into());
    let trajectory = report.trajectory(&agent, "2.0.51", "m", None);
    let sums = trajectory.final_metrics.unwrap();
    assert_eq!((sums.total_prompt_tokens, sums.total_cached_tokens, sums.total_completion_tokens), (10, 4, 3));
    assert!(trajectory.notes.unwrap().contains("gateway"));
}

#[test]
fn what_would_take_more_memory_than_there_is_room_for_is_not_read() {
    let bomb = format!("{{\"type\": \"assistant\", \"x\": [{}0]}}\n", "0,".repeat(20 << 20));
    let before = resident();
    let (_, report) = report("claude-code", (bomb + WITH_SUBAGENT).as_bytes());
    assert!(report.ended, "what comes after it is read");
    assert!(resident() - before < 200 << 20);
}

/// The memory of this process, in bytes.
fn resident() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn a_session_that_is_cut_off_is_never_taken_for_a_good_end() {
    for (agent, version, kind) in WELL {
        let whole = events(&format!("{agent}-{version}.{kind}"));
        for length in [0, whole.len() / 3, whole.len() / 2, whole.len() * 9 / 10] {
            let (_, report) = report(agent, &whole[..length]);
            assert_eq!(
                ending(&report, ProgramEnd::Exited(0)),
                SessionEnd::Silent,
                "{agent} {version} after {length} bytes"
            );
            assert_eq!(ending(&report, ProgramEnd::Exited(1)), SessionEnd::Crashed { code: 1 });
            assert_eq!(ending(&report, ProgramEnd::Signalled(9)), SessionEnd::Killed { signal: 9 });
            assert_eq!(ending(&report, ProgramEnd::Limit(Limit::Wall)), SessionEnd::TimedOut);
        }
    }
}

/// Numbers that agents tell are summed, and budgets are spent by the sums.
#[test]
fn no_number_that_an_agent_tells_spoils_a_sum() {
    for (agent, version, kind) in WELL {
        let text = String::from_utf8(events(&format!("{agent}-{version}.{kind}"))).unwrap();
        let mut parts = text.split("\":");
        let mut hostile = parts.next().unwrap().to_owned();
        for part in parts {
            let rest = part.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
            let is_number = rest.len() < part.trim_start().len();
            hostile += &if is_number { format!("\": {}{rest}", u64::MAX) } else { format!("\":{part}") };
        }
        let twice = if *kind == "json" { hostile } else { hostile.repeat(2) };
        let (agent, report) = report(agent, twice.as_bytes());
        let total = report.total();
        assert!((1 << 40..=1 << 48).contains(&total.input), "{}: {total:?}", agent.name);
        assert!(
            report.reported_cost_usd.is_none_or(|dollars| dollars < 1e9),
            "{}: {:?}",
            agent.name,
            report.reported_cost_usd
        );
    }
}
