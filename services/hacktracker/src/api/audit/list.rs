//! `GET /teams/{teamId}/audit`: lists corrections and deletions.

use std::collections::BTreeMap;

use monotable::model::time::Timestamp;
use monotable_kit::{Answer, Call, Page, Paged, View, operation};

use crate::api::TeamPath;
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};
use crate::table::{Audit, AuditId, HackTrackerReads as _, TeamId, UserId};

/// A line of the audit.
#[derive(View)]
#[view(of = Audit, list = "entries")]
pub(crate) struct AuditView {
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    at: Timestamp,
    #[view(example = "a1")]
    audit_id: AuditId,
    #[view(example = "u1")]
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
pub(crate) async fn list_audit(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<AuditView>> {
    let team_id = &call.path.team_id;
    policy::authorize(app, call, team_id, Action::CorrectFinal).await?;
    let page = call.page().of(app.db.audit(team_id).consistent()).await?;
    Ok(Page::of(page, AuditView::of).into())
}
