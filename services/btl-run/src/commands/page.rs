//! Pages of what has numbers: events, and messages among allies.

use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::app::App;

/// Elements of a page unless the request says otherwise.
const LIMIT: usize = 50;

/// Which page is asked for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    after: Option<u32>,
    limit: Option<usize>,
    next_token: Option<String>,
}

/// A page of a list.
pub(super) struct Page {
    list: String,
    /// The number behind which it begins.
    pub(super) after: u32,
    /// How many elements it has at most.
    pub(super) limit: usize,
}

impl Page {
    /// The page of a list that a request asks for. The list's name says everything that it depends on.
    ///
    /// # Errors
    /// 400 if the page before ended in another list, or two beginnings are asked for.
    pub(super) fn of(app: &App, call: &Request, list: String) -> Result<Self, Problem> {
        let asked: Asked = call.parameters()?;
        let after = match (asked.after, &asked.next_token) {
            (Some(_), Some(_)) => {
                return Err(Problem::field("after", "must not stand beside nextToken"));
            }
            // The first number is 1, so that 0 and nothing at all mean the same.
            (after, None) => after.unwrap_or_default(),
            (None, Some(token)) => app.bookmarks.open(&list, token, app.db.now())?,
        };
        Ok(Self { list, after, limit: asked.limit.unwrap_or(LIMIT) })
    }

    /// The page, and where the next one begins, if there is one.
    pub(super) fn reply(&self, app: &App, items: &[Value], last: Option<u32>) -> Reply {
        Reply::ok(&self.shown(app, items, last))
    }

    /// The page as JSON.
    pub(super) fn shown(&self, app: &App, items: &[Value], last: Option<u32>) -> Value {
        let next = last.map(|last| app.bookmarks.seal(&self.list, &last, app.db.now()));
        json!({ "items": items, "nextToken": next, "hasMore": next.is_some() })
    }
}
