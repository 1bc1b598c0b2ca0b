//! `PUT /kv/{pk}/{sk}`: writes a value, whether or not it exists.

use monotable_kit::{ProblemKind, Saved};

use super::text::Json;
use super::{AnyValue, ExpiryQuery, KeyPath, WrittenView, precondition, version};
use crate::api::prelude::*;

/// Writes a value, whether or not it exists, or only over the version of If-Match (0: none). With
/// If-Match: * the value must exist, with If-None-Match: * it must not.
#[operation(
    PUT "/kv/{pk}/{sk}", if_match, if_none_match, programs_only,
    refuses(KvRoleRequired, Conflict, PreconditionFailed, ValueTooLarge)
)]
pub(crate) async fn put_value(
    app: &App,
    call: &Call<KeyPath, AnyValue, ExpiryQuery>,
) -> Answer<Saved<WrittenView>> {
    let key = call.path.writable(call)?;
    let (expiry, value) = (call.query.expiry(app)?, Json::of_body(call)?);
    let kept = match (call.if_match, call.must_exist) {
        (None, None) => app.kv.put(key, value, expiry).await?,
        (None, Some(true)) => {
            let seen = app.kv.version(key).await?.ok_or(Refusal::PreconditionFailed)?;
            app.kv.replace(key, seen, value, expiry).await.map_err(if_gone)?
        }
        (None, Some(false)) => {
            let created = app.kv.create(key, value, call.query.of_new(app)?).await;
            return Ok(Saved::Created(WrittenView::of(created.map_err(precondition)?)).into());
        }
        (Some(tag), _) => {
            app.kv.replace(key, version(tag), value, expiry).await.map_err(precondition)?
        }
    };
    Ok(Saved::Changed(WrittenView::of(kept)).into())
}

/// Returns 412 if a row was removed in the meantime; a changed one is replaced again.
fn if_gone(problem: Problem) -> Problem {
    if problem.kind == ProblemKind::NotFound { precondition(problem) } else { problem }
}
