//! `GET /games/{gameId}/lineup-proposal`: proposes a lineup.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::api::games;
use crate::api::prelude::*;
use crate::rules::lineup::PLAYERS_MAX;
use crate::rules::roster::{Who, sort_roster};
use crate::table::Answer as Reply;

/// Proposes a lineup of the available players, in the order that was used last.
#[operation(GET "/games/{gameId}/lineup-proposal", refuses(refusal::VIEWING_GAME))]
async fn propose_lineup(app: &App, call: &Call<GamePath>) -> Answer<Json<Proposal>> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let answers = app.db.availability(&game.game_id).consistent().skip_unreadable().all();
    let roster = app.db.roster(&game.team_id).consistent().skip_unreadable().all();
    let games = games::of_team(app, &game.team_id);
    let (answers, roster, games) = tokio::try_join!(answers, roster, games)?;
    Ok(Json(proposal(&game, roster, &answers, &games)).into())
}

/// A lineup to start from.
#[derive(Debug, View)]
pub(crate) struct Proposal {
    /// The game whose order is used.
    #[view(example = "g1")]
    last_used: Option<GameId>,
    /// The available players, in the order of that game, then those who were not in it.
    lineup: Vec<Proposed>,
    /// The players who may be available.
    maybe: Vec<Who>,
    /// The players without a reply.
    unanswered: Vec<Who>,
}

/// A player of a proposed lineup.
#[derive(Debug, View)]
pub(crate) struct Proposed {
    batting_order: usize,
    #[view(flatten)]
    who: Who,
}

/// Returns the lineup that results from the replies. Without any reply, all players are expected to
/// come.
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
    let said: BTreeMap<&PlayerId, Reply> =
        answers.iter().map(|answer| (&answer.player_id, answer.answer)).collect();
    let with = |wanted: Option<Reply>| {
        let said = |player: &&Player| said.get(&player.player_id).copied() == wanted;
        roster.iter().filter(said).map(Who::from).collect::<Vec<Who>>()
    };
    let (coming, unanswered) = if said.is_empty() {
        (with(None), Vec::new())
    } else {
        (with(Some(Reply::Yes)), with(None))
    };
    let lineup = coming.into_iter().take(PLAYERS_MAX).zip(1..);
    Proposal {
        last_used: last.map(|last| last.game_id.clone()),
        lineup: lineup.map(|(who, batting_order)| Proposed { batting_order, who }).collect(),
        maybe: with(Some(Reply::Maybe)),
        unanswered,
    }
}
