use slopbench_guard::ModelUse;

/// What models' calls took, in words.
pub(super) fn took(used: &ModelUse) -> String {
    let ModelUse { calls, tokens, cost_usd, unpriced } = used;
    let price = if *unpriced > 0 { ", without what has no price" } else { "" };
    format!("{calls} calls, {} tokens read, {} written, ${cost_usd:.4}{price}", tokens.input, tokens.output)
}
