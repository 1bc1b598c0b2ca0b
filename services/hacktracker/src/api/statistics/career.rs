//! `GET /users/{userId}/career`: returns one's own statistics across teams.

use std::collections::{BTreeMap, BTreeSet};

use super::with_at_bats;
use crate::api::games;
use crate::api::prelude::*;
use crate::rules::career::{Career, Filter, career};
use crate::rules::{GameLog, Progress, Scope};

/// The part of the career that counts.
#[derive(Debug, Body)]
pub(crate) struct CareerQuery {
    team_id: Option<TeamId>,
    #[body(words = &["MANAGED", "PERSONAL"], alias("team_type"))]
    team_type: Option<TeamType>,
    season_id: Option<SeasonId>,
    /// false leaves out unfinished games.
    include_live: Option<bool>,
}

/// Returns one's own statistics across teams, former teams included.
#[operation(GET "/users/{userId}/career", refuses(NotSelf))]
async fn get_career(app: &App, call: &Call<UserPath, (), CareerQuery>) -> Answer<Json<Career>> {
    let user_id = policy::caller(call)?;
    if user_id != call.path.user_id {
        return Err(Refusal::NotSelf.into());
    }
    let account = app.db.user(&user_id).consistent().await?;
    if account.is_some_and(|account| !account.is_active()) {
        return Err(policy::account_deleted());
    }
    let links = app.db.career(&user_id).consistent().skip_unreadable().all().await?;
    let logs = career_logs(app, &links).await?;
    let CareerQuery { team_id, team_type, season_id, include_live } = &call.query;
    let progress = if *include_live == Some(false) { Progress::Final } else { Progress::Any };
    let scope = Scope { season: season_id.clone(), progress, ..Scope::default() };
    let filter = Filter { team: team_id.clone(), team_type: *team_type, scope };
    Ok(Json(career(&links, &logs, &filter)).into())
}

/// Returns the games that can be part of a career: those of the teams, and those in which the
/// players have batted, except deleted ones.
async fn career_logs(app: &App, links: &[PlayerLink]) -> Result<Vec<GameLog>, Problem> {
    let mut games: BTreeMap<GameId, Game> = BTreeMap::new();
    let mut batted: BTreeSet<GameId> = BTreeSet::new();
    for link in links {
        let of_team = games::of_team(app, &link.team_id).await?;
        games.extend(of_team.into_iter().map(|game| (game.game_id.clone(), game)));
        let at_bats = app.db.at_bats_of(&link.player_id).skip_unreadable().all().await?;
        batted.extend(at_bats.into_iter().map(|at_bat| at_bat.game_id));
    }
    let missing = batted.into_iter().filter(|game_id| !games.contains_key(game_id));
    let keys: Vec<GameKey> = missing.map(GameKey::new).collect();
    let others = app.db.games_by_key(&keys).await?.into_iter().flatten();
    let others = others.filter(|game| !game.is_deleting());
    with_at_bats(app, games.into_values().chain(others).collect()).await
}
