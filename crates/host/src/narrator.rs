//! The language model of services, as options: it narrates and writes the replies of characters.

use std::sync::Arc;

use monotable_kit::language_model::LanguageModel;

use crate::chat::{Chat, ChatSettings};
use crate::error::BoxError;
use crate::option::{OptionValues, ServiceOption};
use crate::remote::RemoteSecret;

/// The options, which several services share.
const URL: &str = "narrator";
const MODEL: &str = "narrator-model";
const KEY: &str = "narrator-key";
/// The heading that the options are listed under.
const HEADING: &str = "Narration";
/// The variable with the key of the model, unless it is in a file.
const KEY_VARIABLE: &str = "MONOTABLE_NARRATOR_KEY";

/// Returns the options of a service with a narrator, and one for the tokens that it may use.
pub fn narrator_options(tokens: ServiceOption) -> Vec<ServiceOption> {
    let url = ServiceOption::new(
        URL,
        "URL",
        "Use a language model for the stories of btl.run and the characters of ScavengerHunt: the base URL of an OpenAI-compatible API, such as http://127.0.0.1:11434/v1. Without it the program writes the texts itself, and needs no network",
    );
    let model = ServiceOption::new(MODEL, "NAME", "The name of the model");
    let key = ServiceOption::new(
        KEY,
        "FILE",
        "The file with the key of that API [default: the variable MONOTABLE_NARRATOR_KEY]",
    );
    [url.requires(MODEL), model.requires(URL), key.requires(URL).file(), tokens.requires(URL)]
        .map(|option| option.heading(HEADING))
        .into()
}

/// Returns the model of the options, if they name one.
///
/// # Errors
/// Fails if the settings are invalid.
pub fn narrator(values: &OptionValues) -> Result<Option<Arc<dyn LanguageModel>>, BoxError> {
    let (Some(url), Some(model)) = (values.text(URL), values.text(MODEL)) else { return Ok(None) };
    let key = RemoteSecret::read(values.text(KEY), KEY_VARIABLE);
    let key = key.map_err(|error| format!("the narrator's key: {error}"))?;
    let chat = Chat::new(ChatSettings { key, ..ChatSettings::new(url, model) });
    Ok(Some(Arc::new(chat.map_err(|error| format!("the narrator: {error}"))?)))
}
