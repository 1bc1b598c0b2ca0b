//! Requests to a narrator within the budget of a match, and fallbacks without it.

use std::time::Duration;

use monotable::model::rows::Held;
use monotable_kit::{CallCounters as _, CallLimit};

use crate::app::App;
use crate::jobs::budget;
use crate::rules::narration::{Offline, Prompt, Reply, Silent, read_refused, read_reply};
use crate::table::MatchId;

/// The rate limit of calls to a model for one match.
const QUESTIONS: CallLimit = CallLimit::per_minute("askai", 10);
/// The maximum time of a narrator, whatever its own setting.
const ANSWER_MAX: Duration = Duration::from_secs(25);

/// The narrator of a match.
pub(super) struct Asking<'a> {
    app: &'a App,
    match_id: &'a MatchId,
    held: &'a Held,
    /// Whether this story counts towards the rate limit of the match.
    is_counted: bool,
    /// What was used so far.
    pub(super) tokens_used: u64,
}

/// A story.
pub(super) struct WrittenStory {
    pub(super) narration: String,
    pub(super) tags: Vec<String>,
    /// Whether the service wrote it itself because its narrator failed.
    pub(super) is_fallback: bool,
}

/// The rate limit is exceeded: the stories of the match come later.
pub(super) struct TooSoon;

impl<'a> Asking<'a> {
    pub(super) fn new(app: &'a App, match_id: &'a MatchId, held: &'a Held) -> Self {
        Self { app, match_id, held, is_counted: false, tokens_used: 0 }
    }

    /// Returns the story for a prompt: the narrator's, or else one of our own.
    pub(super) async fn story(&mut self, mut prompt: Prompt) -> Result<WrittenStory, TooSoon> {
        self.judge_quotes(&mut prompt).await?;
        if let Some((narration, tags)) = self.text(&mut prompt).await? {
            return Ok(WrittenStory { narration, tags, is_fallback: false });
        }
        Ok(WrittenStory {
            narration: Offline::write(&prompt),
            tags: Offline::tags(&prompt).into_iter().map(str::to_owned).collect(),
            is_fallback: true,
        })
    }

    /// Returns a language model's version of a text that the program has written itself; `None`
    /// without a model or a usable reply.
    pub(super) async fn refined(&mut self, mut prompt: Prompt) -> Option<(String, Vec<String>)> {
        let has_model = self.app.narrator.tokens_max(&prompt) > 0;
        if has_model { self.text(&mut prompt).await.unwrap_or(None) } else { None }
    }

    /// Returns the narrator's text, requested a second time if the first is unusable.
    async fn text(
        &mut self,
        prompt: &mut Prompt,
    ) -> Result<Option<(String, Vec<String>)>, TooSoon> {
        for is_strict in [false, true] {
            prompt.is_strict = is_strict;
            let Some(reply) = self.ask(prompt).await? else { break };
            if let Ok(text) = read_reply(&reply.text) {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    /// Removes quotes that violate the rules; all of them, if they cannot be judged.
    async fn judge_quotes(&mut self, prompt: &mut Prompt) -> Result<(), TooSoon> {
        if prompt.quotes.is_empty() {
            return Ok(());
        }
        let reply = self.ask(&prompt.of_quotes()).await?;
        match reply.map(|reply| read_refused(&reply.text)) {
            Some(Ok(refused)) => {
                let mut places = 0..;
                prompt.quotes.retain(|_| places.next().is_some_and(|at| !refused.contains(&at)));
            }
            _ => prompt.quotes.clear(),
        }
        Ok(())
    }

    /// Returns a reply, if there are tokens for it and the narrator responds. A narrator without
    /// costs needs neither a budget nor the rate limit.
    async fn ask(&mut self, prompt: &Prompt) -> Result<Option<Reply>, TooSoon> {
        let (app, match_id) = (self.app, self.match_id);
        let tokens_max = app.narrator.tokens_max(prompt);
        let mut reserved = None;
        if tokens_max > 0 {
            reserved = budget::reserve(app, match_id, tokens_max).await.unwrap_or(None);
            if reserved.is_none() {
                return Ok(None);
            }
        }
        if let Some(reservation) = reserved.take_if(|_| !self.is_counted) {
            if app.db.count(QUESTIONS, match_id.as_str()).await.is_err() {
                // A reservation that can't be settled now ends by itself, as if its owner had died.
                let _ = budget::settle(app, reservation, 0).await;
                return Err(TooSoon);
            }
            self.is_counted = true;
            reserved = Some(reservation);
        }
        // Extended so that no other process requests the same story in the meantime.
        let _ = app.kv.extend(match_id, self.held).await;
        let asked = tokio::time::timeout(ANSWER_MAX, app.narrator.ask(prompt)).await;
        let reply = asked.unwrap_or_else(|_| {
            Err(Silent { reason: "it took too long".to_owned(), tokens_used: tokens_max })
        });
        let used = match &reply {
            Ok(reply) => reply.tokens_used,
            Err(silent) => silent.tokens_used,
        };
        app.narration.silences.add(u64::from(reply.is_err()));
        self.tokens_used += match reserved {
            Some(reserved) => budget::settle(app, reserved, used).await.unwrap_or(used),
            None => used,
        };
        Ok(reply.ok())
    }
}
