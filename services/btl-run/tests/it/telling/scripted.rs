//! A narrator that says what it was told to, and remembers what it was asked.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Mutex;

use monotable_btl_run::rules::narration::{Asked, Narrator, Prompt, Purpose, Reply, Silent};
use serde_json::json;

type Answer = Result<Reply, Silent>;

#[derive(Default)]
pub(super) struct Scripted {
    /// What is said next; behind that, a story.
    replies: Mutex<VecDeque<Answer>>,
    prompts: Mutex<Vec<Prompt>>,
    /// What happens while the next question is thought about.
    meanwhile: Mutex<Option<Pin<Box<dyn Future<Output = ()> + Send>>>>,
    cost: u64,
    is_stuck: bool,
}

impl Scripted {
    /// Each story costs so much.
    pub(super) fn costing(cost: u64) -> Self {
        Self { cost, ..Self::default() }
    }

    /// Never says anything.
    pub(super) fn never() -> Self {
        Self { is_stuck: true, ..Self::default() }
    }

    pub(super) fn reply(&self, reply: Answer) {
        self.replies.lock().unwrap().push_back(reply);
    }

    pub(super) fn meanwhile(&self, doing: impl Future<Output = ()> + Send + 'static) {
        *self.meanwhile.lock().unwrap() = Some(Box::pin(doing));
    }

    pub(super) fn prompts(&self) -> Vec<Prompt> {
        self.prompts.lock().unwrap().clone()
    }

    /// Returns what was asked for the stories of turns.
    pub(super) fn of_stories(&self) -> Vec<Prompt> {
        let is_story =
            |prompt: &Prompt| !matches!(prompt.purpose, Purpose::Memory | Purpose::Summary);
        self.prompts().into_iter().filter(is_story).collect()
    }
}

impl Narrator for Scripted {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        self.prompts.lock().unwrap().push(prompt.clone());
        let scripted = self.replies.lock().unwrap().pop_front();
        let meanwhile = self.meanwhile.lock().unwrap().take();
        Box::pin(async move {
            if let Some(meanwhile) = meanwhile {
                meanwhile.await;
            }
            tokio::task::yield_now().await;
            if self.is_stuck {
                std::future::pending::<()>().await;
            }
            match (scripted, prompt.purpose) {
                (Some(scripted), _) => scripted,
                (None, Purpose::Moderation) => {
                    let text = json!({ "refused": [] }).to_string();
                    Ok(Reply { text, tokens_used: self.cost })
                }
                (None, _) => story(self.cost),
            }
        })
    }
}

/// Returns a story that can be used.
pub(super) fn story(tokens_used: u64) -> Answer {
    let text = json!({ "narration": "The night is long, and longer for some.", "tags": ["night"] });
    Ok(Reply { text: text.to_string(), tokens_used })
}

/// Returns a reply that can't.
pub(super) fn garbage(tokens_used: u64) -> Answer {
    Ok(Reply { text: "Sure! Here is your story:".to_owned(), tokens_used })
}

/// No reply.
pub(super) fn silence(tokens_used: u64) -> Answer {
    Err(Silent { reason: "it sulks".to_owned(), tokens_used })
}
