use slopbench_slopcode::artifact::Verification;

use crate::{Column, Table};

/// The table of claims, and below it every difference.
pub fn claims(verifications: &[Verification]) -> String {
    let columns = ["claim", "expected", "obtained", "verdict", ""].map(Column::Text);
    let mut table = Table::new(&columns);
    let rows = || verifications.iter().flat_map(|verification| &verification.claims);
    for claim in rows() {
        let verdict = if claim.holds { "ok" } else { "FAILED" };
        table.row([&claim.id, &claim.expected, &claim.obtained, verdict, &claim.statement]);
    }
    let failed: Vec<_> = rows().filter(|claim| !claim.holds).collect();
    let mut text = table.to_string();
    for claim in &failed {
        text += &format!("\n{} does not hold:\n", claim.id);
        text.extend(claim.differences.iter().map(|difference| format!("  {difference}\n")));
    }
    let total = rows().count();
    text + &match failed.len() {
        0 => format!("\nAll {total} claims hold.\n"),
        failed => format!("\n{failed} of {total} claims do not hold.\n"),
    }
}
