//! One question, asked until there is a verdict or none can be had.

use slopbench_gateway::{
    client::{ChatMessage, Client, ClientError, Request},
    turn::{TokenUsage, ToolCall},
};

use crate::{
    budget::JudgeBudget,
    error::JudgeError,
    estimate,
    inspector::{InspectionCall, Inspector},
    outcome::NotJudged,
    prompt::{FilledPrompt, VERDICT_ALONE},
    question::Question,
    reading,
    settings::JudgeSettings,
    tree::JudgedTree,
};

/// Who is asked, and at whose expense.
#[derive(Clone, Copy)]
pub(crate) struct Asking<'a> {
    pub(crate) client: &'a Client,
    pub(crate) budget: &'a JudgeBudget,
}

/// What a conversation came to.
pub(crate) struct Conversation<A> {
    pub(crate) verdict: Result<A, NotJudged>,
    pub(crate) asked_again: Option<NotJudged>,
    pub(crate) calls: Vec<InspectionCall>,
    pub(crate) spent: Spending,
}

/// What the requests took.
pub(crate) struct Spending {
    pub(crate) requests: u32,
    pub(crate) usage: TokenUsage,
    pub(crate) cost_usd: Option<f64>,
}

/// What a model says in one turn.
struct Said {
    text: String,
    calls: Vec<ToolCall>,
    /// Why that is no verdict, if the provider says so.
    flaw: Option<NotJudged>,
}

/// The first request of a conversation.
pub(crate) fn first_request(prompt: &FilledPrompt, has_tree: bool, settings: &JudgeSettings, vote: u32) -> Request {
    Request {
        model: settings.model.clone(),
        system: prompt.system.clone(),
        messages: vec![ChatMessage::User(prompt.user.clone())],
        tools: if has_tree { Inspector::tools() } else { Vec::new() },
        forbid_calls: false,
        schema: Some(prompt.schema.clone()),
        temperature: settings.temperature,
        seed: settings.seed.map(|seed| seed.wrapping_add(u64::from(vote))),
        max_tokens: settings.max_tokens,
    }
}

/// Asks a question. Where there is no verdict, and at the first look too many, the model is asked once more for the verdict
/// alone: then what it says is the verdict, or there is none.
pub(crate) async fn hold<Q: Question>(
    question: &Q,
    mut request: Request,
    tree: Option<(&JudgedTree, u32)>,
    asking: Asking<'_>,
) -> Result<Conversation<Q::Answer>, JudgeError> {
    let mut spent = Spending { requests: 0, usage: TokenUsage::default(), cost_usd: Some(0.0) };
    let mut inspector = tree.map(|(tree, calls)| Inspector::new(tree, calls));
    let mut earlier = String::new();
    let flaw = loop {
        let said = asking.turn(&request, &mut spent).await?;
        let last = said.text.clone();
        request.messages.push(ChatMessage::Assistant { text: said.text, calls: said.calls.clone() });
        let results = said.calls.iter().map(|call| ChatMessage::ToolResult {
            id: call.id.clone(),
            name: call.name.clone(),
            content: inspector
                .as_mut()
                .map_or_else(|| "-- there is nothing to look into\n".to_owned(), |one| one.look(call)),
        });
        request.messages.extend(results);
        match (said.flaw, &inspector) {
            (Some(flaw), _) => break flaw,
            (None, Some(inspector)) if inspector.is_over() => {
                break NotJudged::CallsSpent { calls: inspector.used() };
            }
            (None, Some(_)) if !said.calls.is_empty() => {
                earlier.push_str(&last);
                earlier.push('\n');
                continue;
            }
            _ => {}
        }
        match reading::verdict(question, &earlier, &last) {
            Ok(answer) => {
                let calls = inspector.map_or(Vec::new(), Inspector::into_calls);
                return Ok(Conversation { verdict: Ok(answer), asked_again: None, calls, spent });
            }
            Err(flaw) => break flaw,
        }
    };
    request.messages.push(ChatMessage::User(VERDICT_ALONE.to_owned()));
    request.forbid_calls = true;
    let said = asking.turn(&request, &mut spent).await?;
    let verdict = match said.flaw {
        Some(flaw) => Err(flaw),
        None if said.calls.is_empty() => reading::verdict(question, "", &said.text),
        None => Err(NotJudged::CallsSpent { calls: inspector.as_ref().map_or(0, Inspector::used) }),
    };
    let calls = inspector.map_or(Vec::new(), Inspector::into_calls);
    Ok(Conversation { verdict, asked_again: Some(flaw), calls, spent })
}

impl Asking<'_> {
    /// Sends one request, if the budget has room for it.
    async fn turn(self, request: &Request, spent: &mut Spending) -> Result<Said, JudgeError> {
        let most = estimate::request(estimate::most_tokens(request), request.max_tokens);
        let reserved = self.budget.reserve(&request.model, self.client.cost_usd(&request.model, &most))?;
        let (said, usage) = match self.client.ask(request).await {
            Ok(reply) => (Said { text: reply.text, calls: reply.calls, flaw: None }, reply.usage),
            Err(ClientError::NotJson { text, usage, .. }) => (Said { text, calls: Vec::new(), flaw: None }, usage),
            Err(ClientError::CutOff { text, usage }) => {
                (Said { text, calls: Vec::new(), flaw: Some(NotJudged::CutOff) }, usage)
            }
            Err(ClientError::Refused { reason, usage }) => {
                let flaw = Some(NotJudged::Refused { reason });
                (Said { text: String::new(), calls: Vec::new(), flaw }, usage)
            }
            Err(ClientError::Unusable { reason, usage }) => {
                let flaw = Some(NotJudged::Malformed { flaw: reason });
                (Said { text: String::new(), calls: Vec::new(), flaw }, usage)
            }
            Err(error) => return Err(error.into()),
        };
        let cost = self.client.cost_usd(&request.model, &usage);
        reserved.pay(cost);
        spent.requests += 1;
        spent.usage += usage;
        spent.cost_usd = spent.cost_usd.zip(cost).map(|(sum, cost)| sum + cost);
        Ok(said)
    }
}
