//! `POST /hackathon/team/{teamId}/invites`: invites people to a team.

use std::time::Duration;

use monotable_kit::CallLimit;
use monotable_kit::outbox::{Letter, OutboxMessage};

use super::InviteView;
use crate::api::members::{self, changing};
use crate::api::prelude::*;
use crate::app::LANE;
use crate::rules::people;

/// How long an invitation can be accepted.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Each invitation is a row, and may be an e-mail to a stranger.
const INVITATIONS: CallLimit = CallLimit::per_hour("invite", 20);

/// Open invitations of a team: all of them are deleted in one transaction with it.
const OPEN_MAX: usize = 20;

/// An invitation to make.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct NewInvite {
    /// Where to send it. Without an address, the code is for everybody who gets it.
    #[body(length = 3..=254, check = people::email, example = "ananya@example.org")]
    email: Option<String>,
}

/// An invitation with its code, which only this response has.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct NewInviteView {
    #[view(flatten)]
    invite: InviteView,
    #[view(secret, example = "0199a5c2.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    code: String,
}

/// Invites people to a team, for a week: the owner of an address, or everybody who gets the code.
#[operation(
    POST "/hackathon/team/{teamId}/invites", once, limit(INVITATIONS, caller),
    refuses(members::CHANGING, InvalidTeamSize)
)]
pub(crate) async fn create_invite(
    app: &App,
    call: &Call<TeamPath, NewInvite>,
) -> Answer<Created<NewInviteView>> {
    let roster = changing(app, call, &call.path.team_id).await?;
    roster.check_size(roster.members.len() + 1)?;
    if app.db.invites_of(&call.path.team_id).count().await? >= OPEN_MAX {
        let text = format!("The team has {OPEN_MAX} invitations. Withdraw one first.");
        return Err(Refusal::InvalidState.text(text));
    }
    let (secret, now) = (Secret::generate(&*app.randomness), app.db.now());
    let ends_at = now + LIFETIME;
    let team = &roster.team;
    let invite = Invite {
        invite_id: app.new_id()?,
        team_id: team.team_id.clone(),
        code_hash: secret.hash(),
        email: call.body.email.clone().map(Email),
        invited_by: team.leader_participant_id.clone(),
        accepted_by: None,
        expires_at: ends_at,
        ttl: Some(ends_at.epoch_seconds()),
        stamps: Stamps::default(),
    };
    let code = format!("{}.{}", invite.invite_id, secret.reveal());
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&team.key(), team.unchanged()));
    if let Some(letter) = letter(call, &roster.config, team, &invite, &code) {
        let (id, sealer) = (invite.invite_id.as_str(), &app.cashier.letter_sealer);
        tx.add(create(OutboxMessage::new(LANE, id, letter, sealer, now)?));
    }
    let invite = tx.add(create(invite));
    tx.respond(move |done| {
        let invite = InviteView::at(&done[invite], now);
        Created(NewInviteView { invite, code: code.clone() })
    })
    .await
}

/// Returns the id of the caller.
fn caller(call: &Call<TeamPath, NewInvite>) -> Result<String, Problem> {
    Ok(call.principal()?.id.clone())
}

/// Returns the e-mail of an invitation that has an address.
fn letter(
    call: &Request,
    config: &Config,
    team: &Team,
    invite: &Invite,
    code: &str,
) -> Option<Letter> {
    let (event, name) = (&config.event_name, &team.name.0);
    Some(Letter {
        recipient: invite.email.as_ref()?.0.clone(),
        subject: format!("You are invited to a team of {event}"),
        text: format!(
            "Hello,\n\nyou are invited to the team {name} of {event}. Open {} and join within a week with this \
             code:\n\n{code}\n",
            call.url("/join"),
        ),
        deduplication_key: format!("invite.{}", invite.invite_id),
    })
}
