//! `GET /teams/{teamId}/audit`: lists corrections and deletions.

use std::collections::BTreeMap;

use crate::api::prelude::*;

/// An entry of the audit.
#[derive(View)]
#[view(of = Audit, list = "entries")]
pub(crate) struct AuditView {
    team_id: TeamId,
    at: Timestamp,
    audit_id: AuditId,
    actor: UserId,
    /// The operation.
    #[view(example = "deleteGame")]
    action: String,
    /// The row.
    #[view(example = "GAME#g1")]
    entity: String,
    /// Values before the change.
    before: BTreeMap<String, String>,
    /// Values after the change.
    after: BTreeMap<String, String>,
    request_id: Option<String>,
}

/// Lists corrections and deletions, the latest first. Owners and managers only.
#[operation(GET "/teams/{teamId}/audit", refuses(refusal::VIEWING, InsufficientRole))]
async fn list_audit(app: &App, call: &Call<TeamPath, (), Paged>) -> Answer<Page<AuditView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::CorrectFinal).await?;
    let page = call.page().of(app.db.audit(team_id).consistent()).await?;
    Ok(Page::of(page, AuditView::of).into())
}
