//! A language model behind an HTTP interface, as many servers have it: `POST {base}/chat/completions`.
//!
//! What it says is text to be checked by who asked. Nothing here logs, and no error has a secret or
//! anybody's text in it.

mod wording;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use self::wording::{instruction, material};
use crate::rules::narration::{Asked, Narrator, Prompt, Reply, Silent};

/// Bytes of an answer at most: more than 2000 characters of any script and what stands around them.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// Questions that wait for an answer at once; each of them holds a thread.
const WAITING_MAX: usize = 8;
/// How long a question waits until it may be asked.
const PLACE_MAX: Duration = Duration::from_secs(4);
/// Tokens that a server adds to what it is told, for roles and the like.
const FRAME_TOKENS: u64 = 64;

/// Where the model is, and who asks it.
#[derive(Clone)]
pub struct ChatSettings {
    /// The address in front of `/chat/completions`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// What proves who asks, if the server wants to know.
    pub key: Option<String>,
    /// How long an answer may take.
    pub time_max: Duration,
}

/// Settings that nobody can ask with.
#[derive(Debug, thiserror::Error)]
pub enum Unsettled {
    /// The address is none.
    #[error("the narrator's address must begin with http:// or https://")]
    Address,
    /// This build can't speak TLS.
    #[error("https needs a build with the feature `https`")]
    Https,
    /// The key can't stand in a header.
    #[error("the narrator's key must be visible ASCII")]
    Key,
    /// The file of the key can't be read.
    #[error("the narrator's key can't be read")]
    KeyFile(#[source] std::io::Error),
}

impl ChatSettings {
    /// A model without a key, and with twenty seconds for an answer.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let (base_url, model) = (base_url.into(), model.into());
        Self { base_url, model, key: None, time_max: Duration::from_secs(20) }
    }

    /// Takes the key from a variable of the environment, if it is set.
    #[must_use]
    pub fn key_from_environment(mut self, variable: &str) -> Self {
        self.key = std::env::var(variable).ok().filter(|key| !key.is_empty());
        self
    }

    /// Takes the key from a file.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn key_from_file(mut self, path: &Path) -> Result<Self, Unsettled> {
        let text = std::fs::read_to_string(path).map_err(Unsettled::KeyFile)?;
        self.key = Some(text.trim().to_owned());
        Ok(self)
    }
}

impl fmt::Debug for ChatSettings {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { base_url, model, key, time_max } = self;
        formatter
            .debug_struct("ChatSettings")
            .field("base_url", base_url)
            .field("model", model)
            .field("has_key", &key.is_some())
            .field("time_max", time_max)
            .finish()
    }
}

/// A narrator behind an HTTP interface.
pub struct Chat {
    agent: ureq::Agent,
    url: String,
    model: String,
    authorization: Option<String>,
    waiting: Arc<Semaphore>,
}

impl Chat {
    /// The model of these settings.
    ///
    /// # Errors
    /// If nobody can ask with them.
    pub fn new(settings: ChatSettings) -> Result<Self, Unsettled> {
        let base = settings.base_url.trim_end_matches('/');
        match base.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase()).as_deref() {
            Some("http") => {}
            Some("https") if cfg!(feature = "tls") => {}
            Some("https") => return Err(Unsettled::Https),
            _ => return Err(Unsettled::Address),
        }
        let is_fit =
            |key: &String| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        if settings.key.as_ref().is_some_and(|key| !is_fit(key)) {
            return Err(Unsettled::Key);
        }
        let agent = ureq::Agent::config_builder()
            .timeout_global(Some(settings.time_max))
            // The key is for this address alone.
            .max_redirects(0)
            .http_status_as_error(false)
            .build()
            .new_agent();
        Ok(Self {
            agent,
            url: format!("{base}/chat/completions"),
            model: settings.model,
            authorization: settings.key.map(|key| format!("Bearer {key}")),
            waiting: Arc::new(Semaphore::new(WAITING_MAX)),
        })
    }

    async fn asked(&self, prompt: &Prompt) -> Result<Reply, Silent> {
        let silent = |reason: &str| Silent { reason: reason.to_owned(), tokens_used: 0 };
        let place = Arc::clone(&self.waiting).acquire_owned();
        let Ok(Ok(place)) = tokio::time::timeout(PLACE_MAX, place).await else {
            return Err(silent("too many ask it at once"));
        };
        let body = json!({
            "model": self.model,
            "messages": [
                { "role": "system", "content": instruction(prompt) },
                { "role": "user", "content": material(prompt) },
            ],
            "max_tokens": prompt.purpose.tokens_max(),
            "response_format": { "type": "json_object" },
        })
        .to_string();
        let mut request = self.agent.post(&self.url).header("content-type", "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header("authorization", authorization);
        }
        let tokens_max = self.tokens_max(prompt);
        let asking = tokio::task::spawn_blocking(move || {
            let answer = answer(request.send(body), tokens_max);
            drop(place);
            answer
        });
        asking.await.unwrap_or_else(|_| Err(silent("asking it failed")))
    }
}

impl Narrator for Chat {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        Box::pin(self.asked(prompt))
    }

    /// No token stands for less than a byte, so that this can't be too little.
    fn tokens_max(&self, prompt: &Prompt) -> u64 {
        let told = instruction(prompt).len() + material(prompt).len();
        u64::try_from(told).unwrap_or(u64::MAX / 2) + FRAME_TOKENS + prompt.purpose.tokens_max()
    }
}

/// What is read of an answer.
#[derive(Deserialize)]
struct Answer {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
}

#[derive(Deserialize)]
struct Message {
    content: String,
}

#[derive(Deserialize)]
struct Usage {
    total_tokens: u64,
}

/// The text of an answer. What an answer without figures has cost is not known, and taken for the most
/// that it may have been.
fn answer(
    sent: Result<http::Response<ureq::Body>, ureq::Error>,
    tokens_max: u64,
) -> Result<Reply, Silent> {
    let silent = |reason: String, tokens_used: u64| Err(Silent { reason, tokens_used });
    let mut response = match sent {
        Ok(response) => response,
        Err(ureq::Error::Timeout(_)) => return silent("it took too long".to_owned(), tokens_max),
        Err(error) => return silent(format!("it can't be reached: {}", sort(&error)), 0),
    };
    if !response.status().is_success() {
        return silent(format!("it answered {}", response.status().as_u16()), 0);
    }
    let body = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_vec();
    let Ok(bytes) = body else {
        return silent("its answer can't be read to the end".to_owned(), tokens_max);
    };
    let Ok(answer) = serde_json::from_slice::<Answer>(&bytes) else {
        return silent("its answer has another form".to_owned(), tokens_max);
    };
    let tokens_used = answer.usage.map_or(tokens_max, |usage| usage.total_tokens);
    match answer.choices.into_iter().next() {
        Some(choice) => Ok(Reply { text: choice.message.content, tokens_used }),
        None => silent("its answer is empty".to_owned(), tokens_used),
    }
}

/// What sort of trouble there was; its own words may name more than a log should.
fn sort(error: &ureq::Error) -> &'static str {
    match error {
        ureq::Error::HostNotFound => "nobody knows its name",
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed => "the connection failed",
        _ => "the request failed",
    }
}
