//! A model that answers in JSON.

use std::panic;
use std::path::Path;
use std::thread;

use serde::de::DeserializeOwned;
use serde_json::Value;
use slopbench_gateway::cassette::CassetteError;
use slopbench_gateway::client::{ChatMessage, Client, ClientError, Request};
use slopbench_gateway::server::Recorder;
use tokio::runtime::{Builder, Handle, Runtime};

use super::failure::{ModelFailure, ModelUse};
use crate::Error;

/// The most tokens of an answer, reasoning included.
const MOST_TOKENS: u32 = 16_000;

/// A model that a guard asks. It may be used within a runtime and without one.
#[derive(Debug)]
pub struct GuardModel {
    client: Client,
    model: String,
    runtime: Runtime,
}

/// What a model is asked.
pub(crate) struct Question<'a> {
    pub(crate) system: &'a str,
    pub(crate) user: String,
    pub(crate) schema: Value,
}

impl GuardModel {
    /// Asks `model`, as its provider calls it, by `client`.
    ///
    /// # Errors
    ///
    /// [`Error::Internal`] if no runtime can be started.
    pub fn new(client: Client, model: &str) -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Error::Internal(format!("no runtime: {error}")))?;
        Ok(Self { client, model: model.to_owned(), runtime })
    }

    /// Saves what `recorder` recorded of this model's answers.
    ///
    /// # Errors
    ///
    /// [`CassetteError::File`] if it cannot be written.
    pub fn save(&self, recorder: &Recorder, path: &Path) -> Result<(), CassetteError> {
        self.block_on(recorder.save(path))
    }

    /// The answer as a value of `T`, which checks it; what it took is added to `used`.
    pub(crate) fn ask<T: DeserializeOwned>(
        &self,
        question: Question<'_>,
        used: &mut ModelUse,
    ) -> Result<T, ModelFailure> {
        let request = Request {
            model: self.model.clone(),
            system: question.system.to_owned(),
            messages: vec![ChatMessage::User(question.user)],
            schema: Some(question.schema),
            max_tokens: MOST_TOKENS,
            ..Request::default()
        };
        let reply = self.block_on(self.client.ask(&request));
        let answered = match &reply {
            Ok(reply) => Some(reply.usage),
            Err(
                ClientError::Refused { usage, .. }
                | ClientError::CutOff { usage, .. }
                | ClientError::NotJson { usage, .. }
                | ClientError::Unusable { usage, .. },
            ) => Some(*usage),
            // Nobody answered, or nobody knows what it took.
            Err(_) => None,
        };
        if let Some(usage) = answered {
            used.add(usage, self.client.cost_usd(&self.model, &usage));
        }
        reply.and_then(|reply| reply.parse::<T>()).map_err(|error| ModelFailure::from(&error))
    }

    /// Waits for a future, on another thread where this one is in a runtime.
    fn block_on<T: Send>(&self, future: impl Future<Output = T> + Send) -> T {
        if Handle::try_current().is_err() {
            return self.runtime.block_on(future);
        }
        let waited = thread::scope(|scope| scope.spawn(|| self.runtime.block_on(future)).join());
        waited.unwrap_or_else(|panic| panic::resume_unwind(panic))
    }
}
