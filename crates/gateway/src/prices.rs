//! What tokens cost, from a dated table: `prices.toml`.

use serde::Deserialize;

use crate::turn::Usage;

/// A price table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    price: Vec<Price>,
}

/// US dollars for a million tokens.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    models: Vec<String>,
    from: String,
    input: f64,
    cached_input: f64,
    cache_write: f64,
    output: f64,
}

/// A model that has no price on a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the price table has no price of \"{model}\" on {date}; add one to prices.toml")]
pub struct NoPrice {
    /// The model.
    pub model: String,
    /// The day, YYYY-MM-DD.
    pub date: String,
}

impl Prices {
    /// The built-in table.
    pub fn built_in() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("../prices.toml"))
    }

    /// What `usage` of `model` costs on `date` (YYYY-MM-DD), in US dollars.
    pub fn cost_usd(&self, model: &str, date: &str, usage: &Usage) -> Result<f64, NoPrice> {
        let holds = |price: &&Price| price.models.iter().any(|name| name == model) && price.from.as_str() <= date;
        let price = self.price.iter().filter(holds).max_by(|a, b| a.from.cmp(&b.from));
        let price = price.ok_or_else(|| NoPrice { model: model.to_owned(), date: date.to_owned() })?;
        let fresh = usage.input.saturating_sub(usage.cached_input + usage.cache_writes);
        let parts = [
            (fresh, price.input),
            (usage.cached_input, price.cached_input),
            (usage.cache_writes, price.cache_write),
            (usage.output, price.output),
        ];
        Ok(parts.iter().map(|(tokens, dollars)| *tokens as f64 * dollars).sum::<f64>() / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_and_tokens_written_to_the_cache_have_their_own_price() {
        let usage = Usage {
            input: 3_000_000,
            cached_input: 1_000_000,
            cache_writes: 1_000_000,
            output: 1_000_000,
            reasoning: 7,
        };
        let cost = Prices::built_in().unwrap().cost_usd("claude-sonnet-4-5", "2027-01-01", &usage).unwrap();
        assert!((cost - (3.0 + 0.3 + 3.75 + 15.0)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn models_that_the_price_map_lacks_cost_what_the_papers_harness_has() {
        let mega = |cached_input, cache_writes| Usage {
            input: 1_000_000,
            cached_input,
            cache_writes,
            output: 1_000_000,
            reasoning: 0,
        };
        let rows = [
            ("gpt-5.3-codex-spark", mega(0, 0), 0.25 + 2.0),
            ("gpt-5.3-codex-spark", mega(1_000_000, 0), 0.025 + 2.0),
            ("glm-4.7", mega(0, 1_000_000), 0.75 + 2.2),
            ("glm-4.5-air", mega(0, 0), 0.2 + 1.1),
        ];
        for (model, usage, expected) in rows {
            let cost = Prices::built_in().unwrap().cost_usd(model, "2027-01-01", &usage).unwrap();
            assert!((cost - expected).abs() < 1e-9, "{model}: {cost}");
        }
    }

    #[test]
    fn the_price_of_the_day_counts_and_what_has_none_is_not_free() {
        let row = |from: &str, output: f64| Price {
            models: vec!["m".into()],
            from: from.into(),
            input: 0.0,
            cached_input: 0.0,
            cache_write: 0.0,
            output,
        };
        let prices = Prices { price: vec![row("2026-06-01", 2.0), row("2026-01-01", 4.0)] };
        let usage = Usage { output: 1_000_000, ..Usage::default() };
        assert_eq!(prices.cost_usd("m", "2026-05-31", &usage), Ok(4.0));
        assert_eq!(prices.cost_usd("m", "2026-06-01", &usage), Ok(2.0));
        let error = prices.cost_usd("m", "2025-12-31", &usage).unwrap_err().to_string();
        assert_eq!(error, "the price table has no price of \"m\" on 2025-12-31; add one to prices.toml");
    }
}
