//! Language models: requests, budgets, and fallbacks without a reply.
//!
//! A model only words things. Its reply is checked before anyone reads it, and a service always has
//! a text of its own for when there is no model, when it doesn't reply, or when its budget is used
//! up.

mod asking;
mod budget;

use std::future::Future;
use std::pin::Pin;

pub use self::asking::{Asking, Judgement};
pub use self::budget::{CountsTokens, TokenBudget};

/// Tokens that a server adds to a request, for roles and the like.
const FRAME_TOKENS: u64 = 64;

/// A request to a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The task, in our own words. It never contains texts of users.
    pub instruction: String,
    /// The conversation of users and the model, the latest turn last. Facts are data in the text of
    /// a user.
    pub turns: Vec<Turn>,
    /// Tokens of the reply at most.
    pub tokens_max: u64,
    /// The required form of the reply.
    pub form: ReplyForm,
}

/// A text in a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The author of the text.
    pub speaker: Speaker,
    /// The text.
    pub text: String,
}

/// The author of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A user, or a program that supplies the facts.
    Person,
    /// The model.
    Model,
}

/// The form of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// Plain text.
    Text,
    /// One JSON object.
    Json,
}

impl Question {
    /// Returns the maximum cost of the request: every token stands for at least one byte.
    pub fn cost_max(&self) -> u64 {
        let turns = self.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        let bytes = u64::try_from(self.instruction.len() + turns).unwrap_or(u64::MAX / 4);
        let frames = FRAME_TOKENS * u64::try_from(self.turns.len().max(1)).unwrap_or(1);
        bytes + frames + self.tokens_max
    }
}

/// A text and its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text, unchecked.
    pub text: String,
    /// The tokens that were used.
    pub tokens_used: u64,
}

/// A model returned no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the language model returned no text: {reason}")]
pub struct Silent {
    /// The reason, without secrets and texts of users.
    pub reason: String,
    /// The tokens that may have been used nevertheless.
    pub tokens_used: u64,
}

/// The future of a reply.
pub type Asked<'a> = Pin<Box<dyn Future<Output = Result<Reply, Silent>> + Send + 'a>>;

/// A language model.
pub trait LanguageModel: Send + Sync {
    /// Requests a text.
    fn ask<'a>(&'a self, question: &'a Question) -> Asked<'a>;
}
