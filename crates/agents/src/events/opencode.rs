//! opencode's `run --format json`: the parts of each message as they are done. Its input counts leave cached tokens out.

use serde_json::Value;
use slopbench_gateway::turn::TokenUsage;

use super::{
    ReportBuilder,
    values::{dollars, iso, lines, number, text},
};

pub(super) fn read(events: &str, builder: &mut ReportBuilder) {
    for event in lines(events) {
        let part = &event["part"];
        let turn = text(part, "/messageID");
        builder.session(text(&event, "/sessionID"));
        builder.at(&iso(number(&event, "/timestamp")));
        match text(&event, "/type") {
            "text" => builder.turn(turn).say(text(part, "/text")),
            "reasoning" => builder.turn(turn).think(text(part, "/text")),
            "tool_use" => {
                builder.turn(turn).call(text(part, "/callID"), text(part, "/tool"), &part["state"]["input"]);
                let told = if text(part, "/state/status") == "error" { "/state/error" } else { "/state/output" };
                builder.result(text(part, "/callID"), text(part, told));
            }
            "step_finish" => finish(part, turn, builder),
            "error" => {
                let said = text(&event, "/error/data/message");
                builder.fail(if said.is_empty() { text(&event, "/error/name") } else { said });
            }
            _ => {}
        }
    }
}

fn finish(part: &Value, turn: &str, builder: &mut ReportBuilder) {
    let (read, written) = (number(part, "/tokens/cache/read"), number(part, "/tokens/cache/write"));
    let reasoning = number(part, "/tokens/reasoning");
    let usage = TokenUsage {
        input: number(part, "/tokens/input") + read + written,
        cached_input: read,
        cache_writes: written,
        output: number(part, "/tokens/output") + reasoning,
        reasoning,
    };
    builder.turn(turn).cost(usage, true);
    builder.used(usage);
    let cost = dollars(part, "/cost").unwrap_or_default();
    *builder.report.reported_cost_usd.get_or_insert_default() += cost;
    builder.report.ended |= text(part, "/reason") == "stop";
}
