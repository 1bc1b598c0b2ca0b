//! `PUT /me`: creates or changes the profile of the caller.

use monotable::model::check_absent;
use monotable_kit::Saved;

use super::{ProfileView, erasure_of};
use crate::api::prelude::*;

/// A new profile, or changes of one.
#[derive(Debug, Body)]
#[body(read_only("userId", "stats", "createdAt"))]
pub(crate) struct NewProfile {
    #[body(length = 1..=30, example = "Zoë")]
    display_name: String,
    /// A picture, by its name or https address; null removes it.
    #[body(length = 1..=300, example = "fox")]
    avatar: Patch<String>,
}

/// Creates or changes your profile.
#[operation(PUT "/me", once, if_match, refuses(UserRequired, Conflict, ErasurePending))]
pub(crate) async fn put_profile(
    app: &App,
    call: &Call<(), NewProfile>,
) -> Answer<Saved<ProfileView>> {
    let user_id = tokens::user(call)?;
    let NewProfile { display_name, avatar } = &call.body;
    if avatar.value().is_some_and(|avatar| !is_avatar(avatar)) {
        let text = "must be a name without colons, slashes, quotes and angle brackets, or an https address";
        return Err(Problem::field("avatar", text));
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let mut tx = app.db.transact();
    let staying = tx.add(check_absent(&TaskKey::new(erasure.kind, erasure.task_id)));
    let stored = app.db.profile(&user_id).await?;
    let is_new = stored.is_none();
    let profile = match stored {
        Some(profile) => {
            call.check_version(profile.stamps.version)?;
            tx.add(edit(&profile, |profile| {
                profile.display_name.clone_from(display_name);
                avatar.clone().apply(&mut profile.avatar);
            }))
        }
        None => {
            call.check_absent()?;
            tx.add(create(Profile {
                user_id,
                display_name: display_name.clone(),
                avatar: avatar.value().cloned(),
                stats: ProfileStats::default(),
                created_at: app.now_ms(),
                stamps: Stamps::default(),
            }))
        }
    };
    call.commit(tx)
        .refuse(staying, Refusal::ErasurePending)
        .retry(profile)
        .respond(move |done| {
            let view = ProfileView::of(&done[profile]);
            if is_new { Saved::Created(view) } else { Saved::Changed(view) }
        })
        .await
}

/// Returns whether a text is the name of a picture, or an address that a page may load.
fn is_avatar(text: &str) -> bool {
    let is_mark = |sign: char| matches!(sign, ':' | '/' | '\\' | '<' | '>' | '"' | '\'' | '`');
    let address = text.get(..8).filter(|scheme| scheme.eq_ignore_ascii_case("https://"));
    match address {
        Some(_) => {
            text[8..].starts_with(|first: char| first.is_ascii_alphanumeric())
                && text
                    .chars()
                    .all(|sign| sign.is_ascii_graphic() && !matches!(sign, '"' | '\'' | '<' | '>'))
        }
        None => !text.chars().any(|sign| is_mark(sign) || sign.is_control()),
    }
}
