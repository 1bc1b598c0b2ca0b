//! Who tells the stories of btl.run: a language model behind an address, or the program itself.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use monotable_btl_run::app::TOKENS_MAX;
use monotable_btl_run::narration::{Chat, ChatSettings, Narrator};

/// The variable that holds the key of the model, unless a file does.
const KEY_VARIABLE: &str = "MONOTABLE_NARRATOR_KEY";

// Which language model writes stories.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Narration")]
pub(crate) struct NarratorArguments {
    /// Let a language model write btl.run's stories: the base of an OpenAI-compatible API, such as
    /// http://127.0.0.1:11434/v1. Without it the program writes them itself, without a network
    #[arg(long, value_name = "URL", requires = "narrator_model")]
    narrator: Option<String>,
    /// The name of the model
    #[arg(long, value_name = "NAME", requires = "narrator")]
    narrator_model: Option<String>,
    /// The file with the key of that API [default: the variable MONOTABLE_NARRATOR_KEY]
    #[arg(long, value_name = "FILE", requires = "narrator")]
    narrator_key: Option<PathBuf>,
    /// The tokens that the model may use in one match [default: 50000]
    #[arg(long, value_name = "NUMBER", requires = "narrator")]
    narrator_tokens: Option<u64>,
}

/// Who tells the stories, and at what cost.
#[derive(Clone)]
pub(crate) struct Narration {
    /// The language model, if there is one.
    pub(crate) narrator: Option<Arc<dyn Narrator>>,
    /// The tokens that it may use in one match.
    pub(crate) tokens_max: u64,
}

impl NarratorArguments {
    /// Who tells the stories.
    pub(crate) fn read(&self) -> Result<Narration> {
        let tokens_max = self.narrator_tokens.unwrap_or(TOKENS_MAX);
        Ok(Narration { narrator: self.model()?, tokens_max })
    }

    fn model(&self) -> Result<Option<Arc<dyn Narrator>>> {
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a broken expectation is a failed test")]
mod tests {
    use clap::Parser;

    use super::{NarratorArguments, TOKENS_MAX};

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        narrator: NarratorArguments,
    }

    fn tokens(more: &[&str]) -> Result<u64, String> {
        let arguments = [&["monotable"], more].concat();
        let command = Command::try_parse_from(arguments).map_err(|error| error.to_string())?;
        Ok(command.narrator.read().unwrap().tokens_max)
    }

    #[test]
    fn the_tokens_of_a_match_can_be_set() {
        let model = ["--narrator", "http://127.0.0.1:1", "--narrator-model", "m"];
        assert_eq!(tokens(&model), Ok(TOKENS_MAX));
        let set = [&model[..], &["--narrator-tokens", "1200"]].concat();
        assert_eq!(tokens(&set), Ok(1_200));
        let text = tokens(&["--narrator-tokens", "1200"]).unwrap_err();
        assert!(text.contains("--narrator <URL>"), "{text}");
    }
}
