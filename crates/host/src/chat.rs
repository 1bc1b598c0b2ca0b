//! A language model with the HTTP interface of many servers: `POST {base}/chat/completions`.
//!
//! The caller must check its replies. Nothing here logs, and no error contains a secret or a user's
//! text.

use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method};
use monotable_kit::language_model::{
    Asked, LanguageModel, Question, Reply, ReplyForm, Silent, Speaker,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::remote::{
    CallFailure, Remote, RemoteError, RemoteSecret, RemoteSettings, authorization,
};

/// The maximum size of a response: more than 2000 characters of any script in their envelope.
const ANSWER_BYTES_MAX: u64 = 64 * 1024;
/// The maximum number of concurrent requests.
const WAITING_MAX: usize = 8;
/// How long a request waits until it may be sent.
const PLACE_MAX: Duration = Duration::from_secs(4);

/// The address of the model, and the credentials.
#[derive(Clone, Debug)]
pub struct ChatSettings {
    /// The address before `/chat/completions`, such as `http://localhost:11434/v1`.
    pub base_url: String,
    /// The model's name.
    pub model: String,
    /// The API key, if the server requires one.
    pub key: Option<RemoteSecret>,
    /// The longest time for a response.
    pub time_max: Duration,
}

impl ChatSettings {
    /// Creates settings without a key, with twenty seconds for a response.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        let (base_url, model) = (base_url.into(), model.into());
        Self { base_url, model, key: None, time_max: Duration::from_secs(20) }
    }
}

/// A language model behind an HTTP interface.
pub struct Chat {
    remote: Remote,
    model: String,
    authorization: Option<HeaderValue>,
}

impl Chat {
    /// Creates the model of these settings.
    ///
    /// # Errors
    /// Fails if the settings are invalid.
    pub fn new(settings: ChatSettings) -> Result<Self, RemoteError> {
        let bearer = |key: RemoteSecret| authorization(&format!("Bearer {}", key.reveal()));
        Ok(Self {
            model: settings.model,
            authorization: settings.key.map(bearer).transpose()?,
            remote: Remote::new(RemoteSettings {
                base_url: settings.base_url,
                time_max: settings.time_max,
                wait_max: PLACE_MAX,
                calls_max: WAITING_MAX,
                response_bytes_max: ANSWER_BYTES_MAX,
            })?,
        })
    }

    async fn asked(&self, question: &Question) -> Result<Reply, Silent> {
        let told = json!({ "role": "system", "content": question.instruction });
        let turns = question.turns.iter().map(|turn| {
            let role = match turn.speaker {
                Speaker::Person => "user",
                Speaker::Model => "assistant",
            };
            json!({ "role": role, "content": turn.text })
        });
        let mut body = json!({
            "model": self.model,
            "messages": std::iter::once(told).chain(turns).collect::<Vec<Value>>(),
            "max_tokens": question.tokens_max,
        });
        if question.form == ReplyForm::Json {
            body["response_format"] = json!({ "type": "json_object" });
        }
        let mut request = self.remote.request(Method::POST, "/chat/completions");
        request = request.header(CONTENT_TYPE, "application/json");
        if let Some(authorization) = &self.authorization {
            request = request.header(AUTHORIZATION, authorization);
        }
        let request = request.body(body.to_string().into_bytes()).map_err(|_| Silent {
            reason: "its address can't be part of a request".to_owned(),
            tokens_used: 0,
        })?;
        answer(self.remote.call(request).await, question.cost_max())
    }
}

impl LanguageModel for Chat {
    fn ask<'a>(&'a self, question: &'a Question) -> Asked<'a> {
        Box::pin(self.asked(question))
    }
}

/// The parts of a response that are read.
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

/// Returns the text of a response. If the response does not report its cost, it is assumed to be
/// the maximum.
fn answer(
    sent: Result<http::Response<Vec<u8>>, CallFailure>,
    tokens_max: u64,
) -> Result<Reply, Silent> {
    let silent = |reason: String, tokens_used: u64| Err(Silent { reason, tokens_used });
    let response = match sent {
        Ok(response) => response,
        Err(failure) => {
            let tokens_used = if failure.may_have_arrived() { tokens_max } else { 0 };
            return silent(failure.to_string(), tokens_used);
        }
    };
    if !response.status().is_success() {
        return silent(format!("it answered {}", response.status().as_u16()), 0);
    }
    let Ok(answer) = serde_json::from_slice::<Answer>(response.body()) else {
        return silent("its response has an unexpected form".to_owned(), tokens_max);
    };
    let tokens_used = answer.usage.map_or(tokens_max, |usage| usage.total_tokens);
    match answer.choices.into_iter().next() {
        Some(choice) => Ok(Reply { text: choice.message.content, tokens_used }),
        None => silent("its response is empty".to_owned(), tokens_used),
    }
}
