//! `POST /hackathon/admin/check`: whether rows agree with each other.

use crate::api::prelude::*;
use crate::consistency::{self, Finding, Repair, Report};

/// Findings that a response lists.
const LISTED_MAX: usize = 1_000;

/// What is done about findings.
#[derive(Body, Debug)]
pub(crate) struct CheckSettings {
    /// Repairs what follows from other rows: index keys, facets, copies, guards and counters.
    #[body(default)]
    repair: bool,
}

/// Something that does not agree.
#[derive(View)]
#[view(of = Finding, case = "snake")]
pub(crate) struct FindingView {
    /// What sort of rows.
    #[view(from = kind.to_owned(), example = "keys")]
    kind: String,
    #[view(example = "TEAM#1")]
    row: String,
    #[view(example = "keys of Team: different")]
    text: String,
    /// Whether it is right now.
    is_repaired: bool,
}

/// What was found.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct ReportView {
    /// Rows that were read.
    #[view(example = 2_412)]
    rows: usize,
    /// Findings that are left.
    #[view(example = 0)]
    left: usize,
    /// The first thousand findings.
    findings: Vec<FindingView>,
}

impl ReportView {
    fn of(report: &Report) -> Self {
        let findings = report.findings.iter().take(LISTED_MAX).map(FindingView::of).collect();
        Self { rows: report.rows, left: report.left(), findings }
    }
}

/// Compares index keys, facets, copies, references, guards and counters with the rows that they follow from, as
/// it is done every night, and repairs them if that is asked for.
#[operation(POST "/hackathon/admin/check", refuses(Forbidden))]
pub(crate) async fn check_rows(
    app: &App,
    call: &Call<(), CheckSettings>,
) -> Answer<Json<ReportView>> {
    policy::administer(call)?;
    let repair = if call.body.repair { Repair::Derived } else { Repair::Never };
    let report = consistency::check(&app.db, repair).await?;
    if call.body.repair {
        let repaired = report.findings.len() - report.left();
        let entry = app.audit(call, "repair", "TABLE")?;
        app.db.create(&entry.is("repaired", repaired.to_string())).await?;
    }
    Ok(Json(ReportView::of(&report)).into())
}
