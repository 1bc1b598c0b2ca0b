//! `POST /games/{gameId}/atbats`: records a plate appearance.

use std::time::Duration;

use super::correction::ScoredGame;
use super::{AtBatView, PlayFields, audited, counted};
use crate::api::prelude::*;
use crate::rules::count::Count;
use crate::rules::play::Play;
use crate::rules::results::Outcome;
use crate::rules::results::order;
use crate::rules::{batting_order, insertion, scoring};

/// At-bats of a game at most.
const AT_BATS_MAX: usize = 200;

/// How far ids may be ahead of the clock. All later ids of the process start there, so the clock of
/// another process that is wrong by more is not followed.
const AHEAD_MS_MAX: u64 = 10_000;

/// A plate appearance to record.
#[derive(Debug, Body)]
#[body(read_only_of = AtBatView)]
pub(crate) struct NewAtBat {
    #[body(label = "Batter")]
    player_id: PlayerId,
    /// By default the batter's place in the lineup.
    #[body(range = 1..=99)]
    batting_order: Option<u8>,
    /// Inserts it before this one, which was played next. After the game only owners and managers
    /// can.
    before_at_bat_id: Option<AtBatId>,
    #[body(words = Outcome::ACCEPTED, example = "1B")]
    result: String,
    #[body(flatten)]
    play: PlayFields,
}

/// Records a plate appearance. By default the game gives the inning and the outs.
#[operation(
    POST "/games/{gameId}/atbats", once, queue = game_id,
    refuses(refusal::SCORING, PlayerNotOnTeam, AtBatNotFound, LineupRequired, LimitReached, NoRoom)
)]
pub(crate) async fn record_at_bat(
    app: &App,
    call: &Call<GamePath, NewAtBat>,
) -> Answer<Created<AtBatView>> {
    let NewAtBat { player_id, before_at_bat_id, .. } = &call.body;
    let game = scope::stored_game(app, &call.path.game_id).await?;
    let team_id = game.team_id.clone();
    let player = async { Ok(app.db.player(&team_id, player_id).consistent().await?) };
    let (scored, player) = tokio::try_join!(ScoredGame::of(app, call, game), player)?;
    match (scored.game.status, before_at_bat_id) {
        (GameStatus::InProgress, _) => {}
        (GameStatus::Final, Some(_)) => scored.granted.allow(Action::CorrectFinal)?,
        _ => return Err(Refusal::GameNotInProgress.into()),
    }
    let player = player.ok_or_else(|| not_on_team(std::slice::from_ref(player_id)))?;
    if scored.at_bats.len() >= AT_BATS_MAX {
        let text = format!("A game has {AT_BATS_MAX} at-bats at most.");
        return Err(Refusal::LimitReached.text(text).with("limit", AT_BATS_MAX));
    }
    let at_bat = recorded(app, &scored, &player, &call.body)?;
    let score = scoring::runs(scored.at_bats.iter().chain([&at_bat]));
    let entry = audited(app, call, &scored.game, "insertAtBat", &at_bat)?
        .map(|entry| entry.is("result", at_bat.result.as_str()));
    // The logbook need not copy the at-bats if nothing else reads them.
    let ScoredGame { game, .. } = scored;
    let mut tx = scope::change(app, call, &team_id);
    let at_bat = tx.add(create(at_bat));
    tx.add(counted(&game, score));
    tx.add(player.count_plate_appearances(1));
    if let Some(entry) = entry {
        tx.add(create(entry));
    }
    tx.after(|done| app.logbook.add(&game, done[at_bat].clone()))
        .afterwards(announce::game(app, &game.game_id))
        .respond(move |done| Created(AtBatView::of(&done[at_bat])))
        .await
}

/// Returns the plate appearance that a request describes: after all others, or before the one that
/// it names. An inserted one can belong to a player who has left the lineup since.
///
/// # Errors
/// Returns 404 if the named one does not exist, and errors for violated rules.
fn recorded(
    app: &App,
    scored: &ScoredGame<'_>,
    player: &Player,
    body: &NewAtBat,
) -> Result<AtBat, Problem> {
    let ScoredGame { granted, game, at_bats, .. } = scored;
    let (index, known) = match &body.before_at_bat_id {
        Some(id) => (batting_order::position(at_bats, id)?, &at_bats[..]),
        None => (at_bats.len(), &[] as _),
    };
    let place = batting_order::place(&granted.team, game, player, known)?;
    let places = game.lineup.len().max(1);
    if let Some(order) = body.batting_order.filter(|order| usize::from(*order) > places) {
        let text = format!("is {order}, but the lineup has {places} places");
        return Err(Problem::field("battingOrder", text));
    }
    let mut scorers = batting_order::scorers(game, known);
    scorers.push(player.player_id.clone());
    let (before, next) = (&at_bats[..index], at_bats.get(index));
    let at_bat_id = match next {
        Some(next) => {
            let mut random = [0; 4];
            app.randomness.fill(&mut random);
            insertion::id_between(u32::from_be_bytes(random), before.last(), next)?
        }
        None => next_id(app, before)?,
    };
    let now = app.db.now();
    let mut at_bat = AtBat {
        game_id: game.game_id.clone(),
        at_bat_id,
        player_id: player.player_id.clone(),
        team_id: game.team_id.clone(),
        result: String::new(),
        inning: 0,
        outs: 0,
        batting_order: body.batting_order.unwrap_or(place),
        hit_location: None,
        hit_type: None,
        rbis: None,
        outs_on_play: None,
        runs_scored: None,
        ends_inning: None,
        situation_mismatch: None,
        happened_at: next.map(AtBat::played_at),
        stamps: Stamps { created: now, updated: now, ..Stamps::default() },
    };
    let play = Play { result: Some(&body.result), fields: &body.play };
    play.apply(&mut at_bat, Count::after_all(game, before))?;
    play.check(&at_bat, &scorers)?;
    Ok(at_bat)
}

/// Returns an id after that of the last at-bat, also when another process recorded it or the clock was set
/// back.
fn next_id(app: &App, before: &[AtBat]) -> Result<AtBatId, Problem> {
    let (now, id): (_, AtBatId) = (app.db.now(), app.new_id()?);
    let last_ms = before.last().map_or(i64::MIN, |last| order(last).0);
    if last_ms < now.as_ms() || before.last().is_some_and(|last| is_before(last, &id, now)) {
        return Ok(id);
    }
    let ahead_ms = u64::try_from(last_ms - now.as_ms() + 1).unwrap_or_default();
    if ahead_ms > AHEAD_MS_MAX {
        return Ok(id);
    }
    let text = app.ids.next(now + Duration::from_millis(ahead_ms));
    AtBatId::new(text).map_err(|error| Problem::internal(error.to_string()))
}

fn is_before(last: &AtBat, id: &AtBatId, now: Timestamp) -> bool {
    order(last) < (now.as_ms(), id)
}
