//! A change of a game: its fields and its status, in one transaction.

use std::collections::BTreeSet;

use serde_json::Value;

use super::lineup::PlayerChanges;
use super::{GameFields, GameView, active, lineup, season_places};
use crate::api::prelude::*;
use crate::rules::lineup::counted;
use crate::rules::scoring;
use crate::rules::transitions::{ActiveGameEffect, Transition};

/// Changes a game: its fields, and its status by a transition that the operation or the status in
/// the body determines.
///
/// # Errors
///
/// Returns 403 and 404 for callers without permission, 409 for a transition that its status does
/// not allow.
pub(super) async fn change(
    app: &App,
    call: &Request,
    game_id: &GameId,
    fields: &GameFields,
    named: Option<Transition>,
) -> Answer<Json<GameView>> {
    let (old, granted) = scope::game(app, call, game_id, Action::ManageGames).await?;
    if old.status == GameStatus::Final {
        granted.allow(Action::CorrectFinal)?;
    }
    call.check_version(old.stamps.version)?;
    let transition = match (named, fields.status) {
        (Some(named), _) => named.check(old.status).map(|()| Some(named))?,
        (None, Some(status)) => Transition::between(old.status, status)?,
        (None, None) => None,
    };
    let new = changed(app, &old, fields, transition).await?;
    // Batters must be eligible, and a team with a roster needs a lineup during a game.
    let names_lineup = fields.names_lineup();
    if names_lineup {
        lineup::check(app, &new.team_id, &new.lineup).await?;
    }
    let kind = granted.team.kind();
    let is_emptied = names_lineup && new.lineup.is_empty();
    if old.status == GameStatus::InProgress && is_emptied && kind == TeamType::Managed {
        let text = "A game in progress needs a lineup; it can't be emptied.";
        return Err(Refusal::LineupRequired.text(text));
    }
    let must_play = names_lineup || transition == Some(Transition::Start);
    if must_play && new.status == GameStatus::InProgress {
        lineup::require_playable(app, kind, &new).await?;
    }
    let players = PlayerChanges {
        before: counted(&old),
        after: counted(&new),
        playing: if must_play { &new.lineup } else { &[] },
    };
    let mut tx = scope::change(app, call, &old.team_id);
    let game = tx.add(edit(&old, |game| game.clone_from(&new)));
    write(app, call, &mut tx, &old, &new, transition).await?;
    players.add_to(&mut tx, &new.team_id);
    let done = tx
        .afterwards(announce::game(app, game_id))
        .respond(move |done| Json(GameView::of(&done[game])));
    match done.await {
        Err(problem) => Err(active::name_active_game(app, &old, problem).await),
        answer => answer,
    }
}

/// Returns the game after the change.
async fn changed(
    app: &App,
    old: &Game,
    fields: &GameFields,
    transition: Option<Transition>,
) -> Result<Game, Problem> {
    let mut new = old.clone();
    fields.apply_to(&mut new)?;
    if transition == Some(Transition::Reschedule) && fields.scheduled_start.value().is_none() {
        return Err(Problem::field("scheduledStart", "must contain the new time of the game"));
    }
    if let Some(transition) = transition {
        transition.apply(&mut new, app.db.now());
    }
    if transition == Some(Transition::Reopen) && !fields.names_lineup() {
        // A player who was removed since never batted, and can't bat any more.
        let gone = lineup::missing(app, &old.team_id, &new.lineup, |_| true).await?;
        new.lineup.retain(|player| !gone.contains(player));
    }
    // Lineups are counted only in the rows of players who are known to exist.
    if fields.names_lineup() || matches!(transition, Some(Transition::Start | Transition::Reopen)) {
        new.lineup_counted = Some(true);
    }
    if old.started_at.is_some() && new.lineup != old.lineup {
        new.lineup_changed = Some(true);
    }
    if new.score_mode == ScoreMode::Auto && old.score_mode != ScoreMode::Auto {
        new.team_score = scoring::runs(&app.db.at_bats(&old.game_id).consistent().all().await?);
    }
    Ok(new)
}

/// Adds the effects of the status and the season of a changed game to its transaction.
async fn write(
    app: &App,
    call: &Request,
    tx: &mut Change<'_>,
    old: &Game,
    new: &Game,
    transition: Option<Transition>,
) -> Result<(), Problem> {
    match transition.map_or(ActiveGameEffect::None, Transition::active_game) {
        ActiveGameEffect::Claim => active::claim(tx, new),
        ActiveGameEffect::Release => {
            if let Some(released) = active::release(&app.db, &old.team_id, &old.game_id).await? {
                tx.expect(released);
            }
        }
        ActiveGameEffect::None => {}
    }
    if new.season_id != old.season_id {
        tx.add(season_places::release(&old.team_id, old.season_id.as_ref()));
        season_places::take(tx, new);
    }
    if old.status == GameStatus::Final {
        let action = transition.map_or_else(|| "updateGame".to_owned(), Transition::operation);
        let entity = format!("GAME#{}", old.game_id);
        let entry = audit::entry(app, call, &old.team_id, &action, entity)?;
        tx.add(create(summarised(entry, old, new)));
    }
    Ok(())
}

/// Adds all changes of a game to an audit entry.
fn summarised(mut entry: Audit, old: &Game, new: &Game) -> Audit {
    let (Value::Object(old), Value::Object(new)) =
        (json!(GameView::of(old)), json!(GameView::of(new)))
    else {
        return entry;
    };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names.into_iter().filter(|name| old.get(*name) != new.get(*name)) {
        if let Some(value) = old.get(name) {
            entry = entry.was(name, plain(value));
        }
        if let Some(value) = new.get(name) {
            entry = entry.is(name, plain(value));
        }
    }
    entry
}

/// Returns a value as text in the audit: texts unchanged, everything else as JSON.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
