//! Somebody who asks a match for everything that can be asked.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use axum::body::HttpBody as _;
use http::Method;
use serde_json::{Value, json};

use crate::world::{Actor, Opened, World};

/// Who listens.
pub(crate) struct Listener<'a> {
    pub(crate) name: &'a str,
    who: Actor<'a>,
    /// The tribute whose affairs are theirs.
    pub(crate) tribute: Option<&'a str>,
}

/// What was told: where, how, and all JSON in it.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
    pub(crate) text: String,
    pub(crate) values: Vec<Value>,
}

impl<'a> Listener<'a> {
    pub(crate) fn new(name: &'a str, who: Actor<'a>, tribute: Option<&'a str>) -> Self {
        Self { name, who, tribute }
    }

    /// Everything that can be asked, also in vain.
    pub(crate) async fn look(&self, world: &World, opened: &Opened) -> Vec<Told> {
        let id = &opened.id;
        let mut told = Vec::new();
        for path in [
            format!("/match/{id}"),
            format!("/match/{id}/log?limit=200"),
            format!("/match/{id}/log?after=3&limit=7"),
            format!("/match/{id}/summaries"),
            format!("/match/{id}/summary/1"),
            format!("/match/{id}/verify"),
            format!("/stories/{id}"),
            format!("/match/{id}/alliance/messages"),
            format!("/invite/{}", opened.code),
            format!("/match/{id}/tribute/ai-1"),
            format!("/kv/match%23{id}/secret"),
        ] {
            told.push(self.ask(world, Method::GET, &path, Value::Null).await);
        }
        // What is refused must not tell anything, either.
        for (rest, body) in [
            ("export", json!({})),
            ("join", json!({ "code": opened.code, "name": "P0" })),
            ("action", json!({ "turnId": "d9t9", "action": "rest" })),
            ("action", json!({ "turnId": "d9t9", "action": "fly" })),
            ("advance", json!({ "turnId": "d9t9" })),
            ("start", json!({ "now": true })),
        ] {
            told.push(self.ask(world, Method::POST, &opened.path(rest), body).await);
        }
        told.push(self.follow(world, &opened.path("stream")).await);
        told
    }

    async fn ask(&self, world: &World, method: Method, path: &str, body: Value) -> Told {
        let answer = world.request(self.who, method, path, body, &[]).await;
        let is_own = |name: &str| name == "x-request-id" || name == "date";
        let headers = answer.headers.iter().filter(|(name, _)| !is_own(name.as_str()));
        let mut headers: Vec<String> =
            headers.map(|(name, value)| format!("{name}: {value:?}")).collect();
        headers.sort();
        let mut value: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        value["requestId"].take();
        let request = answer.headers["x-request-id"].to_str().unwrap();
        let text = format!("{} {}", answer.status, answer.text.replace(request, "*"));
        Told { path: path.to_owned(), headers, text, values: vec![value] }
    }

    /// Returns what a stream tells at once: everything that has happened.
    async fn follow(&self, world: &World, path: &str) -> Told {
        let mut body = world.follow(self.who, path).await.into_body();
        let (mut text, mut waits) = (String::new(), 0);
        while waits < 5 {
            let next = poll_fn(|context| match Pin::new(&mut body).poll_frame(context) {
                Poll::Ready(frame) => Poll::Ready(Some(frame)),
                Poll::Pending => Poll::Ready(None),
            });
            match next.await {
                Some(Some(frame)) => {
                    let data = frame.unwrap().into_data().unwrap();
                    text.push_str(std::str::from_utf8(&data).unwrap());
                }
                Some(None) => break,
                None => {
                    waits += 1;
                    tokio::task::yield_now().await;
                }
            }
        }
        let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
        let values: Vec<Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(values.len() > 3, "the stream of {} tells {text}", self.name);
        Told { path: path.to_owned(), headers: Vec::new(), text, values }
    }
}
