//! What programs with a service token may do to rows: read, write, merge and remove them.
//!
//! The game's own rows are written by those alone who may do everything, and so are its secrets read:
//! a program that keeps its settings here must not be able to end a match.

use monotable::model::rows::{RecordEntry, Stored};
use monotable::model::time::EpochSeconds;
use monotable_kit::{Problem, ProblemKind, Reply, ReplyBody, Request};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::key::{check_partition, is_private_partition};
use super::text::{self, Json};
use super::{Expiry, Kept, Key, Only};
use crate::app::App;

const READ: &str = "kv:read";
const WRITE: &str = "kv:write";
const ADMIN: &str = "kv:admin";

/// `GET`: the value.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    may(call, READ)?;
    let key = key(call)?;
    if key.is_private() {
        may(call, ADMIN)?;
    }
    let stored: Stored<Json> = app.kv.get(&key).await?.ok_or_else(not_found)?;
    let reply = Reply::new(200, ReplyBody::Json(stored.value.get().to_owned()));
    // Rows without a version, and numbers that are counted on, change under the same one: a client that
    // has it already does not have what is there.
    Ok(match stored.version.filter(|_| !text::is_number(&stored.value)) {
        Some(version) => reply.version(version),
        None => reply,
    })
}

/// `POST`: the value where there is none.
pub(crate) async fn create(app: &App, call: &Request) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let expires = of_new(expiry(app, call)?);
    let creation = super::creation(&key, text::of_body(call)?, expires);
    app.kv.create_once(call, creation, |kept| written(201, kept)).await
}

/// `PUT`: the value over whatever is there, over the version that `If-Match` asks for, over anything but
/// nothing (`If-Match: *`), or only over nothing (`If-None-Match: *`).
pub(crate) async fn put(app: &App, call: &Request) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let (expiry, value) = (expiry(app, call)?, text::of_body(call)?);
    match (call.if_match, call.must_exist) {
        (None, None) => Ok(written(200, app.kv.put(&key, value, expiry).await?)),
        (None, Some(true)) => {
            let seen = app.kv.version(&key).await?.ok_or_else(|| precondition(not_found()))?;
            let kept = app.kv.replace(&key, seen, value, expiry).await;
            let is_gone = |problem: &Problem| problem.kind == ProblemKind::NotFound;
            Ok(written(
                200,
                kept.map_err(|problem| match is_gone(&problem) {
                    true => precondition(problem),
                    false => problem,
                })?,
            ))
        }
        (None, Some(false)) => {
            let kept = app.kv.create(&key, value, of_new(expiry)).await.map_err(precondition)?;
            Ok(written(201, kept))
        }
        (Some(wanted), _) => {
            let kept = app.kv.replace(&key, version(wanted), value, expiry).await;
            Ok(written(200, kept.map_err(precondition)?))
        }
    }
}

/// `PATCH`: the fields of the value over those of the one that is there.
pub(crate) async fn merge(app: &App, call: &Request) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let expiry = expiry(app, call)?;
    let patch = text::fields(&text::of_body(call)?)
        .ok_or_else(|| Problem::field("body", "must be an object, whose fields are written"))?;
    let absent = || match call.must_exist {
        Some(_) => precondition(not_found()),
        None => not_found(),
    };
    let stored: Stored<Json> = app.kv.get(&key).await?.ok_or_else(absent)?;
    call.check_version(stored.version.unwrap_or(0))?;
    let mut object = text::fields(&stored.value).ok_or_else(|| {
        let text = "The value under this key is not an object, so that no fields can be merged into it; \
                    replace it with PUT.";
        Problem::conflict("CONFLICT", text)
    })?;
    object.extend(patch);
    let kept = app.kv.replace(&key, stored.version, object, expiry).await;
    let kept = match call.if_match {
        Some(_) => kept.map_err(precondition),
        // Somebody was faster; it is merged with what they wrote.
        None => kept,
    };
    Ok(written(200, kept?))
}

/// `DELETE`: nothing afterwards.
pub(crate) async fn delete(app: &App, call: &Request) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let only = match call.if_match {
        None => Only::Any,
        Some(wanted) => Only::Version(version(wanted)),
    };
    let was_there = app.kv.delete(&key, only).await.map_err(precondition)?;
    if call.must_exist == Some(true) && !was_there {
        return Err(precondition(not_found()));
    }
    Ok(Reply::ok(&json!({ "success": true })))
}

/// `GET` of a partition: a page of its values.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    may(call, READ)?;
    let pk = call.path.get("pk").map_or("", String::as_str);
    check_partition(pk)?;
    if is_private_partition(pk) {
        may(call, ADMIN)?;
    }
    let text = |name: &str| call.query.get(name).and_then(Value::as_str);
    let records = Key::records::<Json>(&pk.to_owned());
    let records = match (text("prefix"), text("from"), text("to")) {
        (None, None, None) => records,
        (Some(prefix), None, None) => records.prefix(prefix),
        (None, Some(from), Some(to)) => records.between(from, to),
        (Some(_), _, _) => return Err(Problem::field("prefix", "is instead of `from` and `to`")),
        (None, Some(_), None) => return Err(Problem::field("to", "is needed beside `from`")),
        (None, None, Some(_)) => return Err(Problem::field("from", "is needed beside `to`")),
    };
    let list = json!(["kv", pk, text("prefix"), text("from"), text("to")]).to_string();
    let asked = call.page();
    let records = records.limit(u32::try_from(asked.limit).unwrap_or(1));
    let records = match &asked.next_token {
        Some(token) => {
            records.after(app.bookmarks.open::<String>(&list, &token.to_string(), app.db.now())?)
        }
        None => records,
    };
    let page = app.kv.query(records).await?;
    let is_admin = may(call, ADMIN).is_ok();
    let is_shown = |sort: &str| is_admin || !Key::new(pk, sort).is_ok_and(|key| key.is_private());
    let next_token = page.next.map(|next| app.bookmarks.seal(&list, &next, app.db.now()));
    let shown = ListedValues {
        items: page.entries.iter().filter(|row| is_shown(&row.sort)).map(ListedValue::of).collect(),
        has_more: next_token.is_some(),
        next_token,
        unreadable: page
            .unreadable
            .into_iter()
            .map(|row| row.sort)
            .filter(|sort| is_shown(sort))
            .collect(),
    };
    let text =
        serde_json::to_string(&shown).map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Reply::new(200, ReplyBody::Json(text)))
}

/// A page of values.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedValues<'a> {
    items: Vec<ListedValue<'a>>,
    has_more: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
    /// The sort keys of rows whose values can't be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedValue<'a> {
    sk: &'a str,
    value: &'a RawValue,
    version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ttl: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_type: Option<&'a str>,
}

impl<'a> ListedValue<'a> {
    fn of(row: &'a RecordEntry<Json>) -> Self {
        let Stored { value, version, expires, content_type, .. } = &row.stored;
        Self {
            sk: &row.sort,
            value,
            version: version.unwrap_or(0),
            ttl: expires.map(EpochSeconds::as_seconds),
            content_type: content_type.as_deref(),
        }
    }
}

/// Refuses whoever has neither this role nor the one that may do everything.
fn may(call: &Request, role: &str) -> Result<(), Problem> {
    let principal = call.principal()?;
    match principal.has_role(role) || principal.has_role(ADMIN) {
        true => Ok(()),
        false => {
            let text = format!("This takes a service token with the role {role}.");
            Err(Problem::forbidden("KV_ROLE_REQUIRED", text))
        }
    }
}

/// The key that a request names: of two parts, or of one.
fn key(call: &Request) -> Result<Key, Problem> {
    let part = |name: &str| call.path.get(name).map_or("", String::as_str);
    match call.path.contains_key("key") {
        true => Key::single(part("key")),
        false => Key::new(part("pk"), part("sk")),
    }
}

/// The key of a request that writes.
fn writable(call: &Request) -> Result<Key, Problem> {
    may(call, WRITE)?;
    let key = key(call)?;
    if key.is_owned() {
        may(call, ADMIN)?;
    }
    Ok(key)
}

/// The name under which a body of any form is found.
pub(crate) const VALUE: &str = "value";
/// The query parameter of the expiry.
pub(crate) const TTL: &str = "ttl";

/// What a request says of the expiry: seconds since 1970, 0 for never, and nothing for as it is.
fn expiry(app: &App, call: &Request) -> Result<Expiry, Problem> {
    let now = EpochSeconds::from(app.db.now());
    match call.query.get(TTL).and_then(Value::as_i64).map(EpochSeconds::new) {
        None => Ok(Expiry::Kept),
        Some(at) if at.as_seconds() == 0 => Ok(Expiry::Set(None)),
        Some(at) if at > now => Ok(Expiry::Set(Some(at))),
        Some(_) => Err(Problem::field(TTL, "must be in the future, in seconds since 1970")),
    }
}

/// The expiry of a value that is new.
fn of_new(expiry: Expiry) -> Option<EpochSeconds> {
    match expiry {
        Expiry::Kept => None,
        Expiry::Set(at) => at,
    }
}

/// The version that a tag stands for: 0 is that of rows without any, which are told none.
fn version(tag: u64) -> Option<u64> {
    (tag > 0).then_some(tag)
}

/// What is not as `If-Match` asks for is 412, whatever it is instead.
fn precondition(problem: Problem) -> Problem {
    match problem.kind {
        ProblemKind::Conflict | ProblemKind::NotFound => {
            let text =
                "The value is not the one that the request asks for. Fetch it again and retry.";
            Problem::new(ProblemKind::Precondition, "PRECONDITION_FAILED", text)
        }
        _ => problem,
    }
}

fn not_found() -> Problem {
    Problem::not_found("NOT_FOUND", "There is no value under this key.")
}

fn written(status: u16, kept: Kept) -> Reply {
    let mut answer = json!({ "success": true, "version": kept.version });
    if kept.is_large {
        answer["warning"] =
            "The row is larger than 100 KB, which makes every read of it dear.".into();
    }
    Reply::json(status, &answer).version(kept.version)
}
