//! A model that answers in JSON.

use std::panic;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::de::DeserializeOwned;
use serde_json::Value;
use slopbench_gateway::cassette::CassetteError;
use slopbench_gateway::client::{ChatMessage, Client, ClientError, Request};
use slopbench_gateway::server::Recorder;
use slopbench_gateway::turn::TokenUsage;
use tokio::runtime::{Builder, Handle, Runtime};

use super::failure::{ModelFailure, ModelFailureKind, ModelUse};
use crate::Error;

/// The most tokens of an answer, reasoning included.
const MOST_TOKENS: u32 = 16_000;

/// A model that a guard asks. It may be used within a runtime and without one.
#[derive(Debug)]
pub struct GuardModel {
    client: Client,
    model: String,
    /// There until it is dropped.
    runtime: Option<Runtime>,
    budget_usd: Option<f64>,
    spent_usd: Mutex<f64>,
}

impl Drop for GuardModel {
    /// Where somebody's runtime is at work, none may be waited for.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
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
        let (model, runtime, spent_usd) = (model.to_owned(), Some(runtime), Mutex::default());
        Ok(Self { client, model, runtime, budget_usd: None, spent_usd })
    }

    /// The same, which is not asked what may cost more, together with what it was asked before, than so many US dollars.
    #[must_use]
    pub fn with_budget(mut self, budget_usd: Option<f64>) -> Self {
        self.budget_usd = budget_usd;
        self
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
        self.afford(&request)?;
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
            let cost = self.client.cost_usd(&self.model, &usage);
            used.add(usage, cost);
            *self.spent_usd.lock().unwrap_or_else(PoisonError::into_inner) += cost.unwrap_or_default();
        }
        reply.and_then(|reply| reply.parse::<T>()).map_err(|error| ModelFailure::from(&error))
    }

    /// Whether the budget has what the request may cost at most: text may be written so that each byte is a token.
    fn afford(&self, request: &Request) -> Result<(), ModelFailure> {
        let Some(limit) = self.budget_usd else { return Ok(()) };
        let over = |message: String| Err(ModelFailure::new(ModelFailureKind::Budget, message));
        let schema = request.schema.as_ref().map_or(0, |schema| schema.to_string().len());
        let said = request.messages.iter().map(|message| match message {
            ChatMessage::User(text) | ChatMessage::Assistant { text, .. } => text.len(),
            ChatMessage::ToolResult { content, .. } => content.len(),
        });
        let input = (request.system.len() + schema + said.sum::<usize>()) as u64;
        let most = TokenUsage { input, output: u64::from(request.max_tokens), ..TokenUsage::default() };
        let spent = *self.spent_usd.lock().unwrap_or_else(PoisonError::into_inner);
        match self.client.cost_usd(&self.model, &most) {
            None => over(format!("{} has no price, so no budget can be kept to", self.model)),
            Some(next) if spent + next > limit => {
                over(format!("the next call may cost ${next:.4}, and ${spent:.4} of ${limit:.4} are spent"))
            }
            Some(_) => Ok(()),
        }
    }

    /// Waits for a future, on another thread where this one is in a runtime.
    fn block_on<T: Send>(&self, future: impl Future<Output = T> + Send) -> T {
        let Some(runtime) = &self.runtime else { unreachable!("only who drops it takes it") };
        if Handle::try_current().is_err() {
            return runtime.block_on(future);
        }
        let waited = thread::scope(|scope| scope.spawn(|| runtime.block_on(future)).join());
        waited.unwrap_or_else(|panic| panic::resume_unwind(panic))
    }
}
