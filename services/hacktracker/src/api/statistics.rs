//! Statistics, computed from at-bats by the rules.

pub(crate) mod box_score;
pub(crate) mod career;
pub(crate) mod events;
pub(crate) mod leaders;
pub(crate) mod live;
pub(crate) mod player;
pub(crate) mod record;
pub(crate) mod spray;
pub(crate) mod team;

use monotable_kit::csv;
use tokio::task::JoinSet;

use super::games;
use crate::api::prelude::*;
use crate::rules::{GameLog, Progress, Scope, logs};

/// Games whose at-bats are read at the same time.
const GAMES_AT_ONCE: usize = 16;

/// The games that count.
#[derive(Debug, Body)]
pub(crate) struct GamesQuery {
    /// Of this season only.
    season_id: Option<SeasonId>,
    /// From this day on.
    #[body(example = "2026-05-01")]
    from: Option<Date>,
    /// Until this day.
    to: Option<Date>,
}

impl GamesQuery {
    /// Returns the games of a team's statistics: final ones, and on request the active one.
    fn of_team(&self, include_live: Option<bool>) -> Result<Scope, Problem> {
        self.scope(if include_live == Some(true) { Progress::Live } else { Progress::Final })
    }

    /// Returns the games of one player's statistics: all, or on request only final ones.
    fn of_player(&self, include_live: Option<bool>) -> Result<Scope, Problem> {
        self.scope(if include_live == Some(false) { Progress::Final } else { Progress::Any })
    }

    fn scope(&self, progress: Progress) -> Result<Scope, Problem> {
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(Problem::field("from", format!("is after {to}, the end of the range")));
        }
        Ok(Scope { season: self.season_id.clone(), from: self.from, to: self.to, progress })
    }
}

/// The format of a table.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    Json,
    Csv,
}

/// 200 with a view, or with a table of the same data.
pub(crate) enum Table<V> {
    Json(V),
    Csv(String),
}

impl<V> Table<V> {
    /// Returns a view in the requested format: JSON by default.
    fn of(view: V, format: Option<Format>, table: impl FnOnce(&V) -> String) -> Self {
        match format {
            Some(Format::Csv) => Self::Csv(table(&view)),
            Some(Format::Json) | None => Self::Json(view),
        }
    }
}

impl<V: View + 'static> Response for Table<V> {
    const MEDIA_TYPES: &'static [&'static str] = &["application/json", "text/csv"];

    fn describe() -> Answered {
        Json::<V>::describe()
    }

    fn into_reply(self) -> Reply {
        match self {
            Self::Json(view) => Json(view).into_reply(),
            Self::Csv(table) => Reply::text(csv::CONTENT_TYPE, table),
        }
    }
}

/// Authorizes a member, and returns the games of a team in a scope with their at-bats, and the
/// roster.
async fn team_logs(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    scope: &Scope,
) -> Result<(Vec<GameLog>, Vec<Player>), Problem> {
    policy::authorize(app, call, team_id, Action::View).await?;
    let roster = app.db.roster(team_id).skip_unreadable().all();
    let (mut games, roster) = tokio::try_join!(games::of_team(app, team_id), roster)?;
    games.retain(|game| scope.has(game));
    Ok((with_at_bats(app, games).await?, roster))
}

/// Authorizes a member, and returns the games of a player's team: all, because a player can score without
/// batting.
async fn player_logs(
    app: &App,
    call: &Request,
    path: &PlayerPath,
) -> Result<Vec<GameLog>, Problem> {
    policy::authorize(app, call, &path.team_id, Action::View).await?;
    let player = app.db.player(&path.team_id, &path.player_id).await?;
    let player = player.ok_or(Refusal::PlayerNotFound)?;
    with_at_bats(app, games::of_team(app, &player.team_id).await?).await
}

/// Returns games with all their at-bats.
pub(crate) async fn with_at_bats(app: &App, games: Vec<Game>) -> Result<Vec<GameLog>, Problem> {
    let mut at_bats: Vec<AtBat> = Vec::new();
    for some in games.chunks(GAMES_AT_ONCE) {
        let mut reads = JoinSet::new();
        for game in some {
            reads.spawn(app.db.at_bats(&game.game_id).skip_unreadable().all());
        }
        while let Some(read) = reads.join_next().await {
            let read = read.map_err(|error| Problem::internal(error.to_string()))?;
            at_bats.extend(read?);
        }
    }
    Ok(logs(games, at_bats))
}
