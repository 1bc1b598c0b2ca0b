//! A language model as a narrator: the requests about a match.

mod wording;

use std::sync::Arc;

pub use monotable_host::ChatSettings;
use monotable_host::RemoteError;
use monotable_kit::language_model::{LanguageModel, Question, ReplyForm, Speaker, Turn};

use self::wording::{instruction, material};
use crate::rules::narration::{Asked, Narrator, Prompt};

/// A narrator that uses a language model.
pub struct Chat {
    model: Arc<dyn LanguageModel>,
}

impl Chat {
    /// Creates the narrator with these settings.
    ///
    /// # Errors
    ///
    /// Fails if the settings are invalid.
    pub fn new(settings: ChatSettings) -> Result<Self, RemoteError> {
        Ok(Self::of(Arc::new(monotable_host::Chat::new(settings)?)))
    }

    /// Creates a narrator from a model.
    pub fn of(model: Arc<dyn LanguageModel>) -> Self {
        Self { model }
    }
}

impl Narrator for Chat {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        Box::pin(async move { self.model.ask(&question(prompt)).await })
    }

    fn tokens_max(&self, prompt: &Prompt) -> u64 {
        question(prompt).cost_max()
    }
}

fn question(prompt: &Prompt) -> Question {
    Question {
        instruction: instruction(prompt),
        turns: vec![Turn { speaker: Speaker::Person, text: material(prompt) }],
        tokens_max: prompt.purpose.tokens_max(),
        form: ReplyForm::Json,
    }
}
