//! Games of older programs, which did not write teams, tallies and results.

use std::collections::BTreeSet;

use monotable::model::{Error, Store};
use monotable_kit::Problem;

use crate::api::game_change::write_game;
use crate::api::games::{TEAMS, teams};
use crate::api::sheets::{self, Sheet};
use crate::app::App;
use crate::table::{
    Game, GameId, GameResult, GameStatus, GameTeam, SessionGame, TeamId, TeamSnapshot, ThreeFc,
    ThreeFcReads as _,
};

/// Adds the teams of a game that has none: those of its line-ups and goals, and then those of its season.
pub(crate) async fn with_teams(
    db: &Store<ThreeFc>,
    mut game: Game,
    sheet: &Sheet,
) -> Result<Game, Problem> {
    if !game.team_ids.is_empty() {
        return Ok(game);
    }
    let mut played: BTreeSet<&TeamId> = sheet.roster.iter().map(|entry| &entry.team_id).collect();
    for goal in &sheet.goals {
        played.extend(goal.scoring_team_id.iter().chain([&goal.conceding_team_id]));
    }
    let season = teams::of_season(db, &game.season_id).await?;
    let missing = TEAMS.saturating_sub(played.len());
    let others = season.iter().filter(|team| !played.contains(&team.team_id)).take(missing);
    let others: Vec<TeamSnapshot> = others.cloned().collect();
    let played = played.into_iter().map(|team_id| TeamSnapshot::of(team_id, &season));
    game.teams = played.chain(others).collect();
    game.team_ids = game.teams.iter().map(|team| team.team_id.clone()).collect();
    Ok(game)
}

/// Returns a game as it is shown: with its teams, and with the names that other programs gave them in this game.
pub(crate) async fn shown(app: &App, mut game: Game) -> Result<Game, Problem> {
    if game.team_ids.is_empty() {
        let sheet = sheets::of(app, &game).await?;
        game = with_teams(&app.db, game, &sheet).await?;
    }
    for GameTeam { team_id, name, color, .. } in
        app.db.game_teams(&game.game_id).skip_unreadable().all().await?
    {
        if let Some(team) = game.teams.iter_mut().find(|team| team.team_id == team_id) {
            (team.name, team.color) = (name, color);
        }
    }
    Ok(game)
}

/// Adds to a game in a list what older programs did not write there.
pub(crate) async fn complete_listed(app: &App, row: &mut SessionGame) -> Result<(), Problem> {
    match row.status {
        None => {}
        Some(GameStatus::Finished) if row.result.is_none() => {}
        Some(_) => return Ok(()),
    }
    let Some(game) = app.db.game(&row.game_id).await? else { return Ok(()) };
    let game = shown(app, game).await?;
    row.status = Some(game.status);
    row.teams.clone_from(&game.teams);
    row.result.clone_from(&game.result);
    if game.status == GameStatus::Finished && row.result.is_none() {
        row.result = Some(result(&app.db, game).await?);
    }
    Ok(())
}

/// Returns the result of a finished game, also if an older program did not write it.
async fn result(db: &Store<ThreeFc>, game: Game) -> Result<GameResult, Problem> {
    let sheet = sheets::read(db, &game.game_id).await?;
    let game = with_teams(db, game, &sheet).await?;
    Ok(GameResult::of(&game.team_ids, &sheet.roster, &sheet.goals))
}

/// Writes the teams, the tallies, the result and the appearances of a game that lacks them. Returns whether
/// it did.
pub(crate) async fn complete(db: &Store<ThreeFc>, game_id: &GameId) -> Result<bool, Problem> {
    let Some(old) = db.game(game_id).await? else { return Ok(false) };
    let is_listed = old.result.as_ref().is_some_and(|result| result.listed_start.is_some());
    let lacks_result = old.status == GameStatus::Finished && !is_listed;
    if old.status == GameStatus::Deleting || (!old.team_ids.is_empty() && !lacks_result) {
        return Ok(false);
    }
    let sheet = sheets::read(db, game_id).await?;
    let new = with_teams(db, old.clone(), &sheet).await?;
    let mut tx = db.transact();
    write_game(&mut tx, &old, new, &sheet.goals.iter().collect::<Vec<_>>(), &sheet.roster);
    match tx.commit().await {
        Ok(_) => Ok(true),
        // A request was faster, and has written them.
        Err(Error::Transaction { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
