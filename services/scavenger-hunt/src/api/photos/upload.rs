//! `POST /api/upload-photo`: photographs the level that the team has found last.

use monotable_kit::image::Image;
use monotable_kit::{CallLimit, UPLOAD_BODY_BYTES_MAX, Upload};

use super::url;
use crate::api::play::join;
use crate::api::prelude::*;
use crate::api::{announce, routes};

/// Photos of a player.
const PHOTOS: CallLimit = CallLimit::per_minute("photo", 10).counting_attempts();
/// Photos of a team for each level of its route.
const PHOTOS_OF_LEVEL_MAX: u32 = 20;

/// A photo.
#[derive(Debug, Body)]
pub(crate) struct NewPhoto {
    /// A JPEG, PNG, GIF or WebP file of at most 8 MB.
    #[body(alias("file", "image"))]
    photo: Upload,
}

/// A photo of the own team.
#[derive(Clone, View)]
#[view(list = "photos")]
pub(crate) struct TakenView {
    id: RowId,
    pub(crate) review: Review,
    #[view(example = 1600)]
    width: Option<u32>,
    #[view(example = 1200)]
    height: Option<u32>,
    pub(crate) at: Timestamp,
    /// Whether you have taken it.
    pub(crate) is_own: bool,
    /// Shows the photo for an hour.
    #[view(example = "/scavenger-hunt/api/photo?link=AAECAw")]
    pub(crate) url: Option<String>,
}

impl TakenView {
    /// Shows a photo to a player of its team.
    pub(crate) fn of(app: &App, photo: &Photo, user_id: &UserId) -> Self {
        Self {
            id: photo.id.clone(),
            review: photo.review.unwrap_or_default(),
            width: photo.width,
            height: photo.height,
            at: photo.stamps.created,
            is_own: photo.user_id == *user_id,
            url: url(app, photo),
        }
    }
}

/// Photographs the level that your team has found last. Everything but the picture is removed from the file: where and when
/// it was taken, and by which device.
#[operation(
    POST "/api/upload-photo", once, limit(PHOTOS, player), body_bytes_max = UPLOAD_BODY_BYTES_MAX,
    refuses(refusal::PLAYING, GameEnded, TeamNotFound, LevelNotFound, BadImage, PhotoTooLarge, TooManyPhotos)
)]
pub(crate) async fn upload_photo(
    app: &App,
    call: &Call<(), NewPhoto>,
) -> Answer<Created<TakenView>> {
    let playing = policy::player(app, call).await?;
    playing.require_not_over()?;
    let Upload { bytes, media_type } = call.body.photo.clone();
    let image = Image::received(bytes, media_type).await?;
    // Photos of a team at the same moment are counted one after the other.
    let _turn = call.queues.turn(playing.team_id().as_str()).await;
    let route = routes::route(app, playing.team_id()).await?;
    let awaiting = route.awaiting_photo();
    let level = awaiting.or_else(|| route.last_completed()).ok_or_else(nothing_found)?;
    let team = playing.team(app).await?;
    let photos_max = PHOTOS_OF_LEVEL_MAX * team.tally.levels.max(1);
    Refusal::TooManyPhotos.unless(team.photo_count < photos_max)?;
    let photo = photo(app, &playing, level, &image)?;
    let key = photo.url.parse().map_err(Problem::internal)?;
    app.blobs.put(&key, image.bytes, app.db.now()).await?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.require(check(&playing.game.key(), join::not_over()), Refusal::GameEnded);
    playing.require_there(&mut tx);
    if awaiting.is_some() {
        let (id, at) = (photo.id.clone(), photo.ts);
        tx.add(edit(level, |level| {
            level.photo_id = Some(id);
            level.photo_at = Timestamp::from_ms(at.as_seconds() * 1_000).ok();
        }));
    }
    tx.add(edit(&team, |team| team.photo_count += 1));
    let user_id = playing.user.id.clone();
    let checkpoint =
        routes::checkpoint(app, &playing.game.id, level, Checkpoint::Photo, Some(&user_id));
    tx.expect(create(checkpoint.await?));
    let view = TakenView::of(app, &photo, &user_id);
    let photo = tx.add(create(photo));
    tx.afterwards(announce::changed(app, &playing.game.id, &team.id))
        .respond(move |done| Created(TakenView { at: done[photo].stamps.created, ..view.clone() }))
        .await
}

fn nothing_found() -> Problem {
    Refusal::LevelNotFound.text("The team has found no level yet that it could photograph.")
}

/// Returns the row of a photo. The stored file has the id of the row.
fn photo(app: &App, playing: &Playing, level: &TeamLevel, image: &Image) -> Result<Photo, Problem> {
    let (id, ts): (RowId, _) = (app.new_id()?, app.db.now().epoch_seconds());
    let (team_id, level_id) = (playing.team_id(), &level.level_id);
    let extension = image.format.extension();
    let key = format!("{team_id}/{level_id}/{:010}_{id}.{extension}", ts.as_seconds());
    Ok(Photo {
        id,
        ts,
        user_id: playing.user.id.clone(),
        team_id: team_id.clone(),
        game_id: playing.game.id.clone(),
        level_id: level_id.clone(),
        url: key.clone(),
        object_key: Some(key),
        sha256: Some(Hash::of_bytes(&image.bytes)),
        bytes: u64::try_from(image.bytes.len()).ok(),
        mime: Some(image.format.media_type().to_owned()),
        width: Some(image.width),
        height: Some(image.height),
        review: Some(Review::Pending),
        points: None,
        ttl: None,
        stamps: Stamps::default(),
    })
}

/// Returns whose photos are counted.
fn player(call: &Call<(), NewPhoto>) -> Result<String, Problem> {
    Ok(call.principal()?.id.clone())
}
