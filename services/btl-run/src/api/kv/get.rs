//! `GET /kv/{pk}/{sk}`: returns the value under a key.

use monotable::model::rows::Stored;
use monotable_kit::ReplyBody;

use super::KeyPath;
use super::text::Json;
use crate::api::prelude::*;

/// 200 with a value.
pub(crate) struct StoredValue(Stored<Json>);

impl Response for StoredValue {
    fn describe() -> Answered {
        let meaning = "The value, any JSON.";
        Answered { status: 200, meaning, example: None, schema: Some(Kind::Anything) }
    }

    fn into_reply(self) -> Reply {
        let Stored { value, version, .. } = self.0;
        // Rows without a version, and numbers that are counted on, change without a new version, so
        // a client with this version may not have the current value.
        let version = version.filter(|_| !value.is_number());
        let mut reply = Reply::new(200, ReplyBody::Json(value.into_text()));
        reply.version = version;
        reply
    }
}

/// Returns the value under a key, with its version as ETag if it has one.
#[operation(
    GET "/kv/{pk}/{sk}", programs_only, refuses(KvRoleRequired, ValueNotFound, ValueUnreadable)
)]
pub(crate) async fn get_value(app: &App, call: &Call<KeyPath>) -> Answer<StoredValue> {
    let key = call.path.readable(call)?;
    let stored = app.kv.get(key).await?.ok_or(Refusal::ValueNotFound)?;
    Ok(StoredValue(stored).into())
}
