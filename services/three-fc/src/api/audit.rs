//! Audits: who did what to a league or a game, without personal data.

pub(crate) mod game;
pub(crate) mod league;

use std::collections::BTreeMap;

use crate::api::prelude::*;

/// A line of an audit.
#[derive(View)]
#[view(of = Audit, list = "entries")]
pub(crate) struct AuditView {
    at: Timestamp,
    audit_id: AuditId,
    actor: UserId,
    /// The operation.
    #[view(example = "putGrant")]
    action: String,
    /// The row.
    #[view(example = "ACL#USER#u1")]
    entity: String,
    /// Values before the change.
    before: BTreeMap<String, String>,
    /// Values after the change.
    after: BTreeMap<String, String>,
    request_id: Option<String>,
}

impl AuditView {
    /// Shows a line of a league's audit.
    fn of_league(entry: &LeagueAudit) -> Self {
        let LeagueAudit { at, audit_id, actor, action, entity, before, after, request_id, .. } =
            entry.clone();
        Self { at, audit_id, actor, action, entity, before, after, request_id }
    }
}

impl Audit {
    /// Records what of two summaries differs.
    #[must_use]
    pub(crate) fn differs<const N: usize>(
        self,
        before: [(&str, String); N],
        after: [(&str, String); N],
    ) -> Self {
        let differences = before.into_iter().zip(after).filter(|(before, after)| before != after);
        differences.fold(self, |entry, ((name, was), (_, is))| entry.was(name, was).is(name, is))
    }
}

/// Returns a line of a league's audit, to be created in the transaction of what it records: `action` is the
/// operation, `entity` the row, such as `ACL#USER#u1`.
///
/// # Errors
/// Returns 401 if the caller is not signed in.
pub(crate) fn of_league(
    app: &App,
    call: &Request,
    league_id: &LeagueId,
    action: &str,
    entity: impl Into<String>,
) -> Result<LeagueAudit, Problem> {
    let (at, actor) = (app.db.now(), policy::caller(call)?);
    Ok(LeagueAudit::of(league_id.clone(), at, app.new_id()?, actor, call, action, entity))
}
