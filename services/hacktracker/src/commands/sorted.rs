//! Lists that are sorted here, and their pages.

use monotable_kit::{Problem, Reply, Request};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::App;

/// A page of a sorted list: what stands behind the position that the request says. `list` says
/// everything that the list depends on. Clients of the first version get all of it, as an array.
///
/// # Errors
/// 400 `INVALID_CURSOR` for a position in another list.
pub(crate) fn page<E, P: Ord + Serialize + DeserializeOwned>(
    app: &App,
    call: &Request,
    name: &'static str,
    list: &str,
    sorted: &[E],
    position: impl Fn(&E) -> P,
    show: impl Fn(&E) -> Value,
) -> Result<Reply, Problem> {
    let limit = match (call.accept_version, call.query.get("limit")) {
        (Some(1), None) => sorted.len().max(1),
        _ => call.page().limit,
    };
    let start = match call.query.get("nextToken").and_then(Value::as_str) {
        Some(text) => {
            let seen: P = app.bookmarks.open(list, text, app.db.now())?;
            sorted.partition_point(|element| position(element) <= seen)
        }
        None => 0,
    };
    let page = &sorted[start..sorted.len().min(start + limit)];
    let shown: Vec<Value> = page.iter().map(show).collect();
    if call.accept_version == Some(1) {
        return Ok(Reply::ok(&shown));
    }
    let is_last = start + page.len() == sorted.len();
    let next = page.last().filter(|_| !is_last);
    let next = next.map(|last| app.bookmarks.seal(list, &position(last), app.db.now()));
    Ok(Reply::page(name, shown, next.and_then(|text| text.parse().ok()).as_ref()))
}
