//! The audit of a team: who did what to which of its rows, without personal data.

pub(crate) mod list;

use crate::api::prelude::*;

/// Returns a line of a team's audit, to be created in the transaction of what it records: `action` is the
/// route's operation, `entity` the row, such as `GAME#g1`.
///
/// # Errors
///
/// 401 if the caller is unknown.
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
