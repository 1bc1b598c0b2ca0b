//! Who tells the stories of btl.run: a language model behind an address, or the program itself.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use monotable_btl_run::narration::{Chat, ChatSettings, Narrator};

/// The variable that holds the key of the model, unless a file does.
const KEY_VARIABLE: &str = "MONOTABLE_NARRATOR_KEY";

/// Which language model tells stories.
#[derive(Args, Clone, Debug)]
pub(crate) struct NarratorArguments {
    /// Let a language model tell btl.run's stories: the base of an OpenAI-compatible API, such as
    /// http://127.0.0.1:11434/v1; without it the program tells them itself, without a network
    #[arg(long, value_name = "URL", requires = "narrator_model")]
    narrator: Option<String>,
    /// The model to ask
    #[arg(long, value_name = "NAME", requires = "narrator")]
    narrator_model: Option<String>,
    /// The file with the key of that API [default: the variable MONOTABLE_NARRATOR_KEY]
    #[arg(long, value_name = "FILE", requires = "narrator")]
    narrator_key: Option<PathBuf>,
}

impl NarratorArguments {
    /// The language model, if one is asked for.
    pub(crate) fn read(&self) -> Result<Option<Arc<dyn Narrator>>> {
        let (Some(url), Some(model)) = (&self.narrator, &self.narrator_model) else {
            return Ok(None);
        };
        let settings = ChatSettings::new(url, model);
        let settings = match &self.narrator_key {
            Some(file) => settings.key_from_file(file)?,
            None => settings.key_from_environment(KEY_VARIABLE),
        };
        Ok(Some(Arc::new(Chat::new(settings)?)))
    }
}
