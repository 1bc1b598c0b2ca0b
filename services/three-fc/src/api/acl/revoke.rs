//! `DELETE /v1/leagues/{leagueId}/acl/{userId}`: takes a user's role away.

use super::{admins, admins_after, find};
use crate::api::prelude::*;
use crate::api::public::announce::members_of;

/// Takes a user's role in a league away, by id or e-mail address.
#[operation(
    DELETE "/v1/leagues/{leagueId}/acl/{userId}", once, if_match,
    refuses(refusal::ADMINISTERING, NotFound, LastAdmin)
)]
async fn revoke_grant(app: &App, call: &Call<GrantPath>) -> Answer<NoContent> {
    let GrantPath { league_id, user_id } = &call.path;
    let granted = policy::league(app, call, league_id, Action::Administer).await?;
    let grant = find(app, league_id, user_id).await?.ok_or(Refusal::NotFound)?;
    call.check_version(grant.stamps.version)?;
    let admins = admins(&app.db, &granted.league).await?;
    let count = admins_after(admins, Some(grant.role), None)?;
    let entity = format!("ACL#USER#{}", grant.user_id);
    let entry = audit::of_league(app, call, league_id, "revokeGrant", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(edit(&granted.league, |league| league.admin_count = Some(count)));
    tx.add(create(entry.was("role", grant.role.word())));
    tx.add(delete(&grant));
    // Members connect again; the user is refused.
    let members = members_of(league_id);
    tx.after(|_| app.events.close_all(&members)).respond(|_| NoContent).await
}
