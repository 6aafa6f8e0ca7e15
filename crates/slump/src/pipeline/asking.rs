//! Who is asked, and how often.

use std::{num::NonZeroU32, path::Path, sync::Arc};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use slopbench_digest::Sha256;
use slopbench_gateway::{
    client::{ChatMessage, Client, ClientError, Request},
    server::Recorder,
    turn::TokenUsage,
};
use slopbench_judge::{JudgeBudget, JudgeError, JudgingEstimate};
use tokio::runtime::{Builder, Runtime};

use super::{
    error::PipelineError,
    flaw::AnswerFlaw,
    prompt::{AGAIN, SYSTEM},
    stage::StageStep,
};
use crate::Error;

/// How many flaws a model is told of at once.
const MOST_TOLD: usize = 20;

/// Who is asked, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PipelineSettings {
    /// The provider, as the catalogue calls it, or the script in its place.
    pub provider: String,
    /// What its provider calls the model.
    pub model: String,
    /// How much chance there is; what the provider thinks best where nothing is said.
    pub temperature: Option<f64>,
    /// The most tokens of one answer, reasoning included.
    pub max_tokens: u32,
}

impl PipelineSettings {
    /// The same where a script answers in the model's place: what it says is no word of the model's.
    #[must_use]
    pub fn of_script(self, script: &[u8]) -> Self {
        Self { provider: format!("script:{}", Sha256::of(script)), ..self }
    }

    /// The model with its provider.
    pub fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }
}

/// A model that makes tasks.
#[derive(Debug)]
pub struct PipelineModel {
    pub(super) client: Client,
    pub(super) settings: PipelineSettings,
    pub(super) budget: Arc<JudgeBudget>,
    pub(super) attempts: NonZeroU32,
    pub(super) runtime: Runtime,
}

/// What is asked in a step.
pub(super) struct StageQuestion<'a, A> {
    pub(super) step: StageStep,
    pub(super) prompt: String,
    pub(super) schema: Value,
    pub(super) check: &'a dyn Fn(&A) -> Vec<AnswerFlaw>,
}

/// An answer that can be used, and what it took.
pub(super) struct StageAnswer<A> {
    pub(super) answer: A,
    pub(super) refused: Vec<Vec<AnswerFlaw>>,
    pub(super) usage: TokenUsage,
}

impl PipelineModel {
    /// A model that is asked through `client`, at most `attempts` times for one answer. A scripted one says what its script says, and no more.
    ///
    /// # Errors
    ///
    /// [`Error::Runtime`] if the machine gives no runtime to ask in.
    pub fn new(
        client: Client,
        settings: PipelineSettings,
        budget: Arc<JudgeBudget>,
        attempts: NonZeroU32,
    ) -> Result<Self, Error> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Error::Runtime)?;
        Ok(Self { client: client.by_the_script(), settings, budget, attempts, runtime })
    }

    /// Writes what was recorded.
    ///
    /// # Errors
    ///
    /// [`Error::Cassette`] if it cannot be written.
    pub fn save(&self, recorder: &Recorder, path: &Path) -> Result<(), Error> {
        Ok(self.runtime.block_on(recorder.save(path))?)
    }

    /// What it spends from.
    pub fn budget(&self) -> &JudgeBudget {
        &self.budget
    }

    /// The first request of a step.
    pub(super) fn request(&self, prompt: String, schema: Value) -> Request {
        Request {
            model: self.settings.model.clone(),
            system: SYSTEM.to_owned(),
            messages: vec![ChatMessage::User(prompt)],
            schema: Some(schema),
            temperature: self.settings.temperature,
            seed: Some(0),
            max_tokens: self.settings.max_tokens,
            ..Request::default()
        }
    }

    /// Asks, and asks again where the answer cannot be used.
    pub(super) async fn ask<A: DeserializeOwned>(
        &self,
        question: StageQuestion<'_, A>,
    ) -> Result<StageAnswer<A>, Error> {
        let StageQuestion { step, prompt, schema, check } = question;
        let mut request = self.request(prompt, schema);
        let (mut refused, mut usage) = (Vec::new(), TokenUsage::default());
        for _ in 0..self.attempts.get() {
            let (text, said) = self.turn(&request, &mut usage).await?;
            let flaws = match said.and_then(|()| read::<A>(&text)) {
                Ok(answer) => match check(&answer) {
                    flaws if flaws.is_empty() => return Ok(StageAnswer { answer, refused, usage }),
                    flaws => flaws,
                },
                Err(flaw) => vec![flaw],
            };
            request.messages.push(ChatMessage::Assistant { text, calls: Vec::new() });
            let told: String = flaws.iter().take(MOST_TOLD).map(|flaw| format!("- {flaw}\n")).collect();
            request.messages.push(ChatMessage::User([AGAIN[0], &told, AGAIN[1]].concat()));
            refused.push(flaws);
        }
        let flaws = refused.pop().unwrap_or_default();
        Err(PipelineError::Answer { step, attempts: self.attempts.get(), flaws }.into())
    }

    /// What the model says in one turn, and why that is no answer, if its provider says so.
    async fn turn(&self, request: &Request, usage: &mut TokenUsage) -> Result<(String, Result<(), AnswerFlaw>), Error> {
        let most = self.client.cost_usd(&request.model, &JudgingEstimate::of_request(request));
        let reserved = self.budget.reserve(&request.model, most)?;
        let none = |message: String| Err(AnswerFlaw::at("", message));
        let (text, said, used) = match self.client.ask(request).await {
            Ok(reply) => (reply.text, Ok(()), reply.usage),
            Err(ClientError::NotJson { text, usage, .. }) => (text, Ok(()), usage),
            Err(ClientError::CutOff { text, usage }) => {
                let message =
                    format!("the answer is cut off after {} tokens; expected all of it, at less length", usage.output);
                (text, none(message), usage)
            }
            Err(ClientError::Refused { reason, usage }) => {
                (String::new(), none(format!("the model refuses to answer: {reason}")), usage)
            }
            Err(ClientError::Unusable { reason, usage }) => (String::new(), none(reason), usage),
            Err(error) => return Err(JudgeError::from(error).into()),
        };
        reserved.pay(self.client.cost_usd(&request.model, &used));
        *usage += used;
        Ok((text, said))
    }
}

/// The JSON object in an answer, which may have words around it, as a value of its type.
fn read<A: DeserializeOwned>(text: &str) -> Result<A, AnswerFlaw> {
    let Some(start) = text.find('{') else {
        return Err(AnswerFlaw::at("", "no JSON in it; expected one JSON object"));
    };
    let value = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>().next();
    let value = match value {
        Some(Ok(value)) => value,
        Some(Err(error)) if error.is_eof() => {
            return Err(AnswerFlaw::at("", format!("the JSON breaks off: {error}; expected all of it")));
        }
        Some(Err(error)) => return Err(AnswerFlaw::at("", format!("no JSON: {error}"))),
        None => return Err(AnswerFlaw::at("", "no JSON in it; expected one JSON object")),
    };
    serde_path_to_error::deserialize(value)
        .map_err(|error| AnswerFlaw::at(error.path().to_string(), error.inner().to_string()))
}
