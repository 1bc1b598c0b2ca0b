//! `POST /teams/{teamId}/players/bulk`: adds several players.

use monotable::model::{Handle, Outcome};
use monotable_kit::{Answer, Answered, Body, Call, Page, Problem, Reply, Response, operation};

use super::PlayerView;
use super::addition::{Addition, NewPlayer};
use crate::api::TeamPath;
use crate::api::fields::Fields;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::Player;

/// Players to add.
#[derive(Debug, Body)]
pub(crate) struct NewPlayers {
    #[body(items = 1..=25)]
    players: Vec<NewPlayer>,
}

/// 201 with the players that were added.
pub(crate) struct AddedPlayers(Page<PlayerView>);

impl Response for AddedPlayers {
    fn describe() -> Answered {
        Answered { status: 201, meaning: "The players.", ..Page::<PlayerView>::describe() }
    }

    fn into_reply(self) -> Reply {
        let mut reply = self.0.into_reply();
        reply.status = 201;
        reply
    }
}

/// Adds up to 25 players: all of them, or none.
#[operation(
    POST "/teams/{teamId}/players/bulk", once,
    refuses(refusal::MANAGING, NumberTaken, LimitReached)
)]
pub(crate) async fn add_players(
    app: &App,
    call: &Call<TeamPath, NewPlayers>,
) -> Answer<AddedPlayers> {
    let team_id = &call.path.team_id;
    let team = policy::authorize(app, call, team_id, Action::ManageRoster).await?.team;
    let mut fields = Fields::default();
    let players = call.body.players.iter().enumerate().map(|(position, new)| {
        new.row(app, team_id, &format!("players[{position}]."), &mut fields)
    });
    let players = players.collect::<Result<Vec<Player>, Problem>>()?;
    fields.check()?;
    let mut addition = Addition::start(app, &team, players.len()).await?;
    let players = players.iter().map(|player| addition.add(player));
    let players = players.collect::<Result<Vec<Handle<Player>>, Problem>>()?;
    let response = move |done: &Outcome| {
        let rows = players.iter().map(|player| PlayerView::of(&done[*player])).collect();
        AddedPlayers(Page { rows, next: None })
    };
    addition.commit(call, response).await
}
