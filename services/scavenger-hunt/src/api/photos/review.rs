//! `POST /api/users/{userId}/photos/{photoId}/review`: approves or rejects a photo.

use super::PhotoView;
use crate::api::prelude::*;
use crate::api::{announce, routes};

/// What an organiser thinks of a photo.
#[derive(Debug, Body)]
pub(crate) struct Opinion {
    /// `pending` takes an earlier review back.
    #[body(example = "approved")]
    review: Review,
    /// Points for the photo; those of an earlier review are taken back.
    #[body(range = -10_000..=10_000, example = 10)]
    points: Option<i32>,
}

/// Approves or rejects a photo, or takes that back, and gives points for it. A team whose photo is rejected needs another one.
#[operation(
    POST "/api/users/{userId}/photos/{photoId}/review", once,
    refuses(refusal::CONTROLLING, PhotoNotFound)
)]
pub(crate) async fn review_photo(
    app: &App,
    call: &Call<PhotoPath, Opinion>,
) -> Answer<Json<PhotoView>> {
    let PhotoPath { user_id, photo_id } = &call.path;
    let (game, photo) = self::photo(app, call, user_id, photo_id, Action::Control).await?;
    let Opinion { review, points } = call.body;
    let points = points.filter(|_| review == Review::Approved).unwrap_or(0);
    let mut tx = call.transact(&app.db).or_retry();
    let route = routes::route(app, &photo.team_id).await?;
    let level = route.levels().iter().find(|level| level.level_id == photo.level_id);
    match (level, review) {
        (Some(level), Review::Rejected) if level.photo_id.as_ref() == Some(&photo.id) => {
            tx.add(edit(level, |level| (level.photo_id, level.photo_at) = (None, None)));
        }
        (Some(level), Review::Approved | Review::Pending) if level.photo_id.is_none() => {
            let at = Some(photo.stamps.created);
            tx.add(edit(level, |level| {
                (level.photo_id, level.photo_at) = (Some(photo.id.clone()), at);
            }));
        }
        _ => {}
    }
    let change = points - photo.points.unwrap_or(0);
    if change != 0 {
        tx.add(create(Adjustment {
            id: app.new_id()?,
            ts: app.db.now().epoch_seconds(),
            game_id: game.id.clone(),
            team_id: photo.team_id.clone(),
            points: change,
            reason: "photo".to_owned(),
            photo_id: Some(photo.id.clone()),
            stamps: Stamps::default(),
        }));
    }
    let audit = app.audit(call, &game.id, "reviewPhoto", format!("PHOTO#{}", photo.id))?;
    tx.add(create(audit.is("review", review.word()).is("points", points.to_string())));
    let reviewed = Photo { review: Some(review), points: Some(points), ..photo.clone() };
    let view = PhotoView::of(app, &reviewed);
    tx.add(edit(&photo, |photo| *photo = reviewed));
    tx.afterwards(announce::changed(app, &game.id, &photo.team_id))
        .respond(move |_| Json(view.clone()))
        .await
}

/// Returns a photo of a user, and its game.
///
/// # Errors
/// Returns 404 if there is none, or 403 if the caller does not have the permission in its game.
pub(crate) async fn photo(
    app: &App,
    call: &Request,
    user_id: &UserId,
    photo_id: &RowId,
    action: Action,
) -> Result<(Game, Photo), Problem> {
    call.principal()?;
    let mut photos = app.db.photos_of_user(user_id).skip_unreadable().stream();
    while let Some(photo) = photos.next().await {
        let photo = photo?;
        if photo.id == *photo_id {
            let game = policy::game(app, call, &photo.game_id, action).await?;
            return Ok((game, photo));
        }
    }
    policy::anywhere(call, action)?;
    Err(Refusal::PhotoNotFound.into())
}
