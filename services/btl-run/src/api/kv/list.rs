//! `GET /kv/{pk}`: lists the values of a partition.

use monotable::model::rows::{RecordEntry, Stored};
use monotable::model::time::EpochSeconds;
use monotable_kit::JsonText;

use super::text::Json;
use super::{ADMIN, READ, require};
use crate::api::prelude::*;
use crate::kv::{Key, check_partition, is_private_partition};

/// The rows to list.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct ValuesQuery {
    /// The prefix of the sort keys.
    #[body(length = 1..=1_024)]
    prefix: Option<String>,
    /// The first sort key; together with `to`.
    #[body(length = 1..=1_024)]
    from: Option<String>,
    /// The last sort key; together with `from`.
    #[body(length = 1..=1_024)]
    to: Option<String>,
}

/// A page of values.
#[derive(View)]
pub(crate) struct ValuesView {
    items: Vec<ValueView>,
    #[view(example = false)]
    has_more: bool,
    /// The token of the next page; absent on the last page.
    next_token: Option<String>,
    /// The sort keys of rows whose values can't be read.
    unreadable: Option<Vec<String>>,
}

/// A value of a partition.
#[derive(View)]
pub(crate) struct ValueView {
    #[view(example = "theme")]
    sk: String,
    #[view(example = json!({ "tone": "dark" }))]
    value: Json,
    /// The version; 0 for rows without one.
    #[view(example = 1)]
    version: u64,
    /// The time of expiry, in seconds since 1970.
    ttl: Option<EpochSeconds>,
    #[view(example = "application/json")]
    content_type: Option<String>,
}

impl ValueView {
    fn of(row: RecordEntry<Json>) -> Self {
        let Stored { value, version, expires, content_type, .. } = row.stored;
        Self { sk: row.sort, value, version: version.unwrap_or(0), ttl: expires, content_type }
    }
}

/// Lists the values of a partition, in the order of their sort keys; `unreadable` lists damaged rows.
#[operation(GET "/kv/{pk}", programs_only, refuses(KvRoleRequired))]
pub(crate) async fn list_values(
    app: &App,
    call: &Call<(), (), ValuesQuery>,
) -> Answer<JsonText<ValuesView>> {
    require(call, READ)?;
    // The partition key is not a typed value of the path: it may contain characters that ids don't.
    let request: &monotable_kit::Request = call;
    let pk = request.path.get("pk").map_or("", String::as_str);
    check_partition(pk)?;
    let is_admin = require(call, ADMIN).is_ok();
    if is_private_partition(pk) {
        require(call, ADMIN)?;
    }
    let ValuesQuery { prefix, from, to } = &call.query;
    let records = Key::records::<Json>(&pk.to_owned());
    let records = match (prefix, from, to) {
        (None, None, None) => records,
        (Some(prefix), None, None) => records.prefix(prefix),
        (None, Some(from), Some(to)) => records.between(from, to),
        (Some(_), _, _) => {
            return Err(Problem::field("prefix", "cannot be combined with `from` and `to`"));
        }
        (None, Some(_), None) => return Err(Problem::field("to", "is required with `from`")),
        (None, None, Some(_)) => return Err(Problem::field("from", "is required with `to`")),
    };
    let list = json!(["kv", pk, prefix, from, to]).to_string();
    let asked = call.page();
    let records = records.limit(u32::try_from(asked.limit).unwrap_or(1));
    let records = match &asked.next_token {
        Some(token) => {
            records.after(app.bookmarks.open::<String>(&list, &token.to_string(), app.db.now())?)
        }
        None => records,
    };
    let page = app.kv.query(records).await?;
    let is_shown = |sort: &str| is_admin || !Key::new(pk, sort).is_ok_and(|key| key.is_private());
    let next_token = page.next.map(|next| app.bookmarks.seal(&list, &next, app.db.now()));
    let items = page.entries.into_iter().filter(|row| is_shown(&row.sort)).map(ValueView::of);
    let unreadable = page.unreadable.into_iter().map(|row| row.sort);
    let unreadable: Vec<String> = unreadable.filter(|sort| is_shown(sort)).collect();
    JsonText::of(&ValuesView {
        items: items.collect(),
        has_more: next_token.is_some(),
        next_token,
        unreadable: Some(unreadable).filter(|rows| !rows.is_empty()),
    })
    .map(Into::into)
}
