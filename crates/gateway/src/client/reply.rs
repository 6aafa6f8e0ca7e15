//! What a model answered, in no API's own words.

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::error::ClientError;
use crate::turn::{TokenUsage, ToolCall};

/// What a model answered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// What it said; may be empty where it calls tools.
    pub text: String,
    /// The tools that it calls, in order.
    pub calls: Vec<ToolCall>,
    /// The answer as JSON, where a schema was given.
    pub value: Option<Value>,
    /// What was used.
    pub usage: TokenUsage,
    /// What that cost, in US dollars; nothing where the model has no price.
    pub cost_usd: Option<f64>,
}

impl Reply {
    /// The answer as the caller's own type.
    ///
    /// # Errors
    ///
    /// [`ClientError::Malformed`] if it is none, or no schema was given.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, ClientError> {
        let value = self.value.clone().ok_or_else(|| ClientError::Malformed("it has no JSON".to_owned()))?;
        serde_json::from_value(value).map_err(|error| ClientError::Malformed(error.to_string()))
    }
}
