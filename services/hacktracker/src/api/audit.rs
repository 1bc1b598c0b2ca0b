//! The audit of a team: who did what to which of its rows, without personal data.

pub(crate) mod list;

use crate::api::prelude::*;

/// A line of a team's audit, to be created in the transaction of what it tells: `action` is the route's
/// operation, `entity` the row, such as `GAME#g1`.
///
/// # Errors
/// 401 if nobody is known who did it.
pub(crate) fn entry(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    action: &str,
    entity: impl Into<String>,
) -> Result<Audit, Problem> {
    Ok(Audit {
        team_id: team_id.clone(),
        at: app.db.now(),
        audit_id: app.new_id()?,
        actor: policy::caller(call)?,
        action: action.to_owned(),
        entity: entity.into(),
        before: Default::default(),
        after: Default::default(),
        request_id: (!call.request_id.is_empty()).then(|| call.request_id.clone()),
    })
}

impl Audit {
    /// What of the row was before.
    #[must_use]
    pub fn was(mut self, what: &str, value: impl Into<String>) -> Self {
        self.before.insert(what.to_owned(), value.into());
        self
    }

    /// What of the row is after.
    #[must_use]
    pub fn is(mut self, what: &str, value: impl Into<String>) -> Self {
        self.after.insert(what.to_owned(), value.into());
        self
    }
}
