//! `GET /manage/{gameId}/photos`: the photos of a game, to be reviewed.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Managed, level_name, levels, teams};
use crate::api::photos::of_game::{WhichPhotos, seen};
use crate::api::photos::{PhotoView, review};
use crate::api::prelude::*;
use crate::pages::time;

/// The content of the page.
#[derive(Template)]
#[template(path = "manage/photos.html")]
struct PhotosPage {
    managed: Managed,
    review: Option<Review>,
    photos: Vec<Shown>,
    next: Option<String>,
}

/// A photo with what can be done with it.
struct Shown {
    photo: PhotoView,
    team_name: String,
    level_name: String,
    at: String,
    /// For those who control the game: the reviews that it does not have.
    form: Option<Form>,
    points: Option<Form>,
}

/// Shows the photos of a game, and lets organisers approve or reject them.
#[operation(GET "/manage/{gameId}/photos", refuses(refusal::WATCHING))]
async fn photos_page(app: &App, call: &Call<GamePath, (), WhichPhotos>) -> Answer<Html> {
    let game_id = &call.path.game_id;
    let managed = Managed::read(app, call, game_id, Action::Watch).await?;
    let page = seen(app, call, game_id).await?;
    let (teams, levels) = (teams(app, game_id).await?, levels(app, game_id).await?);
    let then = match call.query.review {
        Some(review) => format!("/manage/{game_id}/photos?review={}", review.word()),
        None => format!("/manage/{game_id}/photos"),
    };
    let form = |photo: &PhotoView| {
        Form::of(call, &review::route())
            .path("userId", &photo.user_id)
            .path("photoId", &photo.id)
            .then(&then)
    };
    let shown = |photo: PhotoView| {
        let team = teams.iter().find(|team| team.id == photo.team_id);
        let opinions = [
            (Review::Approved, "Approve"),
            (Review::Rejected, "Reject"),
            (Review::Pending, "Take back"),
        ];
        let others = opinions.into_iter().filter(|(review, _)| *review != photo.review);
        let others = others.map(|(review, text)| (review.word().to_owned(), text.to_owned()));
        let points = form(&photo).fixed("review", Review::Approved.word()).distinct(&photo.id);
        Shown {
            team_name: team.map(|team| team.name.clone()).unwrap_or_default(),
            level_name: level_name(&levels, &photo.level_id),
            at: time(&call.viewer.zone, &photo.at),
            form: managed
                .can_control
                .then(|| form(&photo).without(&["points"]).submits("review", others)),
            points: managed.can_control.then(|| points.submit("Approve with points")),
            photo,
        }
    };
    let page = PhotosPage {
        review: call.query.review,
        photos: page.rows.into_iter().map(shown).collect(),
        next: page.next.map(|next| next.to_string()),
        managed,
    };
    Ok(super::html(call, "Photos", &page)?.into())
}
