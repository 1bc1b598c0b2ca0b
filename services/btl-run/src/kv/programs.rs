//! What programs with a service token may do to rows: read, write, merge and remove them.
//!
//! The game's own rows are written by those alone who may do everything, and so are its secrets read:
//! a program that keeps its settings here must not be able to end a match.

use monotable::model::rows::{RecordEntry, Records, Stored};
use monotable::model::time::EpochSeconds;
use monotable_kit::{Call, Problem, ProblemKind, Reply};
use serde_json::{Map, Value, json};

use super::key::{check_partition, is_private_partition};
use super::{Expiry, Kept, Key, Only};
use crate::app::App;

const READ: &str = "kv:read";
const WRITE: &str = "kv:write";
const ADMIN: &str = "kv:admin";

/// `GET`: the value.
pub(crate) async fn get(app: &App, call: &Call) -> Result<Reply, Problem> {
    may(call, READ)?;
    let key = key(call)?;
    if key.is_private() {
        may(call, ADMIN)?;
    }
    let stored: Stored<Value> = app.kv.get(&key).await?.ok_or_else(not_found)?;
    let reply = Reply::ok(&stored.value);
    // Rows without a version, and numbers that are counted on, change under the same one: a client that
    // has it already does not have what is there.
    Ok(match stored.version.filter(|_| !stored.value.is_number()) {
        Some(version) => reply.version(version),
        None => reply,
    })
}

/// `POST`: the value where there is none.
pub(crate) async fn create(app: &App, call: &Call) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let expires = match expiry(app, call)? {
        Expiry::Kept => None,
        Expiry::Set(at) => at,
    };
    let kept = app.kv.create(&key, value(call), expires).await?;
    Ok(written(201, kept))
}

/// `PUT`: the value over whatever is there, or over the version that `If-Match` asks for.
pub(crate) async fn put(app: &App, call: &Call) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let expiry = expiry(app, call)?;
    let kept = match call.if_match {
        None => app.kv.put(&key, value(call), expiry).await,
        Some(wanted) => {
            app.kv.replace(&key, version(wanted), value(call), expiry).await.map_err(precondition)
        }
    };
    Ok(written(200, kept?))
}

/// `PATCH`: the fields of the value over those of the one that is there.
pub(crate) async fn merge(app: &App, call: &Call) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let expiry = expiry(app, call)?;
    let stored: Stored<Value> = app.kv.get(&key).await?.ok_or_else(not_found)?;
    call.check_version(stored.version.unwrap_or(0))?;
    let merged = match (stored.value, value(call)) {
        (Value::Object(mut object), Value::Object(patch)) => {
            object.extend(patch);
            Value::Object(object)
        }
        (_, other) => other,
    };
    let kept = app.kv.replace(&key, stored.version, merged, expiry).await;
    let kept = match call.if_match {
        Some(_) => kept.map_err(precondition),
        // Somebody was faster; it is merged with what they wrote.
        None => kept,
    };
    Ok(written(200, kept?))
}

/// `DELETE`: nothing afterwards.
pub(crate) async fn delete(app: &App, call: &Call) -> Result<Reply, Problem> {
    let key = writable(call)?;
    let only = match call.if_match {
        None => Only::Any,
        Some(wanted) => Only::Version(version(wanted)),
    };
    app.kv.delete(&key, only).await.map_err(precondition)?;
    Ok(Reply::ok(&json!({ "success": true })))
}

/// `GET` of a partition: a page of its values.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    may(call, READ)?;
    let pk = call.path.get("pk").map_or("", String::as_str);
    check_partition(pk)?;
    if is_private_partition(pk) {
        may(call, ADMIN)?;
    }
    let text = |name: &str| call.query.get(name).and_then(Value::as_str);
    let records = Records::<Value>::of_partition(pk);
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
    let items: Vec<Value> = page
        .entries
        .into_iter()
        .filter(|entry| is_admin || !is_private(pk, entry))
        .map(shown)
        .collect();
    let next = page.next.map(|next| app.bookmarks.seal(&list, &next, app.db.now()));
    let mut answer = json!({ "items": items, "hasMore": next.is_some() });
    if let Some(next) = next {
        answer["nextToken"] = next.into();
    }
    Ok(Reply::ok(&answer))
}

fn is_private(pk: &str, entry: &RecordEntry<Value>) -> bool {
    Key::new(pk, &entry.sort).is_ok_and(|key| key.is_private())
}

fn shown(entry: RecordEntry<Value>) -> Value {
    let Stored { value, version, expires, content_type, .. } = entry.stored;
    let mut shown = Map::new();
    shown.insert("sk".to_owned(), entry.sort.into());
    shown.insert("value".to_owned(), value);
    shown.insert("version".to_owned(), version.unwrap_or(0).into());
    if let Some(expires) = expires {
        shown.insert("ttl".to_owned(), expires.as_seconds().into());
    }
    if let Some(content_type) = content_type {
        shown.insert("contentType".to_owned(), content_type.into());
    }
    Value::Object(shown)
}

/// Refuses whoever has neither this role nor the one that may do everything.
fn may(call: &Call, role: &str) -> Result<(), Problem> {
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
fn key(call: &Call) -> Result<Key, Problem> {
    let part = |name: &str| call.path.get(name).map_or("", String::as_str);
    match call.path.contains_key("key") {
        true => Key::single(part("key")),
        false => Key::new(part("pk"), part("sk")),
    }
}

/// The key of a request that writes.
fn writable(call: &Call) -> Result<Key, Problem> {
    may(call, WRITE)?;
    let key = key(call)?;
    if key.is_owned() {
        may(call, ADMIN)?;
    }
    Ok(key)
}

fn value(call: &Call) -> Value {
    call.body.get(VALUE).cloned().unwrap_or_default()
}

/// The name under which a body of any form is found.
pub(crate) const VALUE: &str = "value";
/// The query parameter of the expiry.
pub(crate) const TTL: &str = "ttl";

/// What a request says of the expiry: seconds since 1970, 0 for never, and nothing for as it is.
fn expiry(app: &App, call: &Call) -> Result<Expiry, Problem> {
    let now = EpochSeconds::from(app.db.now());
    match call.query.get(TTL).and_then(Value::as_i64).map(EpochSeconds::new) {
        None => Ok(Expiry::Kept),
        Some(at) if at.as_seconds() == 0 => Ok(Expiry::Set(None)),
        Some(at) if at > now => Ok(Expiry::Set(Some(at))),
        Some(_) => Err(Problem::field(TTL, "must be in the future, in seconds since 1970")),
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
            let text = "It was changed since; read it again.";
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
