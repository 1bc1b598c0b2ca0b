//! `DELETE /me`: erases the caller's data.

use monotable::model::delete_by_key;

use super::erasure_of;
use crate::api::prelude::*;
use crate::jobs::erase;

/// Erases your data: your profile and your list of matches are deleted, your name and your texts in
/// matches are replaced, and your players' tokens become invalid. The matches stay.
#[operation(DELETE "/me", once, if_match, refuses(UserRequired, Conflict))]
pub(crate) async fn delete_profile(app: &App, call: &Call) -> Answer<NoContent> {
    let user_id = tokens::user(call)?;
    if let Some(profile) = app.db.profile(&user_id).await? {
        call.check_version(profile.stamps.version)?;
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let (kind, id) = (erasure.kind.clone(), erasure.task_id.clone());
    let mut tx = app.db.transact();
    tx.add(delete_by_key(&ProfileKey::new(user_id.clone())));
    tx.add(delete_by_key(&LobbiesKey::new(user_id)));
    let promised = match app.db.task(&kind, &id).await? {
        Some(task) => tx.add(edit(&task, |_| {})),
        None => tx.add(create(erasure)),
    };
    let deleted = call.commit(tx).retry(promised).respond(|_| NoContent).await?;
    // The rest is scheduled; what can't be done now is done in the background.
    if let Ok(Some(task)) = app.db.task(&kind, &id).await {
        let _ = erase::run(app, task).await;
    }
    Ok(deleted)
}
