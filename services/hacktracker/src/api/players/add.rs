//! `POST /teams/{teamId}/players`: adds a player.

use monotable_kit::{Answer, Call, Created, operation};

use super::PlayerView;
use super::addition::{Addition, NewPlayer};
use crate::api::TeamPath;
use crate::api::fields::Fields;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};

/// Adds a player to the roster: a ghost, until a user claims it.
#[operation(
    POST "/teams/{teamId}/players", once,
    refuses(refusal::MANAGING, NumberTaken, LimitReached)
)]
pub(crate) async fn add_player(
    app: &App,
    call: &Call<TeamPath, NewPlayer>,
) -> Answer<Created<PlayerView>> {
    let team_id = &call.path.team_id;
    let team = policy::authorize(app, call, team_id, Action::ManageRoster).await?.team;
    let mut fields = Fields::default();
    let player = call.body.row(app, team_id, "", &mut fields)?;
    fields.check()?;
    let mut addition = Addition::start(app, &team, 1).await?;
    let player = addition.add(&player)?;
    addition.commit(call, move |done| Created(PlayerView::of(&done[player]))).await
}
