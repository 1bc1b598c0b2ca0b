//! `POST /hackathon/admin/release/{teamId}`: lets the members of a refunded team register again.

use super::registrations::RegistrationView;
use crate::api::prelude::*;

/// Releases the name, the addresses and the accounts of a team whose money was returned, so that others can register
/// with them. The team is cancelled then.
#[operation(
    POST "/hackathon/admin/release/{teamId}", once, if_match, queue = team_id,
    refuses(Forbidden, NotFound, InvalidState)
)]
pub(crate) async fn release_team(
    app: &App,
    call: &Call<TeamPath>,
) -> Answer<Json<RegistrationView>> {
    policy::administer(call)?;
    let team_id = &call.path.team_id;
    let team = app.db.team(team_id).await?.ok_or(Refusal::NotFound)?;
    call.check_version(team.stamps.version)?;
    if team.registration() != RegistrationStatus::Refunded {
        return Err(Refusal::InvalidState.text("The money of the team was not returned."));
    }
    let members = app.cashier.members(&team).await?;
    let mut tx = call.transact(&app.db).or_retry();
    app.cashier.held_guards(&team, &members).await?.release(&mut tx);
    let released = tx.add(edit(&team, |team| team.set_registration(RegistrationStatus::Cancelled)));
    let entry = app.audit(call, "releaseTeam", format!("TEAM#{team_id}"))?;
    tx.add(create(entry.is("registration_status", "cancelled")));
    tx.respond(move |done| Json(RegistrationView::of(&done[released]))).await
}
