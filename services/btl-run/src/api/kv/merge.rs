//! `PATCH /kv/{pk}/{sk}`: merges fields into a value.

use monotable::model::rows::Stored;
use monotable_kit::Json as JsonView;

use super::text::Json;
use super::{AnyValue, ExpiryQuery, KeyPath, WrittenView, precondition};
use crate::api::prelude::*;

/// Merges the fields of an object into the existing object.
#[operation(
    PATCH "/kv/{pk}/{sk}", if_match, programs_only,
    refuses(
        KvRoleRequired, ValueNotFound, Conflict, ValueIsNoObject, PreconditionFailed, ValueTooLarge
    )
)]
pub(crate) async fn merge_value(
    app: &App,
    call: &Call<KeyPath, AnyValue, ExpiryQuery>,
) -> Answer<JsonView<WrittenView>> {
    let key = call.path.writable(call)?;
    let expiry = call.query.expiry(app)?;
    let patch = Json::of_body(call)?.fields();
    let patch = patch
        .ok_or_else(|| Problem::field("body", "must be an object, whose fields are written"))?;
    let absent = match call.must_exist {
        Some(_) => Refusal::PreconditionFailed,
        None => Refusal::ValueNotFound,
    };
    let stored: Stored<Json> = app.kv.get(key).await?.ok_or(absent)?;
    call.check_version(stored.version.unwrap_or(0))?;
    let mut object = stored.value.fields().ok_or(Refusal::ValueIsNoObject)?;
    object.extend(patch);
    let kept = app.kv.replace(key, stored.version, object, expiry).await;
    // Without a precondition, the fields are merged again after a concurrent change.
    let kept = if call.if_match.is_some() { kept.map_err(precondition) } else { kept };
    Ok(JsonView(WrittenView::of(kept?)).into())
}
