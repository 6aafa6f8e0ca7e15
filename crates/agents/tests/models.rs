//! The built-in tables of models, providers, prices and agents, which name each other.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use slopbench_agents::definition::Agent;
use slopbench_gateway::{models::Model, prices::Prices, provider::Provider, turn::Usage};

#[test]
fn every_model_has_an_agent_and_a_provider_that_speak_with_each_other() {
    let models = Model::all().unwrap();
    assert_eq!(models.len(), 11, "the paper measures eleven models");
    for model in models {
        let provider = Provider::named(&model.provider, |_| Some("key".to_owned())).unwrap();
        let agent = Agent::named(&model.agent).unwrap();
        assert_eq!(agent.api, provider.api, "{}", model.name);
        assert!(agent.versions.contains(&model.version), "{} has no lock file of {}", model.name, model.version);
        Prices::built_in().unwrap().cost_usd(&model.id, "2027-01-01", &Usage::default()).unwrap();
        assert!(agent.thinking.is_empty() || agent.thinking.contains_key(&model.reasoning), "{}", model.name);
    }
}
