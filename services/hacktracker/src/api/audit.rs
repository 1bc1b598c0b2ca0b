//! The audit of a team: who changed which of its rows and how, without personal data.

pub(crate) mod list;

use crate::api::prelude::*;

/// Returns an entry of a team's audit, to be created in the transaction of the change: `action` is
/// the route's operation, `entity` the row, such as `GAME#g1`.
///
/// # Errors
///
/// Returns 401 if the caller is unknown.
pub(crate) fn entry(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    action: &str,
    entity: impl Into<String>,
) -> Result<Audit, Problem> {
    let (at, actor) = (app.db.now(), policy::caller(call)?);
    Ok(Audit::of(team_id.clone(), at, app.new_id()?, actor, call, action, entity))
}
