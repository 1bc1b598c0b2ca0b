//! What the operations that add players have in common.

use std::collections::BTreeSet;

use super::{PlayerFields, PlayerView, numbers};
use crate::api::prelude::*;

/// Players of a team at most.
const PLAYERS_MAX: usize = 100;

/// A player to add.
#[derive(Clone, Debug, Body)]
#[body(applies_to = Player, read_only_of = PlayerView)]
pub(crate) struct NewPlayer {
    /// Letters of any script, hyphens, apostrophes, periods and single spaces.
    #[body(length = 1..=50, check = names::player, example = "Mary Ann")]
    first_name: String,
    #[body(flatten)]
    fields: PlayerFields,
}

/// Adds players to a team: all of them, or none.
///
/// # Errors
/// Returns 409 `LIMIT_REACHED`, `NUMBER_TAKEN` and `TEAM_DELETED`.
pub(super) async fn add<R: Response>(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    players: &[NewPlayer],
    response: impl Fn(Vec<PlayerView>) -> R + Send + Sync + 'static,
) -> Answer<R> {
    let team = policy::authorize(app, call, team_id, Action::ManageRoster).await?.team;
    let roster = app.db.roster(team_id).consistent().all().await?;
    let size = roster.len() + players.len();
    if size > PLAYERS_MAX {
        let text = format!("A team can have {PLAYERS_MAX} players.");
        return Err(Refusal::LimitReached.text(text).with("limit", PLAYERS_MAX));
    }
    // Near the limit the team is changed as well, so that one of two concurrent requests is run
    // again.
    let mut tx = if size * 2 > PLAYERS_MAX {
        let mut tx = call.transact(&app.db).or_retry();
        tx.expect(Team::update(&team.key()).when(team.unchanged().and(policy::is_active())));
        tx
    } else {
        scope::change(app, call, team_id)
    };
    let mut worn: BTreeSet<u8> = roster.iter().filter_map(Player::wears_number).collect();
    let mut added = Vec::new();
    for new in players {
        let mut player = Player::ghost(team_id.clone(), app.new_id()?);
        new.apply(&mut player);
        if let Some(number) = player.wears_number() {
            if !worn.insert(number) {
                return Err(numbers::taken(number));
            }
            numbers::take(&mut tx, &player, number);
        }
        added.push(tx.add(create(player)));
    }
    let show = move |done: &Outcome| {
        response(added.iter().map(|player| PlayerView::of(&done[*player])).collect())
    };
    tx.respond(show).await
}
