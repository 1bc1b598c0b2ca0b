//! `POST /v1/leagues/{leagueId}/seasons`: makes a season with its teams.

use std::collections::BTreeSet;

use super::{SeasonView, check};
use crate::api::prelude::*;
use crate::api::teams::NewTeam;

/// A season to make.
#[derive(Debug, Body)]
#[body(read_only_of = SeasonView)]
pub(crate) struct NewSeason {
    /// Made by the server unless chosen; it must be free in all leagues.
    #[body(check = checks::id)]
    season_id: Option<SeasonId>,
    #[body(length = checks::NAME_LENGTH, check = checks::name, example = "Autumn 2026")]
    name: String,
    /// A readable name for addresses, which no other season of the league has.
    #[body(check = checks::slug, example = "autumn-2026")]
    slug: Patch<Slug>,
    #[body(example = "2026-03-01", label = "First day")]
    starts_on: Patch<Date>,
    /// Not before the first day.
    #[body(example = "2026-05-31", label = "Last day")]
    ends_on: Patch<Date>,
    /// 20, 25 or 30.
    #[body(example = 20, label = "Length of a third")]
    third_length_minutes: Option<u8>,
    /// What orders the table: wins, draws, conceded and scored unless set.
    #[body(items = 1..=6, unique)]
    ranking: Option<Vec<Ranking>>,
    /// Red, blue and yellow unless set.
    #[body(items = 3..=20)]
    teams: Option<Vec<NewTeam>>,
}

/// Makes a season with its teams.
#[operation(
    POST "/v1/leagues/{leagueId}/seasons", once,
    refuses(refusal::ADMINISTERING, IdTaken, SlugTaken)
)]
pub(crate) async fn create_season(
    app: &App,
    call: &Call<LeaguePath, NewSeason>,
) -> Answer<Created<SeasonView>> {
    let body = &call.body;
    let league = policy::league(app, call, &call.path.league_id, Action::Administer).await?.league;
    let season_id = checks::free_id(app, body.season_id.as_ref(), |id| app.db.season_rows(id));
    let season_id = season_id.await?;
    let teams = teams(body.teams.as_deref(), &season_id)?;
    let season = Season {
        league_id: league.league_id.clone(),
        season_id,
        name: body.name.clone(),
        slug: body.slug.value().cloned(),
        starts_on: body.starts_on.value().copied(),
        ends_on: body.ends_on.value().copied(),
        third_length_minutes: body.third_length_minutes.unwrap_or(THIRD_LENGTH_MINUTES),
        ranking: body.ranking.clone().unwrap_or_else(Ranking::usual),
        session_count: Some(0),
        team_count: u32::try_from(teams.len()).ok(),
        stamps: Stamps::default(),
    };
    check(&season)?;
    let seasons = counts::seasons(app, &league).await?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&league, |league| league.season_count = Some(seasons + 1)));
    for team in teams {
        tx.require_with(create(team), checks::taken);
    }
    let season = tx.require_with(create(season), checks::taken);
    tx.respond(move |done| Created(SeasonView::of(&done[season]))).await
}

/// Returns the teams of a new season.
fn teams(chosen: Option<&[NewTeam]>, season_id: &SeasonId) -> Result<Vec<Team>, Problem> {
    let Some(chosen) = chosen else {
        let names = ["Red", "Blue", "Yellow"];
        return names.map(|name| NewTeam::of_color(name).team(season_id)).into_iter().collect();
    };
    let teams: Vec<Team> =
        chosen.iter().map(|team| team.team(season_id)).collect::<Result<_, Problem>>()?;
    let ids: BTreeSet<&TeamId> = teams.iter().map(|team| &team.team_id).collect();
    if ids.len() < teams.len() {
        return Err(Problem::field("teams", "must have different ids"));
    }
    Ok(teams)
}
