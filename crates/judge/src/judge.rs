//! One who judges: a model that is asked, and the judgements that are kept.

use std::{num::NonZeroU32, sync::Arc};

use slopbench_digest::{Sha256, canonical};
use slopbench_gateway::client::Client;

use crate::{
    attempts::Attempts,
    budget::JudgeBudget,
    cache::JudgementCache,
    conversation::{self, Asking, Conversation},
    error::JudgeError,
    estimate::{self, JudgingEstimate},
    judgement::{JUDGEMENT_FORMAT, Judgement, JudgementKey},
    outcome::{Evidence, Outcome},
    prompt::{self, FilledPrompt},
    question::Question,
    settings::JudgeSettings,
    tree::JudgedTree,
    votes::Votes,
};

/// One who judges. What was judged once is not asked again where there is a cache.
#[derive(Debug)]
pub struct Judge {
    client: Option<Client>,
    settings: JudgeSettings,
    cache: Option<JudgementCache>,
    budget: Arc<JudgeBudget>,
    asks_again: bool,
    votes: NonZeroU32,
}

impl Judge {
    /// A judge who asks a model. Of a scripted one only what its script says is a verdict.
    pub fn new(client: Client, settings: JudgeSettings) -> Self {
        Self { client: Some(client.by_the_script()), ..Self::of(settings) }
    }

    /// A judge who knows what is kept, and asks nobody: an archive is replayed so.
    pub fn of_cache(cache: JudgementCache, settings: JudgeSettings) -> Self {
        Self { cache: Some(cache), ..Self::of(settings) }
    }

    fn of(settings: JudgeSettings) -> Self {
        Self { client: None, settings, cache: None, budget: Arc::default(), asks_again: false, votes: NonZeroU32::MIN }
    }

    /// The same, who keeps judgements.
    #[must_use]
    pub fn with_cache(self, cache: JudgementCache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// The same, who spends from a budget that others may share.
    #[must_use]
    pub fn with_budget(self, budget: Arc<JudgeBudget>) -> Self {
        Self { budget, ..self }
    }

    /// The same, who asks again what is kept without a verdict: a filter's refusal or a cut-off may be gone another time.
    #[must_use]
    pub fn asking_again(self) -> Self {
        Self { asks_again: true, ..self }
    }

    /// The same, who is asked so often what is decided by votes.
    #[must_use]
    pub fn with_votes(self, votes: NonZeroU32) -> Self {
        Self { votes, ..self }
    }

    /// How often it is asked what is decided by votes.
    pub fn vote_count(&self) -> u32 {
        self.votes.get()
    }

    /// How it is asked.
    pub fn settings(&self) -> &JudgeSettings {
        &self.settings
    }

    /// What it spends from.
    pub fn budget(&self) -> &JudgeBudget {
        &self.budget
    }

    /// What the model is asked, and what makes the judgement what it is.
    ///
    /// # Errors
    ///
    /// [`JudgeError::Template`] if the question's template cannot be filled.
    pub fn key<Q: Question>(
        &self,
        question: &Q,
        tree: Option<&JudgedTree>,
        vote: u32,
    ) -> Result<JudgementKey, JudgeError> {
        self.key_of(question, &self.filled(question, tree)?, tree, vote)
    }

    /// Judges: from the cache, or by asking the model. To be called within a tokio runtime where there is a client.
    ///
    /// # Errors
    ///
    /// [`JudgeError`] where nobody could be asked, which is no judgement and is not kept.
    pub async fn judge<Q: Question>(
        &self,
        question: &Q,
        tree: Option<&JudgedTree>,
        vote: u32,
    ) -> Result<Judgement<Q::Answer>, JudgeError> {
        let prompt = self.filled(question, tree)?;
        let key = self.key_of(question, &prompt, tree, vote)?;
        if let Some(kept) = self.kept::<Q>(&key)? {
            return Ok(kept);
        }
        let Some(client) = &self.client else { return Err(self.missing(question, &key)) };
        let request = conversation::first_request(&prompt, tree.is_some(), &self.settings, vote);
        let asking = Asking { client, budget: &self.budget };
        let looks = tree.map(|tree| (tree, self.settings.calls));
        let held = conversation::hold(question, request, looks, asking).await?;
        let judgement = judged(question, key, prompt, tree, held);
        if let Some(cache) = &self.cache {
            cache.put(&judgement)?;
        }
        Ok(judgement)
    }

    /// Judges `votes` times.
    ///
    /// # Errors
    ///
    /// As [`Judge::judge`].
    pub async fn votes<Q: Question>(
        &self,
        question: &Q,
        tree: Option<&JudgedTree>,
        votes: u32,
    ) -> Result<Votes<Q::Answer>, JudgeError> {
        let mut judgements = Vec::new();
        for vote in 0..votes {
            judgements.push(self.judge(question, tree, vote).await?);
        }
        Ok(Votes { judgements })
    }

    /// What that many votes on a question may cost at most; what is kept costs nothing.
    ///
    /// # Errors
    ///
    /// [`JudgeError`] if the question cannot be asked, or what is kept cannot be read.
    pub fn estimate<Q: Question>(
        &self,
        question: &Q,
        tree: Option<&JudgedTree>,
        votes: u32,
    ) -> Result<JudgingEstimate, JudgeError> {
        let prompt = self.filled(question, tree)?;
        let mut sum = JudgingEstimate::none();
        for vote in 0..votes {
            let key = self.key_of(question, &prompt, tree, vote)?;
            sum += if self.kept::<Q>(&key)?.is_some() {
                JudgingEstimate { questions: 1, cached: 1, ..JudgingEstimate::none() }
            } else {
                self.most(&prompt, tree.is_some())
            };
        }
        Ok(sum)
    }

    /// What is kept, and stands.
    fn kept<Q: Question>(&self, key: &JudgementKey) -> Result<Option<Judgement<Q::Answer>>, JudgeError> {
        let kept = self.cache.as_ref().map(|cache| cache.get(key)).transpose()?.flatten();
        Ok(kept.filter(|kept: &Judgement<Q::Answer>| !self.asks_again || kept.outcome.answer().is_some()))
    }

    /// One question that takes every look, each alone, and is then asked again for the verdict.
    fn most(&self, prompt: &FilledPrompt, has_tree: bool) -> JudgingEstimate {
        let looks = if has_tree { u64::from(self.settings.calls) + 1 } else { 0 };
        let first = estimate::most_tokens(&conversation::first_request(prompt, has_tree, &self.settings, 0));
        let mut sum = JudgingEstimate { questions: 1, requests: looks + 2, ..JudgingEstimate::none() };
        for turn in 0..looks + 2 {
            let more = turn * estimate::most_of_turn(self.settings.max_tokens);
            let usage = estimate::request(first + more, self.settings.max_tokens);
            sum.input_tokens += usage.input;
            sum.output_tokens += usage.output;
            let cost = self.client.as_ref().and_then(|client| client.cost_usd(&self.settings.model, &usage));
            sum.usd = sum.usd.zip(cost).map(|(sum, cost)| sum + cost);
        }
        sum
    }

    fn filled<Q: Question>(&self, question: &Q, tree: Option<&JudgedTree>) -> Result<FilledPrompt, JudgeError> {
        prompt::fill(question, tree.map(|_| self.settings.calls))
    }

    fn key_of<Q: Question>(
        &self,
        question: &Q,
        prompt: &FilledPrompt,
        tree: Option<&JudgedTree>,
        vote: u32,
    ) -> Result<JudgementKey, JudgeError> {
        Ok(JudgementKey {
            kind: question.kind().to_owned(),
            input: Sha256::of(&canonical::to_vec(&prompt.input).map_err(JudgeError::Unwritable)?),
            tree: tree.map(JudgedTree::digest),
            prompt: prompt.digest,
            settings: self.settings.clone(),
            vote,
        })
    }

    /// Why a judgement that is not kept cannot be had.
    fn missing<Q: Question>(&self, question: &Q, key: &JudgementKey) -> JudgeError {
        let kind = question.kind().to_owned();
        match (&self.cache, key.digest()) {
            (Some(cache), Ok(digest)) => {
                let (vote, cache) = (key.vote, cache.folder().to_path_buf());
                JudgeError::NotCached { kind, vote, digest: digest.to_string(), cache }
            }
            (_, Err(error)) => error,
            (None, Ok(_)) => JudgeError::Nobody { kind },
        }
    }
}

/// What is kept of a conversation.
fn judged<Q: Question>(
    question: &Q,
    key: JudgementKey,
    prompt: FilledPrompt,
    tree: Option<&JudgedTree>,
    held: Conversation<Q::Answer>,
) -> Judgement<Q::Answer> {
    let looked_up = |citation| match tree {
        Some(tree) => tree.evidence(citation),
        None => Evidence { citation, exists: false },
    };
    let (outcome, score) = match held.verdict {
        Ok(answer) => {
            let evidence = question.citations(&answer).into_iter().map(looked_up).collect();
            let score = question.score(&answer);
            (Outcome::Answered { answer, evidence }, score)
        }
        Err(reason) => (Outcome::NotJudged { reason }, None),
    };
    Judgement {
        format: JUDGEMENT_FORMAT.to_owned(),
        key,
        input: prompt.input,
        outcome,
        score,
        asked_again: held.asked_again,
        calls: held.calls,
        attempts: tree.map_or_else(Attempts::default, |tree| tree.attempts().clone()),
        left_out: tree.map_or_else(Vec::new, |tree| tree.left_out().to_vec()),
        requests: held.spent.requests,
        usage: held.spent.usage,
        cost_usd: held.spent.cost_usd,
    }
}
