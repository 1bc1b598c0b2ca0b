//! `PUT /teams/{teamId}/players/{playerId}`: changes a player.

use super::{PlayerFields, PlayerView, numbers};
use crate::api::prelude::*;

/// Changes of a player.
#[derive(Clone, Debug, Body)]
#[body(not_empty, applies_to = Player, read_only_of = PlayerView)]
pub(crate) struct PlayerChanges {
    /// Letters of any script, hyphens, apostrophes, periods and single spaces.
    #[body(length = 1..=50, check = names::player, example = "Mary Ann")]
    first_name: Option<String>,
    #[body(flatten)]
    fields: PlayerFields,
}

impl PlayerChanges {
    /// Returns whether they only change the profile, which belongs to the player's user.
    fn are_of_profile(&self) -> bool {
        self.fields.player_number == Patch::Keep && self.fields.status.is_none()
    }

    /// Records which user gave a player its names.
    fn record_naming(&self, player: &mut Player, granted: &Granted) {
        let is_own = player.user_id.as_ref() == Some(granted.user_id());
        if self.first_name.is_some() {
            player.named_by_manager = match player.user_id {
                None => Some(true),
                Some(_) if is_own => Some(false),
                Some(_) => player.named_by_manager,
            };
        }
        if self.first_name.is_some() || self.fields.last_name != Patch::Keep {
            player.named_by = is_own.then(|| granted.user_id().clone());
        }
    }
}

/// Changes a player. The player's own user can change names and positions, too.
#[operation(
    PUT "/teams/{teamId}/players/{playerId}", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound, NumberTaken)
)]
async fn update_player(
    app: &App,
    call: &Call<PlayerPath, PlayerChanges>,
) -> Answer<Json<PlayerView>> {
    let (PlayerPath { team_id, player_id }, changes) = (&call.path, &call.body);
    let granted = policy::member(app, call, team_id).await?;
    let player = scope::player(app, team_id, player_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    if !(is_own && changes.are_of_profile()) {
        granted.allow(Action::ManageRoster)?;
    }
    call.check_version(player.stamps.version)?;
    let mut changed = player.clone();
    changes.record_naming(&mut changed, &granted);
    changes.apply(&mut changed);
    let mut tx = scope::change(app, call, team_id);
    let edited = tx.add(edit(&player, |player| player.clone_from(&changed)));
    numbers::change(app, &mut tx, &player, &changed).await?;
    tx.respond(move |done| Json(PlayerView::of(&done[edited]))).await
}
