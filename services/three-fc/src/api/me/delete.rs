//! `DELETE /v1/me`: deletes the account of the caller.

use monotable_kit::SignInStore as _;

use crate::api::acl::{admins, admins_after};
use crate::api::prelude::*;
use crate::api::public::announce::members_of;
use crate::jobs::erase_user;

/// Leagues with the caller as an admin that one transaction can leave.
const LEAGUES_MAX: usize = 20;

/// Deletes your account. Sessions end, roles and claims are given up, and audits no longer name you.
/// An admin who is the only one of a league with other members makes somebody else an admin first.
#[operation(DELETE "/v1/me", once, refuses(LastAdmin, Conflict))]
async fn delete_me(app: &App, call: &Call) -> Answer<NoContent> {
    let user = accounts::signed_in(app, call.principal()?).await?;
    let grants = app.db.leagues_of(&user.user_id).consistent().all().await?;
    let leagues: Vec<LeagueId> = grants.iter().map(|grant| grant.league_id.clone()).collect();
    let of_admin: Vec<Acl> = grants.into_iter().filter(|grant| grant.role == Role::Admin).collect();
    if of_admin.len() > LEAGUES_MAX {
        let text =
            format!("You are an admin of more than {LEAGUES_MAX} leagues. Leave some first.");
        return Err(Refusal::Conflict.text(text));
    }
    let mut tx = call.transact(&app.db).or_retry();
    for grant in &of_admin {
        leave(app, &mut tx, grant).await?;
    }
    let now = app.db.now();
    tx.add(edit(&user, |user| (user.email, user.deleted_at) = (None, Some(now))));
    tx.add(create(erase_user::ticket(&user, now)?));
    app.db.forget(user.user_id.as_str()).await?;
    let afterwards = async {
        // Members of the leagues connect again; the user is refused.
        for league_id in &leagues {
            app.events.close_all(&members_of(league_id));
        }
        app.background.begin(erase_user::KIND, user.user_id.as_str(), 1).await;
    };
    tx.afterwards(afterwards).respond(|_| NoContent).await
}

/// Gives up the role of an admin. A league without other members may lose its last one.
async fn leave(app: &App, tx: &mut Commit<'_, ThreeFc>, grant: &Acl) -> Result<(), Problem> {
    tx.add(delete(grant));
    let Some(league) = app.db.league(&grant.league_id).await? else { return Ok(()) };
    let count = admins(&app.db, &league).await?;
    let others = app.db.grants(&grant.league_id).consistent().count().await?;
    let count = if others > 1 { admins_after(count, Some(grant.role), None)? } else { 0 };
    tx.add(edit(&league, |league| league.admin_count = Some(count)));
    Ok(())
}
