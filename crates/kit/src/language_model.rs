//! Language models: what a service asks one, within which budget, and what it does without a reply.
//!
//! A model only words things. What it says is checked before anybody reads it, and a service always has words of its
//! own for when there is no model, when it is silent, or when its budget is used up.

mod asking;
mod budget;

use std::future::Future;
use std::pin::Pin;

pub use self::asking::{Asking, Judgement};
pub use self::budget::{CountsTokens, TokenBudget};

/// Tokens that a server adds to what it gets, for roles and the like.
const FRAME_TOKENS: u64 = 64;

/// What a model is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it is to do, in our own words. Texts of people are never part of it.
    pub instruction: String,
    /// What people and the model have said, the latest last. Facts are data in the text of a person.
    pub turns: Vec<Turn>,
    /// Tokens of the reply at most.
    pub tokens_max: u64,
    /// What the reply must be.
    pub form: ReplyForm,
}

/// A text of a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose text it is.
    pub speaker: Speaker,
    /// The text.
    pub text: String,
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A person, or a program that gives the facts.
    Person,
    /// The model.
    Model,
}

/// What a reply must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyForm {
    /// Plain text.
    Text,
    /// One JSON object.
    Json,
}

impl Question {
    /// Returns what asking can cost at most: no token stands for less than a byte.
    pub fn cost_max(&self) -> u64 {
        let turns = self.turns.iter().map(|turn| turn.text.len()).sum::<usize>();
        let bytes = u64::try_from(self.instruction.len() + turns).unwrap_or(u64::MAX / 4);
        let frames = FRAME_TOKENS * u64::try_from(self.turns.len().max(1)).unwrap_or(1);
        bytes + frames + self.tokens_max
    }
}

/// A text, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text, which nobody has checked.
    pub text: String,
    /// The tokens that it cost.
    pub tokens_used: u64,
}

/// A model that gave no text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the language model gave no text: {reason}")]
pub struct Silent {
    /// Why. It contains no secret and no text of anybody.
    pub reason: String,
    /// What it may have cost all the same.
    pub tokens_used: u64,
}

/// A reply that comes in time.
pub type Asked<'a> = Pin<Box<dyn Future<Output = Result<Reply, Silent>> + Send + 'a>>;

/// A model that can be asked.
pub trait LanguageModel: Send + Sync {
    /// Asks for a text.
    fn ask<'a>(&'a self, question: &'a Question) -> Asked<'a>;
}
