//! Who comes to a game, and the lineup that follows from it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use monotable::model::{Entity as _, check, put};
use monotable_kit::{Problem, Reply, Request};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::games;
use super::scope::{self, all};
use crate::app::App;
use crate::entities::{Answer, Availability, Game, Player, PlayerStatus, Times, game};
use crate::ids::{GameId, PlayerId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;
use crate::views::roster::{Who, sort_roster};

#[derive(Deserialize)]
struct Said {
    answer: Answer,
}

/// `PUT /games/{gameId}/rsvp/{playerId}`: players say it for themselves, managers for everybody.
pub(crate) async fn set(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Said { answer } = call.read()?;
    let player_id: PlayerId = call.id("playerId")?;
    let (game, granted) = scope::game(app, call, Action::View).await?;
    let player = app.db.player(&game.team_id, &player_id).consistent().await?;
    let player = player.ok_or_else(player_not_found)?;
    if player.user_id.as_ref() != Some(granted.user_id()) {
        granted.allow(Action::ManageRoster)?;
    }
    let availability = Availability {
        game_id: game.game_id.clone(),
        player_id,
        answer,
        answered_by: granted.user_id().clone(),
        stamps: Times::default(),
    };
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&game.team_id));
    tx.add(check(&game.key(), game::deleting().absent()));
    tx.add(put(availability.clone()));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |_| Reply::ok(&show::availability(&availability)))
        .await
}

/// `GET /games/{gameId}/rsvp`.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    let answers = all(app.db.availability(&game.game_id).skip_unreadable()).await?;
    Ok(Reply::page("rsvps", answers.iter().map(show::availability), None))
}

/// `GET /games/{gameId}/lineup-proposal`.
pub(crate) async fn propose(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (game, _) = scope::game(app, call, Action::View).await?;
    let answers = all(app.db.availability(&game.game_id).consistent().skip_unreadable());
    let roster = all(app.db.roster(&game.team_id).consistent().skip_unreadable());
    let games = games::of_team(app, &game.team_id);
    let (answers, roster, games) = tokio::try_join!(answers, roster, games)?;
    Ok(Reply::ok(&json!(proposal(&game, roster, &answers, &games))))
}

/// A lineup to start from.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Proposal {
    /// The game whose order is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_used: Option<GameId>,
    /// Those who come, in the order of that game; behind them those who were not in it.
    lineup: Vec<Proposed>,
    /// Those who may come.
    maybe: Vec<Who>,
    /// Those who have not said anything.
    unanswered: Vec<Who>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Proposed {
    batting_order: usize,
    #[serde(flatten)]
    who: Who,
}

/// The lineup that the answers make. If nobody has said anything, everybody is taken to come.
fn proposal(
    game: &Game,
    mut roster: Vec<Player>,
    answers: &[Availability],
    games: &[Game],
) -> Proposal {
    let last = games
        .iter()
        .filter(|other| other.game_id != game.game_id && !other.lineup.is_empty())
        .filter(|other| other.started_at.or(other.finished_at).is_some())
        .max_by_key(|other| (other.started_at, other.played_at(), other.game_id.clone()));
    let used = last.map_or(&[][..], |last| &last.lineup);
    sort_roster(&mut roster);
    roster.retain(|player| player.status != PlayerStatus::Inactive);
    let place = |player: &Player| used.iter().position(|id| *id == player.player_id);
    roster.sort_by_key(|player| (Reverse(place(player).is_some()), place(player)));
    let said: BTreeMap<&PlayerId, Answer> =
        answers.iter().map(|answer| (&answer.player_id, answer.answer)).collect();
    let with = |wanted: Option<Answer>| {
        let said = |player: &&Player| said.get(&player.player_id).copied() == wanted;
        roster.iter().filter(said).map(Who::from).collect::<Vec<Who>>()
    };
    let (coming, unanswered) = match said.is_empty() {
        true => (with(None), Vec::new()),
        false => (with(Some(Answer::Yes)), with(None)),
    };
    let lineup = coming.into_iter().take(games::lineup::PLAYERS_MAX).zip(1..);
    Proposal {
        last_used: last.map(|last| last.game_id.clone()),
        lineup: lineup.map(|(who, batting_order)| Proposed { batting_order, who }).collect(),
        maybe: with(Some(Answer::Maybe)),
        unanswered,
    }
}

/// 404 for a player who is not on the team.
pub(crate) fn player_not_found() -> Problem {
    Problem::not_found("PLAYER_NOT_FOUND", "There is no such player.")
}
