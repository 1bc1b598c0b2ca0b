//! `DELETE /kv/{pk}/{sk}`: removes a value.

use super::{KeyPath, precondition, version};
use crate::api::prelude::*;
use crate::kv::Only;

/// The value has been removed.
#[derive(View)]
pub(crate) struct RemovedView {
    #[view(example = true)]
    success: bool,
}

/// Removes a value, whether or not there is one.
#[operation(
    DELETE "/kv/{pk}/{sk}", if_match, programs_only, refuses(KvRoleRequired, PreconditionFailed)
)]
pub(crate) async fn delete_value(app: &App, call: &Call<KeyPath>) -> Answer<Json<RemovedView>> {
    let key = call.path.writable(call)?;
    let only = match call.if_match {
        None => Only::Any,
        Some(tag) => Only::Version(version(tag)),
    };
    let was_there = app.kv.delete(key, only).await.map_err(precondition)?;
    if call.must_exist == Some(true) && !was_there {
        return Err(Refusal::PreconditionFailed.into());
    }
    Ok(Json(RemovedView { success: true }).into())
}
