//! Key-value rows, for programs with a service token and never for browsers.
//!
//! Only administrators can write the game's own rows and read its secrets: a program that stores
//! its settings here must not be able to end a match.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod merge;
pub(crate) mod put;
mod text;

use std::collections::BTreeMap;

use monotable::model::time::EpochSeconds;
use monotable_kit::{Field, ProblemKind, Route, Schema, operations};
use serde_json::{Map, Value};

use crate::api::prelude::*;
use crate::kv::{Expiry, Kept, Key};

const READ: &str = "kv:read";
const WRITE: &str = "kv:write";
const ADMIN: &str = "kv:admin";

/// The operations that also exist for keys of one part, as in the older key-value service.
const OF_ONE_PART: [&str; 5] =
    ["getValueOfOne", "createValueOfOne", "putValueOfOne", "mergeValueOfOne", "deleteValueOfOne"];

/// Returns the routes of the chapter.
pub(crate) fn routes() -> Vec<Route> {
    let mut routes = operations![get, create, put, merge, delete];
    let of_one_part = routes.clone().into_iter().zip(OF_ONE_PART);
    routes.extend(of_one_part.map(|(mut route, operation)| {
        (route.path, route.operation) = ("/kv1/{key}", operation);
        route
    }));
    routes.extend(operations![list]);
    routes
}

/// The key in a path: of two parts, or of one. Roles are checked before the key.
#[derive(Debug)]
pub(crate) struct KeyPath(Result<Key, Problem>);

impl Path for KeyPath {
    fn read(values: &BTreeMap<String, String>) -> Result<Self, Problem> {
        let part = |name: &str| values.get(name).map_or("", String::as_str);
        Ok(Self(match values.get("key") {
            Some(key) => Key::single(key),
            None => Key::new(part("pk"), part("sk")),
        }))
    }
}

impl KeyPath {
    /// Returns the key for a request that reads.
    fn readable(&self, call: &Request) -> Result<&Key, Problem> {
        self.allowed(call, READ, Key::is_private)
    }

    /// Returns the key for a request that writes.
    fn writable(&self, call: &Request) -> Result<&Key, Problem> {
        self.allowed(call, WRITE, Key::is_owned)
    }

    fn allowed(
        &self,
        call: &Request,
        role: &str,
        is_for_administrators: fn(&Key) -> bool,
    ) -> Result<&Key, Problem> {
        require(call, role)?;
        let key = self.0.as_ref().map_err(Problem::clone)?;
        if is_for_administrators(key) {
            require(call, ADMIN)?;
        }
        Ok(key)
    }
}

/// Refuses callers that have neither this role nor that of administrators.
fn require(call: &Request, role: &str) -> Result<(), Problem> {
    let principal = call.principal()?;
    if principal.has_role(role) || principal.has_role(ADMIN) {
        return Ok(());
    }
    let text = format!("This requires a service token with the role {role}.");
    Err(Refusal::KvRoleRequired.text(text))
}

/// Any JSON. It is stored as the text of the body, so that numbers keep all their digits.
#[derive(Debug)]
pub(crate) struct AnyValue;

impl Body for AnyValue {
    fn schema() -> Option<Schema> {
        let value = Field::new("value", Kind::Anything).example(json!({ "tone": "dark" }));
        Some(Schema::bare("AnyValue", value))
    }

    fn read(_: Map<String, Value>) -> Result<Self, Problem> {
        Ok(Self)
    }
}

/// When a value expires.
#[derive(Debug, Body)]
pub(crate) struct ExpiryQuery {
    /// The time of expiry, in seconds since 1970; 0 for never. If absent, an existing expiry is
    /// kept.
    // At most the last second of the year 9999.
    #[body(range = 0..=253_402_300_799)]
    ttl: Option<i64>,
}

impl ExpiryQuery {
    fn expiry(&self, app: &App) -> Result<Expiry, Problem> {
        match self.ttl.map(EpochSeconds::new) {
            None => Ok(Expiry::Kept),
            Some(at) if at.as_seconds() == 0 => Ok(Expiry::Set(None)),
            Some(at) if at > EpochSeconds::from(app.db.now()) => Ok(Expiry::Set(Some(at))),
            Some(_) => Err(Problem::field("ttl", "must be in the future, in seconds since 1970")),
        }
    }

    /// Returns the expiry of a new value.
    fn of_new(&self, app: &App) -> Result<Option<EpochSeconds>, Problem> {
        match self.expiry(app)? {
            Expiry::Kept => Ok(None),
            Expiry::Set(at) => Ok(at),
        }
    }
}

/// The value was written.
#[derive(View)]
pub(crate) struct WrittenView {
    #[view(example = true)]
    success: bool,
    #[view(version, example = 1)]
    version: u64,
    /// A problem with the row, although it was written.
    warning: Option<&'static str>,
}

impl WrittenView {
    fn of(kept: Kept) -> Self {
        let warning = "The row is larger than 100 KB, which makes every read expensive.";
        Self { success: true, version: kept.version, warning: kept.is_large.then_some(warning) }
    }
}

/// Returns the version of a tag: 0 stands for rows without a version.
fn version(tag: u64) -> Option<u64> {
    (tag > 0).then_some(tag)
}

/// Returns 412 if a row does not meet a precondition, whatever the problem is.
fn precondition(problem: Problem) -> Problem {
    match problem.kind {
        ProblemKind::Conflict | ProblemKind::NotFound => Refusal::PreconditionFailed.into(),
        _ => problem,
    }
}
