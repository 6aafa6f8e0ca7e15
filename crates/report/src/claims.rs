use slopbench_slopcode::artifact::Verification;

use crate::{Column, Role, Table, Text};

/// The table of claims, and below it every difference.
pub fn claims(verifications: &[Verification]) -> Text {
    let mut table = Table::new(&[
        Column::Text("claim"),
        Column::Text("expected"),
        Column::Text("obtained"),
        Column::Text("verdict"),
        Column::Prose(""),
    ]);
    let rows = || verifications.iter().flat_map(|verification| &verification.claims);
    for claim in rows() {
        let (verdict, role) = if claim.holds { ("ok", Role::Good) } else { ("FAILED", Role::Bad) };
        table.row([&claim.id, &claim.expected, &claim.obtained, verdict, &claim.statement]);
        table.mark(3, role);
    }
    let mut text = Text::from(table);
    let failed: Vec<_> = rows().filter(|claim| !claim.holds).collect();
    for claim in &failed {
        text += format!("\n{} does not hold:\n", claim.id);
        text.extend(claim.differences.iter().map(|difference| format!("  {difference}\n")));
    }
    let total = rows().count();
    text += "\n";
    text += match failed.len() {
        0 => Text::of(Role::Good, &format!("All {total} claims hold.")),
        failed => Text::of(Role::Bad, &format!("{failed} of {total} claims do not hold.")),
    };
    text
}
