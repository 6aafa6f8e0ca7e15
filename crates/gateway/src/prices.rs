//! What tokens cost, from a dated table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    catalogue::{CatalogueEntry, CatalogueTable},
    turn::TokenUsage,
};

/// Prices by what providers call the model, or by `PROVIDER:ID` where one provider charges otherwise.
#[derive(Clone, Debug)]
pub struct Prices(pub CatalogueTable<PriceList>);

/// The prices of one provider.
#[derive(Clone, Copy, Debug)]
pub struct ProviderPrices<'a> {
    prices: &'a Prices,
    provider: &'a str,
}

/// The prices of one model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PriceList(Vec<Price>);

/// US dollars for a million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Price {
    /// The first day on which it holds, YYYY-MM-DD.
    from: String,
    /// Input that is read afresh.
    input: f64,
    /// Input read from the provider's cache; as `input` where nothing is said.
    cached_input: Option<f64>,
    /// Input written to the provider's cache; likewise.
    cache_write: Option<f64>,
    output: f64,
}

/// The same as it is written: for several models at once.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WrittenPrice {
    models: Vec<String>,
    /// Who charges it; whoever has no price of its own, if nobody is named.
    provider: Option<String>,
    from: String,
    input: f64,
    cached_input: Option<f64>,
    cache_write: Option<f64>,
    output: f64,
}

/// A model that has no price on a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no price of \"{model}\" on {date}: add one to a catalogue")]
pub struct NoPrice {
    /// The model.
    pub model: String,
    /// The day, YYYY-MM-DD.
    pub date: String,
}

impl Prices {
    /// What `provider` charges: its own prices before those of all.
    pub fn of<'a>(&'a self, provider: &'a str) -> ProviderPrices<'a> {
        ProviderPrices { prices: self, provider }
    }
}

impl<'a> ProviderPrices<'a> {
    /// The entry that says what `model` costs, with its name.
    pub(crate) fn entry(&self, model: &str) -> Option<(String, &'a CatalogueEntry<PriceList>)> {
        let found = |name: String| self.prices.0.find(&name).map(|entry| (name, entry));
        found(format!("{}:{model}", self.provider)).or_else(|| found(model.to_owned()))
    }

    /// What `usage` of `model` costs on `date` (YYYY-MM-DD), in US dollars.
    ///
    /// # Errors
    ///
    /// [`NoPrice`] if none holds on that day: what has no price is not free.
    pub fn cost_usd(&self, model: &str, date: &str, usage: &TokenUsage) -> Result<f64, NoPrice> {
        let entry = self.entry(model);
        let rows = entry.map_or(&[][..], |(_, entry)| &entry.value.0);
        let price = rows.iter().filter(|price| price.from.as_str() <= date).max_by(|a, b| a.from.cmp(&b.from));
        let price = price.ok_or_else(|| NoPrice { model: model.to_owned(), date: date.to_owned() })?;
        let fresh = usage.input.saturating_sub(usage.cached_input + usage.cache_writes);
        let parts = [
            (fresh, price.input),
            (usage.cached_input, price.cached_input.unwrap_or(price.input)),
            (usage.cache_writes, price.cache_write.unwrap_or(price.input)),
            (usage.output, price.output),
        ];
        Ok(parts.iter().map(|(tokens, dollars)| *tokens as f64 * dollars).sum::<f64>() / 1e6)
    }
}

impl PriceList {
    /// The written prices, by model.
    pub(crate) fn by_model(written: Vec<WrittenPrice>) -> Result<BTreeMap<String, Self>, String> {
        let mut lists = BTreeMap::<String, Self>::new();
        for WrittenPrice { models, provider, from, input, cached_input, cache_write, output } in written {
            if !is_day(&from) {
                return Err(format!("a price holds from a day as in 2026-01-31, not from \"{from}\""));
            }
            let amounts = [Some(input), cached_input, cache_write, Some(output)];
            if !amounts.iter().flatten().all(|dollars| dollars.is_finite() && *dollars >= 0.0) {
                return Err(format!("the price of {} from {from} is no amount of dollars", models.join(", ")));
            }
            let price = Price { from, input, cached_input, cache_write, output };
            for model in models {
                let model = provider.as_ref().map_or(model.clone(), |provider| format!("{provider}:{model}"));
                let list = lists.entry(model.clone()).or_insert_with(|| Self(Vec::new()));
                if list.0.iter().any(|other| other.from == price.from) {
                    return Err(format!("the price of {model} from {} is written twice", price.from));
                }
                list.0.push(price.clone());
            }
        }
        Ok(lists)
    }
}

/// Whether this is a day, so that days can be compared as texts.
fn is_day(text: &str) -> bool {
    let is_number = |part: &str, digits| part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(text.split('-').collect::<Vec<_>>()[..],
        [year, month, day] if is_number(year, 4) && is_number(month, 2) && is_number(day, 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{Catalogue, Origin};

    #[test]
    fn cached_tokens_and_tokens_written_to_the_cache_have_their_own_price() {
        let usage = TokenUsage {
            input: 3_000_000,
            cached_input: 1_000_000,
            cache_writes: 1_000_000,
            output: 1_000_000,
            reasoning: 7,
        };
        let cost = Catalogue::built_in()
            .unwrap()
            .prices
            .of("anthropic")
            .cost_usd("claude-sonnet-4-5", "2027-01-01", &usage)
            .unwrap();
        assert!((cost - (3.0 + 0.3 + 3.75 + 15.0)).abs() < 1e-9, "{cost}");
    }

    #[test]
    fn models_that_the_price_map_lacks_cost_what_the_papers_harness_has() {
        let mega = |cached_input, cache_writes| TokenUsage {
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
            let cost = Catalogue::built_in().unwrap().prices.of("any").cost_usd(model, "2027-01-01", &usage).unwrap();
            assert!((cost - expected).abs() < 1e-9, "{model}: {cost}");
        }
    }

    fn written(from: &str, output: f64) -> WrittenPrice {
        let models = vec!["m".to_owned()];
        WrittenPrice {
            models,
            provider: None,
            from: from.into(),
            input: 0.0,
            cached_input: None,
            cache_write: None,
            output,
        }
    }

    #[test]
    fn the_price_of_the_day_counts_and_what_has_none_is_not_free() {
        let lists = PriceList::by_model(vec![written("2026-06-01", 2.0), written("2026-01-01", 4.0)]).unwrap();
        let mut prices = Prices(CatalogueTable::new("price"));
        prices.0.put("m", lists["m"].clone(), Origin::BuiltIn).unwrap();
        let usage = TokenUsage { output: 1_000_000, ..TokenUsage::default() };
        assert_eq!(prices.of("any").cost_usd("m", "2026-05-31", &usage), Ok(4.0));
        assert_eq!(prices.of("any").cost_usd("m", "2026-06-01", &usage), Ok(2.0));
        let error = prices.of("any").cost_usd("m", "2025-12-31", &usage).unwrap_err().to_string();
        assert_eq!(error, "there is no price of \"m\" on 2025-12-31: add one to a catalogue");
    }

    #[test]
    fn a_providers_own_price_is_its_own() {
        let of_router = WrittenPrice { provider: Some("router".to_owned()), ..written("2026-01-01", 5.0) };
        let mut prices = Prices(CatalogueTable::new("price"));
        for (name, list) in PriceList::by_model(vec![written("2026-01-01", 4.0), of_router]).unwrap() {
            prices.0.put(&name, list, Origin::BuiltIn).unwrap();
        }
        let usage = TokenUsage { output: 1_000_000, ..TokenUsage::default() };
        let cost = |provider| prices.of(provider).cost_usd("m", "2026-06-01", &usage).unwrap();
        assert_eq!([cost("router"), cost("other")], [5.0, 4.0]);
        assert_eq!(prices.of("router").entry("m").unwrap().0, "router:m");
    }

    #[test]
    fn what_is_no_price_is_refused() {
        for (from, output) in [("2026", 1.0), ("2026-06-01", f64::NAN), ("2026-06-01", -1.0)] {
            assert!(PriceList::by_model(vec![written(from, output)]).is_err(), "{from} {output}");
        }
        let twice = PriceList::by_model(vec![written("2026-06-01", 1.0), written("2026-06-01", 2.0)]);
        assert_eq!(twice.unwrap_err(), "the price of m from 2026-06-01 is written twice");
    }
}
