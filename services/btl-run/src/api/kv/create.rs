//! `POST /kv/{pk}/{sk}`: creates a value.

use super::text::Json;
use super::{AnyValue, ExpiryQuery, KeyPath, WrittenView};
use crate::api::prelude::*;
use crate::kv::{self, Kept};

/// Creates a value, which must not exist.
#[operation(
    POST "/kv/{pk}/{sk}", once, programs_only,
    refuses(KvRoleRequired, ValueExists, ValueTooLarge)
)]
pub(crate) async fn create_value(
    app: &App,
    call: &Call<KeyPath, AnyValue, ExpiryQuery>,
) -> Answer<Created<WrittenView>> {
    let key = call.path.writable(call)?;
    let expires = call.query.of_new(app)?;
    let mut tx = app.db.transact();
    let written = tx.add(kv::creation(key, Json::of_body(call)?, expires));
    call.commit(tx)
        .refuse_with(written, |error| Some(kv::problem(error.clone())))
        .after(|done| app.kv.count(Kept::of(&done[written])))
        .respond(move |done| Created(WrittenView::of(Kept::of(&done[written]))))
        .await
}
