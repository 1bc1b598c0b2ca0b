//! Asking a narrator within the budget of a match, and doing without it.

use std::time::Duration;

use monotable::model::rows::{Held, Lock};

use super::LEASE;
use crate::app::App;
use crate::budget;
use crate::ids::MatchId;
use crate::narration::{Offline, Prompt, Reply, Silent, read_refused, read_reply};

/// How long a narrator may take, whatever it says about itself.
const ANSWER_MAX: Duration = Duration::from_secs(25);

/// A narrator that is asked about a match.
pub(super) struct Asking<'a> {
    pub(super) app: &'a App,
    pub(super) match_id: &'a MatchId,
    pub(super) lock: (&'a Lock, &'a Held),
}

/// A story, and what it cost.
pub(super) struct Told {
    pub(super) narration: String,
    pub(super) tags: Vec<String>,
    /// Whether the service told it because its narrator could not.
    pub(super) is_fallback: bool,
    pub(super) tokens_used: u64,
}

impl Asking<'_> {
    /// The story that a prompt asks for: the narrator's, or else one of our own.
    pub(super) async fn story(&self, mut prompt: Prompt) -> Told {
        let mut tokens_used = self.judge_quotes(&mut prompt).await;
        for is_strict in [false, true] {
            prompt.is_strict = is_strict;
            let Some(reply) = self.ask(&prompt, &mut tokens_used).await else { break };
            if let Ok((narration, tags)) = read_reply(&reply.text) {
                return Told { narration, tags, is_fallback: false, tokens_used };
            }
        }
        Told {
            narration: Offline::tell(&prompt),
            tags: Offline::tags(&prompt).into_iter().map(str::to_owned).collect(),
            is_fallback: true,
            tokens_used,
        }
    }

    /// Leaves out what players must not have written; all of it, if nobody can tell.
    async fn judge_quotes(&self, prompt: &mut Prompt) -> u64 {
        let mut tokens_used = 0;
        if prompt.quotes.is_empty() {
            return tokens_used;
        }
        let reply = self.ask(&prompt.of_quotes(), &mut tokens_used).await;
        match reply.map(|reply| read_refused(&reply.text)) {
            Some(Ok(refused)) => {
                let mut places = 0..;
                prompt.quotes.retain(|_| places.next().is_some_and(|at| !refused.contains(&at)));
            }
            _ => prompt.quotes.clear(),
        }
        tokens_used
    }

    /// A reply, if there are tokens for it and the narrator gives one.
    async fn ask(&self, prompt: &Prompt, tokens_used: &mut u64) -> Option<Reply> {
        let Self { app, match_id, lock: (lock, held) } = self;
        let tokens_max = app.narrator.tokens_max(prompt);
        let reserved = match tokens_max {
            // What costs nothing needs no budget.
            0 => None,
            _ => Some(budget::reserve(app, match_id, tokens_max).await.ok()??),
        };
        // Only so that nobody asks for the same story meanwhile.
        let _ = app.db.run(lock.extend(&held.token, LEASE)).await;
        let asked = tokio::time::timeout(ANSWER_MAX, app.narrator.ask(prompt)).await;
        let reply = asked.unwrap_or_else(|_| {
            Err(Silent { reason: "it took too long".to_owned(), tokens_used: tokens_max })
        });
        let used = match &reply {
            Ok(reply) => reply.tokens_used,
            Err(silent) => silent.tokens_used,
        };
        *tokens_used += used;
        app.narration.silences.add(u64::from(reply.is_err()));
        if let Some(reserved) = reserved {
            // What can't be settled now ends by itself, as if its owner had died.
            let _ = budget::settle(app, reserved, used).await;
        }
        reply.ok()
    }
}
