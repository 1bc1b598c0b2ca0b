//! `PATCH /v1/seasons/{seasonId}`: changes a season.

use super::{SeasonView, check};
use crate::api::prelude::*;

/// What changes of a season. Games that were made before keep the length of their thirds.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = Season, read_only_of = SeasonView)]
pub(crate) struct SeasonChanges {
    #[body(length = checks::NAME_LENGTH, check = checks::name, example = "Autumn 2026")]
    name: Option<String>,
    /// A readable name for addresses. Without a value it is removed.
    #[body(check = checks::slug, example = "autumn-2026")]
    slug: Patch<Slug>,
    #[body(example = "2026-03-01", label = "First day")]
    starts_on: Patch<Date>,
    #[body(example = "2026-05-31", label = "Last day")]
    ends_on: Patch<Date>,
    /// 20, 25 or 30.
    #[body(example = 20, label = "Length of a third")]
    third_length_minutes: Option<u8>,
    /// What orders the table, the first criterion first: wins, draws, conceded, scored, losses or played.
    #[body(items = 1..=6, unique)]
    ranking: Option<Vec<Ranking>>,
}

/// Changes a season.
#[operation(
    PATCH "/v1/seasons/{seasonId}", once, if_match, refuses(refusal::ADMINISTERING, SlugTaken)
)]
async fn update_season(
    app: &App,
    call: &Call<SeasonPath, SeasonChanges>,
) -> Answer<Json<SeasonView>> {
    let (season, _) = policy::season(app, call, &call.path.season_id, Action::Administer).await?;
    call.check_version(season.stamps.version)?;
    let mut changed = season.clone();
    call.body.apply(&mut changed);
    check(&changed)?;
    let mut tx = call.transact(&app.db).or_retry();
    let season = tx.require_with(edit(&season, |season| *season = changed), checks::taken);
    tx.respond(move |done| Json(SeasonView::of(&done[season]))).await
}
