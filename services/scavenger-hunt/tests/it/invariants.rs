//! What must hold whatever happened.

use std::collections::{BTreeMap, BTreeSet};

use monotable_scavenger_hunt::rules::progress::Route;
use monotable_scavenger_hunt::table::{
    Game, GameStatus, LegacyRow, Photo, ScavengerHuntReads as _, Team, TeamId, TeamLevel, User,
};
use monotable_testkit::service::oracle;

use crate::world::World;

/// The rows of a table.
#[derive(Default)]
struct Rows {
    games: Vec<Game>,
    teams: Vec<Team>,
    users: Vec<User>,
    photos: Vec<Photo>,
    routes: BTreeMap<TeamId, Vec<TeamLevel>>,
}

async fn read(world: &World) -> Rows {
    let mut rows = Rows::default();
    let mut stream = world.app.db.legacy_rows().stream();
    while let Some(row) = stream.next().await {
        match row.unwrap() {
            LegacyRow::Game(row) => rows.games.push(row),
            LegacyRow::Team(row) => rows.teams.push(row),
            LegacyRow::User(row) => rows.users.push(row),
            LegacyRow::Photo(row) => rows.photos.push(row),
            LegacyRow::TeamLevel(row) => {
                rows.routes.entry(row.team_id.clone()).or_default().push(row);
            }
            LegacyRow::Level(_)
            | LegacyRow::Message(_)
            | LegacyRow::CoordinateSnapshot(_)
            | LegacyRow::CheckpointEvent(_) => {}
        }
    }
    rows
}

/// What must hold at every moment: what a team's row adds up to is what its route says, a route has no gaps and no level that
/// is completed behind an open one unless an organiser has opened it again, users are counted, only teams that are done
/// have won, and every photo that a row names is stored.
pub(crate) async fn always(world: &World) -> Vec<String> {
    let rows = read(world).await;
    let mut wrong = oracle::index_differences(world);
    for team in &rows.teams {
        let route = rows.routes.get(&team.id).cloned().unwrap_or_default();
        let route = Route::new(route);
        let tally = route.tally();
        let is_written = route.levels().len() == team.tally.levels as usize;
        if is_written && tally != team.tally {
            wrong.push(format!("{}: {:?} instead of {tally:?}", team.id, team.tally));
        }
        let users = rows.users.iter().filter(|user| user.team_id == team.id).count();
        // When personal data is removed, the counts stay.
        let is_over =
            |game: &Game| matches!(game.status, Some(GameStatus::Ended | GameStatus::Archived));
        let is_counted = rows.games.iter().any(|game| game.id == team.game_id && !is_over(game));
        if is_counted && users != team.user_count as usize {
            wrong.push(format!("{}: {} users instead of {users}", team.id, team.user_count));
        }
        for level in route.levels() {
            if level.completed_at.is_some() && level.started_at.is_none() {
                wrong.push(format!("{level:?} was never started"));
            }
        }
    }
    for game in &rows.games {
        if let Some(winner) = &game.winner_team_id
            && !rows.teams.iter().any(|team| team.id == *winner)
        {
            wrong.push(format!("{winner} has won, and is no team"));
        }
    }
    let stored: BTreeSet<String> =
        world.setting().blobs.keys().into_iter().map(|key| key.to_string()).collect();
    for photo in &rows.photos {
        let key = format!("scavenger-hunt/{}", photo.object_key.clone().unwrap_or_default());
        if !stored.contains(&key) {
            wrong.push(format!("{key} is not stored"));
        }
    }
    wrong
}

/// What must hold when all work is done: games are ready, with the routes of all teams, and of users that are gone nothing is
/// left.
pub(crate) async fn quiet(world: &World) -> Vec<String> {
    let rows = read(world).await;
    let mut wrong = always(world).await;
    let db = &world.app.db;
    for game in &rows.games {
        let teams: Vec<&Team> = rows.teams.iter().filter(|team| team.game_id == game.id).collect();
        if game.status == Some(GameStatus::Provisioning) && !teams.is_empty() {
            // The request that sets it up was killed before it has promised the rest.
            continue;
        }
        for team in teams {
            let route = rows.routes.get(&team.id).map_or(0, Vec::len);
            if game.status.is_some() && route != team.tally.levels as usize {
                wrong.push(format!("{}: {route} levels instead of {}", team.id, team.tally.levels));
            }
        }
    }
    for photo in &rows.photos {
        let has_user = rows.users.iter().any(|user| user.id == photo.user_id);
        if !has_user {
            wrong.push(format!("a photo of {} is left", photo.user_id));
        }
    }
    for (team_id, _) in rows.routes {
        if !rows.teams.iter().any(|team| team.id == team_id) {
            wrong.push(format!("the route of {team_id} is left"));
        }
    }
    for user in &rows.users {
        let Some(game_id) = &user.game_id else { continue };
        let member = db.game_membership(&user.id, game_id).await.unwrap();
        if member.is_none_or(|member| member.team_id != user.team_id) {
            wrong.push(format!("{} is kept in no team", user.id));
        }
    }
    wrong
}
