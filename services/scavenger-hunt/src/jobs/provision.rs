//! Writes the routes of a game whose levels and teams are written, and then lets players see it.

use monotable::model::time::Timestamp;
use monotable::model::{Store, create, edit};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};

use crate::api::games::create::place_id;
use crate::rules::route::Routes;
use crate::table::{
    Game, GameId, GameStatus, Level, LevelId, RowId, ScavengerHunt, ScavengerHuntReads as _,
    Stamps, Team, TeamLevel,
};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "provision-game";
/// Rows that a step writes. With the row of the game and the ticket they fit into one transaction.
const ROWS_AT_ONCE: usize = 98;

/// Returns the ticket that promises to write the routes of a game.
///
/// # Errors
/// Returns 500 if the id can't be written.
pub(crate) fn ticket(game_id: &GameId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, game_id.as_str(), game_id, now)
}

/// Returns how the routes of a game are made.
pub(crate) fn routes(game: &Game, levels: &[Level]) -> Routes {
    Routes {
        length: game.levels_in_game.map_or(levels.len(), |count| count as usize),
        mode: game.route_mode.unwrap_or_default(),
        seed: game.route_seed.unwrap_or(0),
    }
}

/// Writes the next rows of the routes; behind the last one, the game is ready.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    game_id: GameId,
    written: Option<usize>,
) -> Result<JobStep<ScavengerHunt, usize>, Problem> {
    let mut tx = db.transact();
    let Some(game) = db.game(&game_id).await? else { return Ok(JobStep::done(tx)) };
    let mut levels = db.levels(&game_id).all().await?;
    levels.sort_by_key(|level| level.position);
    let mut teams = db.teams(&game_id).all().await?;
    teams.sort_by_key(|team| team.position);
    let ids: Vec<LevelId> = levels.iter().map(|level| level.id.clone()).collect();
    let routes = routes(&game, &levels);
    let (written, length) = (written.unwrap_or(0), routes.length.max(1));
    let end = (written + ROWS_AT_ONCE).min(teams.len() * length);
    let mut route = (usize::MAX, Vec::new());
    for place in written..end {
        let (team, index) = (place / length, place % length);
        if route.0 != team {
            route = (team, routes.of(teams[team].position.unwrap_or(0), &ids));
        }
        tx.add(create(team_level(&game, &teams[team], &route.1[index], index)?));
    }
    if end < teams.len() * length {
        return Ok(JobStep::next(tx, end));
    }
    if game.status == Some(GameStatus::Provisioning) {
        tx.add(edit(&game, |game| game.status = Some(GameStatus::Ready)));
    }
    Ok(JobStep::done(tx))
}

fn team_level(
    game: &Game,
    team: &Team,
    level_id: &LevelId,
    index: usize,
) -> Result<TeamLevel, Problem> {
    let index = u32::try_from(index).map_err(Problem::internal)?;
    let id = place_id(game, &format!("route|{}", team.id), index);
    Ok(TeamLevel {
        id: RowId::new(id).map_err(Problem::internal)?,
        team_id: team.id.clone(),
        level_id: level_id.clone(),
        game_id: Some(game.id.clone()),
        index,
        started_at: None,
        paused_ms_at_start: None,
        completed_at: None,
        elapsed_ms: None,
        points: None,
        skipped: None,
        photo_id: None,
        photo_at: None,
        hints_used: 0,
        map_at: None,
        stamps: Stamps::default(),
    })
}
