//! `PUT /teams/{teamId}/players/{playerId}`: changes a player.

use monotable::model::edit;
use monotable_kit::{Answer, Body, Call, Json, Patch, Problem, operation};

use super::numbers::change_number;
use super::{PlayerFields, PlayerPath, PlayerView, distinct_positions, player_of};
use crate::api::fields::{Fields, set};
use crate::app::App;
use crate::names;
use crate::policy::{self, Action, Granted};
use crate::refusal::{self, Refusal};
use crate::table::Player;

/// Changes of a player.
#[derive(Clone, Debug, Body)]
#[body(
    not_empty,
    read_only(
        "playerId",
        "teamId",
        "userId",
        "isGhost",
        "linkedAt",
        "lastUnlinkedAt",
        "paCount",
        "createdAt",
        "updatedAt",
        "ver"
    )
)]
pub(crate) struct PlayerChanges {
    /// Letters of any script, hyphens, apostrophes, periods and single spaces.
    #[body(length = 1..=50, example = "Mary Ann")]
    first_name: Option<String>,
    #[body(flatten)]
    fields: PlayerFields,
}

impl PlayerChanges {
    /// Returns the changes with names and positions in their form.
    ///
    /// # Errors
    /// 400 with every invalid field.
    fn checked(self) -> Result<Self, Problem> {
        let mut fields = Fields::default();
        let PlayerFields { last_name, positions, .. } = self.fields;
        let checked = Self {
            first_name: fields.read("firstName", self.first_name, names::player),
            fields: PlayerFields {
                last_name: fields.read_patch("lastName", last_name, names::player),
                positions: fields.read_patch("positions", positions, distinct_positions),
                ..self.fields
            },
        };
        fields.check()?;
        Ok(checked)
    }

    /// Returns whether they are only of the profile, which belongs to the player's user.
    fn are_of_profile(&self) -> bool {
        self.fields.player_number == Patch::Keep && self.fields.status.is_none()
    }

    fn apply(self, player: &mut Player, granted: &Granted) {
        let is_own = player.user_id.as_ref() == Some(granted.user_id());
        let PlayerFields { last_name, player_number, positions, status } = self.fields;
        if self.first_name.is_some() {
            player.named_by_manager = match player.user_id {
                None => Some(true),
                Some(_) if is_own => Some(false),
                Some(_) => player.named_by_manager,
            };
        }
        if self.first_name.is_some() || last_name != Patch::Keep {
            player.named_by = is_own.then(|| granted.user_id().clone());
        }
        set(&mut player.first_name, self.first_name);
        last_name.apply(&mut player.last_name);
        player_number.apply(&mut player.player_number);
        match positions {
            Patch::Keep => {}
            Patch::Remove => player.positions.clear(),
            Patch::Set(positions) => player.positions = positions,
        }
        set(&mut player.status, status);
    }
}

/// Changes a player. Names and positions also by the player's own user.
#[operation(
    PUT "/teams/{teamId}/players/{playerId}", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound, NumberTaken)
)]
pub(crate) async fn update_player(
    app: &App,
    call: &Call<PlayerPath, PlayerChanges>,
) -> Answer<Json<PlayerView>> {
    let changes = call.body.clone().checked()?;
    let team_id = &call.path.team_id;
    let granted = policy::member(app, call, team_id).await?;
    let player = player_of(app, &call.path).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    if !(is_own && changes.are_of_profile()) {
        granted.allow(Action::ManageRoster)?;
    }
    call.check_version(player.stamps.version)?;
    let mut changed = player.clone();
    changes.apply(&mut changed, &granted);
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(team_id));
    let edited = tx.add(edit(&player, |player| player.clone_from(&changed)));
    let taken = change_number(app, &mut tx, &player, &changed).await?;
    call.commit(tx)
        .refuse(active, Refusal::TeamDeleted)
        .refusing(|refusals| taken.iter().fold(refusals, |all, number| number.refusals(all)))
        .or_retry()
        .respond(move |done| Json(PlayerView::of(&done[edited])))
        .await
}
