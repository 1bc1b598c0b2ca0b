//! `POST /api/games/{gameId}/control`: starts, pauses, and resets the clock.

use crate::api::announce;
use crate::api::dashboard::ClockView;
use crate::api::prelude::*;

/// What the clock shall do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ClockAction {
    /// Starts the game.
    Start,
    /// Stops all times.
    Pause,
    /// Lets all times go on.
    #[serde(alias = "resume")]
    Unpause,
    /// Takes the start back.
    Reset,
}

/// An order to the clock.
#[derive(Debug, Body)]
pub(crate) struct Order {
    #[body(alias("command"), example = "start")]
    action: ClockAction,
    /// Resets a clock that is running.
    #[body(default)]
    force: bool,
}

/// Starts the game, pauses it, lets it go on, or takes the start back. All times of players stand still in a pause.
#[operation(
    POST "/api/games/{gameId}/control", once,
    refuses(refusal::CONTROLLING, ClockConflict, ClockRunning, Provisioning, GameEnded)
)]
pub(crate) async fn control_game(
    app: &App,
    call: &Call<GamePath, Order>,
) -> Answer<Json<ClockView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let control = app.db.control(&game.id).await?;
    let now = app.db.now();
    let state = GameState::of(&game, control.as_ref(), now);
    Refusal::Provisioning.unless(state != GameState::Provisioning)?;
    Refusal::GameEnded.unless(!state.is_over())?;
    let Order { action, force } = call.body;
    let mut tx = call.transact(&app.db).or_retry();
    let after = match (action, state, &control) {
        (ClockAction::Start, GameState::Ready, None) => {
            let started = DashboardControl {
                id: app.new_id()?,
                game_id: game.id.clone(),
                started_at: Some(now),
                paused_at: None,
                total_paused_ms: 0,
                stamps: Stamps::default(),
            };
            tx.expect(create(started.clone()));
            Some(started)
        }
        (ClockAction::Start, GameState::Ready, Some(row)) => {
            Some(changed(&mut tx, row, |row| row.started_at = Some(now)))
        }
        (ClockAction::Pause, GameState::Live, Some(row)) => {
            Some(changed(&mut tx, row, |row| row.paused_at = Some(now)))
        }
        (ClockAction::Unpause, GameState::Paused, Some(row)) => {
            Some(changed(&mut tx, row, |row| {
                let paused = row.paused_at.take().map_or(0, |at| now.as_ms() - at.as_ms());
                row.total_paused_ms += u64::try_from(paused).unwrap_or(0);
            }))
        }
        (ClockAction::Reset, GameState::Live, _) if !force => {
            return Err(Refusal::ClockRunning.into());
        }
        (ClockAction::Reset, _, Some(row)) => {
            tx.add(delete(row));
            None
        }
        _ => return Err(Refusal::ClockConflict.into()),
    };
    let action = format!("clock.{}", action.word());
    let audit = app.audit(call, &game.id, &action, format!("GAME#{}", game.id))?;
    let state_after = GameState::of(&game, after.as_ref(), now);
    tx.add(create(audit.was("state", state.word()).is("state", state_after.word())));
    tx.afterwards(announce::everybody(app, &call.path.game_id))
        .respond(move |_| Json(ClockView::of(&game, after.as_ref(), now)))
        .await
}

/// Adds a change of the clock, unless another organiser has changed it meanwhile. Returns what it is afterwards.
fn changed(
    tx: &mut Commit<'_, ScavengerHunt>,
    row: &DashboardControl,
    change: impl FnOnce(&mut DashboardControl),
) -> DashboardControl {
    let mut after = row.clone();
    change(&mut after);
    let changed = after.clone();
    tx.add(edit(row, |row| *row = changed));
    after
}
