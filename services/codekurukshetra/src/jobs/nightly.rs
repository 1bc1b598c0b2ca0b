//! The nightly check: whether rows agree with each other. What does not is an alert for the organisers.

use monotable::model::create;
use monotable_kit::Problem;

use crate::app::App;
use crate::consistency::{self, Finding, Repair};
use crate::table::Alert;

/// Findings that an alert lists.
const LISTED_MAX: usize = 20;

/// Checks all rows, and writes an alert if something is wrong. Nothing is repaired without an administrator.
///
/// # Errors
/// Returns the errors of the table.
pub(super) async fn check(app: &App) -> Result<(), Problem> {
    let report = consistency::check(&app.db, Repair::Never).await?;
    if report.findings.is_empty() {
        return Ok(());
    }
    let text = text(&report.findings);
    let alert = Alert::new(app.db.now(), app.new_id()?, "drift", text);
    app.db.run(create(alert)).await?;
    Ok(())
}

fn text(findings: &[Finding]) -> String {
    let mut text = format!("{} rows do not agree with others:", findings.len());
    for Finding { row, text: wrong, .. } in findings.iter().take(LISTED_MAX) {
        text = text + "\n" + row + ": " + wrong;
    }
    if findings.len() > LISTED_MAX {
        text += "\n…";
    }
    text
}
