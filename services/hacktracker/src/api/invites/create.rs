//! `POST /teams/{teamId}/invites`: creates an invitation to a team.

use std::time::Duration;

use monotable_kit::outbox::{Letter, OutboxMessage};

use super::{InviteView, LANE, delete_letter};
use crate::api::counts::{OPEN_INVITES_MAX, drop_expired, open_invite};
use crate::api::links::already_linked;
use crate::api::members::{ROLES, rules_over};
use crate::api::prelude::*;

/// How long an invitation can be accepted.
const LIFETIME: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// An invitation to create.
#[derive(Debug, Body)]
pub(crate) struct NewInvite {
    #[body(words = ROLES, example = "player")]
    role: Role,
    /// The ghost that comes with it.
    #[body(example = "p1")]
    player_id: Option<PlayerId>,
    /// The address to send it to.
    #[body(length = 3..=254, check = names::email, example = "bob@example.org")]
    email: Option<String>,
}

/// An invitation with its token, which only this response contains.
#[derive(View)]
pub(crate) struct NewInviteView {
    #[view(flatten)]
    invite: InviteView,
    #[view(secret, example = "i1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")]
    token: String,
}

/// Creates an invitation that is valid for a week. Managers invite players and scorekeepers.
#[operation(
    POST "/teams/{teamId}/invites", once,
    refuses(refusal::MANAGING, RoleCeiling, PlayerNotFound, PlayerAlreadyLinked, LimitReached)
)]
pub(crate) async fn invite(
    app: &App,
    call: &Call<TeamPath, NewInvite>,
) -> Answer<Created<NewInviteView>> {
    let (team_id, body) = (&call.path.team_id, &call.body);
    let granted = policy::authorize(app, call, team_id, Action::Invite).await?;
    if !rules_over(granted.membership.role, body.role) {
        return Err(Refusal::RoleCeiling.into());
    }
    check_ghost(app, team_id, body.player_id.as_ref()).await?;
    let (secret, now) = (Secret::generate(&*app.randomness), app.db.now());
    let invite = Invite {
        invite_id: app.new_id()?,
        team_id: team_id.clone(),
        role: body.role,
        player_id: body.player_id.clone(),
        email: body.email.clone(),
        token_hash: secret.hash(),
        status: InviteStatus::Pending,
        expires_at: now + LIFETIME,
        created_by: granted.user_id().clone(),
        accepted_by: None,
        stamps: Stamps::default(),
    };
    let token = format!("{}.{}", invite.invite_id, secret.reveal());
    let entity = format!("INVITE#{}", invite.invite_id);
    let entry = audit::entry(app, call, team_id, "invite", entity)?;
    let mut tx = scope::change(app, call, team_id);
    let created = tx.add(create(invite.clone()));
    tx.add(create(entry.is("role", invite.role.word())));
    if let Some(letter) = letter(&granted.team, &invite, &token) {
        let (id, sealer) = (invite.invite_id.as_str(), &app.letter_sealer);
        tx.add(create(OutboxMessage::new(LANE, id, letter, sealer, now)?));
    }
    open_invite(&app.db, &mut tx, team_id, too_many()).await?;
    let done = tx.respond(move |done| {
        let invite = InviteView::at(&done[created], now);
        Created(NewInviteView { invite, token: token.clone() })
    });
    match done.await {
        // Expired invitations are removed, and the request is run again.
        Err(problem) if problem.code == too_many().code => {
            match drop_expired(&app.db, team_id, delete_letter).await? {
                0 => Err(problem),
                _ => Err(Problem::changed()),
            }
        }
        done => done,
    }
}

/// Requires that the roster slot of an invitation exists and is not linked to a user.
async fn check_ghost(
    app: &App,
    team_id: &TeamId,
    player_id: Option<&PlayerId>,
) -> Result<(), Problem> {
    let Some(player_id) = player_id else { return Ok(()) };
    let player = scope::player(app, team_id, player_id).await?;
    if player.user_id.is_some() { Err(already_linked(&player)) } else { Ok(()) }
}

fn too_many() -> Problem {
    let text = format!("A team can have {OPEN_INVITES_MAX} open invitations.");
    Refusal::LimitReached.text(text).with("limit", OPEN_INVITES_MAX)
}

/// Returns the e-mail of an invitation that has an address.
fn letter(team: &Team, invite: &Invite, token: &str) -> Option<Letter> {
    Some(Letter {
        recipient: invite.email.clone()?,
        subject: format!("You are invited to the team {}", team.name),
        text: format!(
            "You are invited to the team {} on HackTracker. Accept within a week with this token:\n\n{token}\n",
            team.name
        ),
        deduplication_key: format!("invite-{}", invite.invite_id),
    })
}
