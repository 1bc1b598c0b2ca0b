//! What is made of plate appearances: read here, worked out by the views.

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::time::Date;
use monotable_kit::{Problem, Reply, ReplyBody, Request};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use super::availability::player_not_found;
use super::games;
use super::scope::{self, all};
use crate::announce::{self, Standing, standing};
use crate::app::App;
use crate::entities::{AtBat, Game, GameKey, Player, PlayerLink, TeamType};
use crate::ids::{GameId, PlayerId, SeasonId, TeamId};
use crate::logbook;
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::views::box_score::{self, BoxScore};
use crate::views::career::{self, career};
use crate::views::leaders::{RateName, leaders};
use crate::views::player_card::{player_card, spray};
use crate::views::record::record;
use crate::views::team_stats::team_statistics;
use crate::views::{GameLog, Progress, Scope, csv, logs};

/// Games whose at-bats are read at the same time.
const GAMES_AT_ONCE: usize = 16;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    season_id: Option<SeasonId>,
    from: Option<Date>,
    to: Option<Date>,
    include_live: Option<bool>,
    format: Option<Format>,
    rate: Option<String>,
    minimum: Option<u64>,
    last: Option<usize>,
    team_id: Option<TeamId>,
    team_type: Option<TeamType>,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Format {
    Json,
    Csv,
}

impl Asked {
    /// The games of a team's statistics: those that are over, and if so asked the one that is played.
    fn scope(&self) -> Result<Scope, Problem> {
        let progress =
            if self.include_live == Some(true) { Progress::Live } else { Progress::Final };
        self.scope_of(progress)
    }

    /// The games of one player's statistics: all, or if so asked only those that are over.
    fn own_scope(&self) -> Result<Scope, Problem> {
        let progress =
            if self.include_live == Some(false) { Progress::Final } else { Progress::Any };
        self.scope_of(progress)
    }

    fn scope_of(&self, progress: Progress) -> Result<Scope, Problem> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Problem::field("from", format!("is behind {to}, where the days end")));
        }
        Ok(Scope { season: self.season_id.clone(), from: self.from, to: self.to, progress })
    }

    /// The answer in the form that is asked for.
    fn reply<V: Serialize>(&self, value: &V, table: impl FnOnce(&V) -> String) -> Reply {
        match self.format {
            Some(Format::Csv) => Reply::text(csv::CONTENT_TYPE, table(value)),
            Some(Format::Json) | None => Reply::ok(value),
        }
    }
}

/// `GET /games/{gameId}/live`.
pub(crate) async fn live(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(Reply::ok(&standing(&game, &at_bats)))
}

/// `GET /games/{gameId}/events`: how the game stands now, and again whenever that changes.
pub(crate) async fn events(app: &App, call: &Request) -> Result<Reply, Problem> {
    // Listening begins before the game is read, so that nothing between the two is missed.
    let game_id: GameId = call.id("gameId")?;
    let stream = app.events.subscribe(game_id.as_str());
    let (game, _) = scope::game(app, call, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    let stream = stream.first(announce::LIVE, &standing(&game, &at_bats));
    Ok(Reply::new(200, ReplyBody::Events(Box::pin(stream))))
}

/// `GET /games/{gameId}/boxscore`.
pub(crate) async fn boxscore(app: &App, call: &Request) -> Result<Reply, Problem> {
    let game_id: GameId = call.id("gameId")?;
    let game = scope::there(app.db.game(&game_id).consistent().await?)?;
    let member = scope::member(app, call, &game, Action::View);
    tokio::try_join!(member, told_box_score(app, &game)).map(|(_, reply)| reply)
}

/// The box score of a game, with where it stands.
pub(crate) async fn told_box_score(app: &App, game: &Game) -> Result<Reply, Problem> {
    #[derive(Serialize)]
    struct Told {
        #[serde(flatten)]
        score: BoxScore,
        live: Standing,
    }

    let roster = all(app.db.roster(&game.team_id).skip_unreadable());
    let (at_bats, roster) = tokio::try_join!(logbook::at_bats(app, game), roster)?;
    let score = box_score::of_game(game, &at_bats, &roster);
    let told = serde_json::to_string(&Told { score, live: standing(game, &at_bats) });
    let told = told.map_err(|error| Problem::internal(error.to_string()))?;
    Ok(Reply::new(200, ReplyBody::JsonText(told)))
}

/// `GET /teams/{teamId}/stats`.
pub(crate) async fn team(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let scope = asked.scope()?;
    let (logs, roster) = team_logs(app, call, &scope).await?;
    Ok(asked.reply(&team_statistics(&logs, &roster, &scope), csv::statistics))
}

/// `GET /teams/{teamId}/leaders`.
pub(crate) async fn team_leaders(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let rate = asked.rate.as_deref().and_then(RateName::read).unwrap_or(RateName::Avg);
    let scope = asked.scope()?;
    let (logs, roster) = team_logs(app, call, &scope).await?;
    let board = leaders(&logs, &roster, &scope, rate, asked.minimum);
    Ok(asked.reply(&board, csv::leaders))
}

/// `GET /teams/{teamId}/record`.
pub(crate) async fn team_record(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let scope = asked.scope()?;
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let games = games::of_team(app, &team_id).await?;
    Ok(asked.reply(&record(&games, &scope), csv::record))
}

/// The games of a team in a scope with their at-bats, and the roster, for members.
async fn team_logs(
    app: &App,
    call: &Request,
    scope: &Scope,
) -> Result<(Vec<GameLog>, Vec<Player>), Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::View).await?;
    let roster = all(app.db.roster(&team_id).skip_unreadable());
    let (mut games, roster) = tokio::try_join!(games::of_team(app, &team_id), roster)?;
    games.retain(|game| scope.has(game));
    Ok((with_at_bats(app, games).await?, roster))
}

/// Games with all their at-bats.
pub(crate) async fn with_at_bats(app: &App, games: Vec<Game>) -> Result<Vec<GameLog>, Problem> {
    let mut at_bats: Vec<AtBat> = Vec::new();
    for some in games.chunks(GAMES_AT_ONCE) {
        let mut reads = JoinSet::new();
        for game in some {
            reads.spawn(all(app.db.at_bats(&game.game_id).skip_unreadable()));
        }
        while let Some(read) = reads.join_next().await {
            let read = read.map_err(|error| Problem::internal(error.to_string()))?;
            at_bats.extend(read?);
        }
    }
    Ok(logs(games, at_bats))
}

/// `GET /players/{teamId}/{playerId}/stats`.
pub(crate) async fn player(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let scope = asked.own_scope()?;
    let (player_id, logs) = player_logs(app, call).await?;
    Ok(Reply::ok(&player_card(&logs, &player_id, &scope, asked.last.unwrap_or(5))))
}

/// `GET /players/{teamId}/{playerId}/spray`.
pub(crate) async fn player_spray(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let scope = asked.own_scope()?;
    let (player_id, logs) = player_logs(app, call).await?;
    Ok(Reply::page("points", spray(&logs, &player_id, &scope), None))
}

/// The games of a team, and a player of it, for members. All games, because who scores may not bat.
async fn player_logs(app: &App, call: &Request) -> Result<(PlayerId, Vec<GameLog>), Problem> {
    let (team_id, player_id): (TeamId, PlayerId) = (call.id("teamId")?, call.id("playerId")?);
    policy::authorize(app, call, &team_id, Action::View).await?;
    let player = app.db.player(&team_id, &player_id).await?.ok_or_else(player_not_found)?;
    let games = games::of_team(app, &player.team_id).await?;
    Ok((player_id, with_at_bats(app, games).await?))
}

/// The games that can be part of a career: those of the teams, and those that the players have batted
/// in. Those that are gone, or about to be, are left out.
async fn career_logs(app: &App, links: &[PlayerLink]) -> Result<Vec<GameLog>, Problem> {
    let mut games: BTreeMap<GameId, Game> = BTreeMap::new();
    let mut batted: BTreeSet<GameId> = BTreeSet::new();
    for link in links {
        let of_team = games::of_team(app, &link.team_id).await?;
        games.extend(of_team.into_iter().map(|game| (game.game_id.clone(), game)));
        let at_bats = all(app.db.at_bats_of(&link.player_id).skip_unreadable()).await?;
        batted.extend(at_bats.into_iter().map(|at_bat| at_bat.game_id));
    }
    let missing = batted.into_iter().filter(|game_id| !games.contains_key(game_id));
    let keys: Vec<GameKey> = missing.map(GameKey::new).collect();
    let others = app.db.games_by_key(&keys).await?.into_iter().flatten();
    let others = others.filter(|game| !game.is_deleting());
    with_at_bats(app, games.into_values().chain(others).collect()).await
}

/// `GET /users/{userId}/career`: one's own statistics across teams.
pub(crate) async fn own_career(app: &App, call: &Request) -> Result<Reply, Problem> {
    let asked: Asked = call.parameters()?;
    let user_id = policy::caller_themself(call)?;
    let account = app.db.user(&user_id).consistent().await?;
    if account.is_some_and(|account| !account.is_active()) {
        return Err(policy::account_deleted());
    }
    let links = all(app.db.career(&user_id).consistent().skip_unreadable()).await?;
    let logs = career_logs(app, &links).await?;
    let scope = asked.own_scope()?;
    let filter = career::Filter { team: asked.team_id, team_type: asked.team_type, scope };
    Ok(Reply::ok(&career(&links, &logs, &filter)))
}
