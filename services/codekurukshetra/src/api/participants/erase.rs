//! `DELETE /hackathon/participant/{participantId}`: removes the personal data of a participant.

use monotable_kit::SignInStore as _;
use monotable_kit::outbox::Lane;

use super::{Relation, is_live, related};
use crate::api::prelude::*;
use crate::app::LANE;
use crate::money::outdated;

/// What happens to the team of a leader.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct Erasure {
    /// Cancels the team if the participant leads it, before the event starts. Otherwise another member must become the leader
    /// first. If a leader cancels a team that has paid, organisers decide about the refund.
    #[body(default)]
    cancel_team: bool,
}

/// Removes the personal data of a participant: your own, or any as an administrator. An anonymous row stays, so that
/// counts hold.
#[operation(
    DELETE "/hackathon/participant/{participantId}", once,
    refuses(NotFound, Forbidden, InvalidState, NotConfigured)
)]
pub(crate) async fn erase_participant(
    app: &App,
    call: &Call<ParticipantPath, (), Erasure>,
) -> Answer<NoContent> {
    let participant_id = &call.path.participant_id;
    let (participant, team, relation) = related(app, call, participant_id).await?;
    Refusal::Forbidden.unless(relation != Relation::Leader)?;
    if participant.erased_at.is_some() {
        return Ok(NoContent.into());
    }
    if let Some(account_id) = &participant.firebase_uid {
        // Sessions end first: if the process dies before the transaction, the person can sign in and try again.
        app.db.forget(account_id.as_str()).await?;
    }
    // Once the event has started, a team takes part, even without its leader.
    let has_started = app.db.config().await?.is_some_and(|it| app.db.now() >= it.event_start);
    let leads =
        |team: &Team| policy::is_leader(team, participant_id) && is_live(team) && !has_started;
    let administrator = match relation {
        Relation::Admin => Some(policy::account(call)?),
        Relation::Own | Relation::Leader => None,
    };
    let mut tx = call.transact(&app.db).or_retry();
    match team.filter(leads) {
        Some(_) if !call.query.cancel_team => {
            let text = "Make another member the leader first, or send cancel_team=true to cancel the team.";
            return Err(Refusal::InvalidState.text(text));
        }
        Some(team) => app.cashier.cancel(&mut tx, &team, administrator.as_ref()).await?,
        None => app.cashier.member_guards(&participant).await?.release(&mut tx),
    }
    forget_letters(app, &mut tx, &participant).await?;
    tx.add(edit(&participant, |participant| anonymise(participant, app.db.now())));
    let entity = Participant::row_name(participant_id);
    let entry = Audit::of_service(app.db.now(), app.new_id()?, "eraseParticipant", entity);
    // The account of a person who is forgotten is forgotten, too.
    let entry = match administrator {
        Some(administrator) => entry.by(administrator, call),
        None => entry,
    };
    tx.add(create(entry));
    tx.respond(|_| NoContent).await.map_err(outdated)
}

/// Removes whatever tells who a participant is.
pub(crate) fn anonymise(participant: &mut Participant, now: Timestamp) {
    participant.first_name.clear();
    participant.last_name.clear();
    participant.email = Email(format!("erased+{}@invalid", participant.participant_id));
    participant.phone = None;
    participant.college = None;
    participant.year = None;
    participant.github_username = None;
    participant.linkedin = None;
    participant.student_status = None;
    participant.firebase_uid = None;
    participant.erased_at = Some(now);
}

/// Deletes the e-mails and invitations to a participant's address.
async fn forget_letters(
    app: &App,
    tx: &mut Commit<'_, CodeKurukshetra>,
    participant: &Participant,
) -> Result<(), Problem> {
    let address = participant.email.normal();
    for invite in app.db.invites_of(&participant.team_id).all().await? {
        if invite.email.as_ref().is_some_and(|email| email.normal() == address) {
            tx.add(delete_by_key(&invite.key()));
        }
    }
    let lane = Lane::new(LANE).map_err(Problem::internal)?;
    let is_to = |recipient: &str| Email(recipient.to_owned()).normal() == address;
    for message in app.db.outbox(&lane).consistent().all().await? {
        if is_to(&message.letter.recipient) {
            tx.add(delete_by_key(&message.key()));
        }
    }
    for message in app.db.dead_letters(&lane).consistent().all().await? {
        if is_to(&message.letter.recipient) {
            tx.add(delete_by_key(&message.key()));
        }
    }
    Ok(())
}
