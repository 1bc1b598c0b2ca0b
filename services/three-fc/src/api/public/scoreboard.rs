//! A game as everybody sees it: score, clock and the last goals.

use std::collections::BTreeSet;

use super::{PublicPlayer, players};
use crate::api::avatars::Viewing;
use crate::api::prelude::*;
use crate::api::sheets::{self, Sheet};
use crate::rules::clock::{self, ShownTime};
use crate::rules::result::{leaders, tallies};
use crate::rules::{thirds, timeline};

/// Goals that are shown with the score.
const LAST_GOALS: usize = 5;

/// A game, as everybody sees it.
#[derive(View)]
#[view(of = Game)]
pub(crate) struct Scoreboard {
    pub(crate) game_id: GameId,
    pub(crate) league_id: LeagueId,
    pub(crate) season_id: SeasonId,
    pub(crate) session_id: SessionId,
    pub(crate) status: GameStatus,
    #[view(from = starts_at(), example = "2026-02-22T09:00:00.000Z")]
    pub(crate) game_start_ts: Timestamp,
    pub(crate) location: Option<String>,
    #[view(from = third_length(), example = 20)]
    pub(crate) third_length_minutes: u8,
    #[view(absent)]
    pub(crate) teams: Vec<TeamScore>,
    /// The teams that would win now: more than one in a draw, none before the first third.
    #[view(absent)]
    pub(crate) leading_team_ids: Vec<TeamId>,
    /// Absent until the game is finished, and after a draw.
    #[view(from = result.as_ref().and_then(|result| result.winner_team_id.clone()))]
    pub(crate) winner_team_id: Option<TeamId>,
    pub(crate) thirds: Vec<Third>,
    /// The clock of the running third.
    #[view(absent)]
    pub(crate) clock: Option<Clock>,
    /// The goals that were entered last, the latest first.
    #[view(absent)]
    pub(crate) last_goals: Vec<PublicGoal>,
    pub(crate) finished_at: Option<Timestamp>,
    #[view(version, from = stamps.version, example = 7)]
    pub(crate) ver: u64,
}

/// A team in a game with its goals.
#[derive(View)]
pub(crate) struct TeamScore {
    pub(crate) team_id: TeamId,
    #[view(example = "Red")]
    pub(crate) name: String,
    pub(crate) color: Option<String>,
    #[view(example = 2)]
    pub(crate) conceded: u16,
    #[view(example = 3)]
    pub(crate) scored: u16,
    /// Goals conceded in each third.
    pub(crate) conceded_by_third: Vec<u16>,
    /// Goals scored in each third.
    pub(crate) scored_by_third: Vec<u16>,
    /// How the game ended for the team.
    pub(crate) outcome: Option<Ending>,
}

/// The clock of the running third.
#[derive(View)]
pub(crate) struct Clock {
    #[view(example = 2)]
    pub(crate) third: u8,
    pub(crate) started_at: Timestamp,
    #[view(flatten)]
    pub(crate) time: ShownTime,
}

/// A goal, as everybody sees it.
#[derive(Clone, View)]
#[view(list = "goals")]
pub(crate) struct PublicGoal {
    pub(crate) event_id: EventId,
    #[view(example = 1)]
    pub(crate) third: u8,
    #[view(example = 12)]
    pub(crate) game_minute: u16,
    #[view(flatten)]
    pub(crate) time: ShownTime,
    /// null for an own goal.
    #[view(null)]
    pub(crate) scoring_team_id: Option<TeamId>,
    pub(crate) conceding_team_id: TeamId,
    pub(crate) scorer: PublicPlayer,
    pub(crate) assists: Vec<PublicPlayer>,
    pub(crate) own_goal: bool,
}

/// Reads a game as everybody sees it.
pub(crate) async fn scoreboard(app: &App, game: &Game) -> Result<Scoreboard, Problem> {
    let sheet = sheets::of(app, game).await?;
    let mut last: Vec<&Goal> = sheet.goals.iter().collect();
    last.sort_by_key(|goal| std::cmp::Reverse(timeline::entered(goal)));
    last.truncate(LAST_GOALS);
    let last_goals = public_goals(app, game, last).await?;
    Ok(Scoreboard { last_goals, ..standing(game, &sheet, app.db.now()) })
}

/// Shows goals with the nicknames of their players.
pub(crate) async fn public_goals(
    app: &App,
    game: &Game,
    goals: Vec<&Goal>,
) -> Result<Vec<PublicGoal>, Problem> {
    let mut ids = BTreeSet::new();
    for goal in &goals {
        ids.insert(goal.scorer_player_id.clone());
        ids.extend(goal.assist_player_ids.iter().cloned());
    }
    let players = players(app, ids).await?;
    let viewing = Viewing::of(app, None);
    let player = |player_id: &PlayerId| {
        let known = players.get(player_id);
        PublicPlayer {
            player_id: player_id.clone(),
            nickname: known.map(|player| player.nickname.clone()),
            avatar: known.and_then(|player| player.avatar.clone()),
            avatar_url: known.and_then(|player| viewing.url(player)),
        }
    };
    let show = |goal: &Goal| PublicGoal {
        event_id: goal.event_id.clone(),
        third: goal.third,
        game_minute: goal.game_minute,
        time: ShownTime::of(goal.game_minute, game.third_length()),
        scoring_team_id: goal.scored_by().cloned(),
        conceding_team_id: goal.conceding_team_id.clone(),
        scorer: player(&goal.scorer_player_id),
        assists: goal.assist_player_ids.iter().map(player).collect(),
        own_goal: goal.own_goal,
    };
    Ok(goals.into_iter().map(show).collect())
}

fn standing(game: &Game, sheet: &Sheet, now: Timestamp) -> Scoreboard {
    let tallies = tallies(&game.team_ids, &sheet.goals);
    let leading = if game.thirds.is_empty() { Vec::new() } else { leaders(&tallies) };
    let team = |tally: &Tally| {
        let known = game.teams.iter().find(|team| team.team_id == tally.team_id);
        TeamScore {
            team_id: tally.team_id.clone(),
            name: known.map_or_else(|| tally.team_id.to_string(), |team| team.name.clone()),
            color: known.and_then(|team| team.color.clone()),
            conceded: tally.conceded(),
            scored: tally.scored(),
            conceded_by_third: tally.conceded.clone(),
            scored_by_third: tally.scored.clone(),
            outcome: game.result.as_ref().and_then(|result| result.outcome(&tally.team_id)),
        }
    };
    let clock = thirds::running(&game.thirds).map(|third| Clock {
        third: third.n,
        started_at: third.started_at,
        time: ShownTime::of(clock::minute(now.since(third.started_at)), game.third_length()),
    });
    let teams = tallies.iter().map(team).collect();
    Scoreboard { teams, leading_team_ids: leading, clock, ..Scoreboard::of(game) }
}
