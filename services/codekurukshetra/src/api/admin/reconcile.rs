//! `POST /hackathon/admin/reconcile`: looks up orders whose events were lost.

use crate::api::prelude::*;
use crate::money::reconcile::Reconciled;

/// The result.
#[derive(View)]
#[view(of = Reconciled, case = "snake")]
pub(crate) struct ReconciledView {
    /// Orders that were looked up.
    #[view(example = 7)]
    looked_up: u64,
    /// Payments that have changed.
    #[view(example = 1)]
    changed: u64,
    /// Orders that could not be looked up.
    #[view(example = 0)]
    failed: u64,
}

/// Asks the gateway for the orders that are open for more than ten minutes, and applies its responses.
#[operation(POST "/hackathon/admin/reconcile", refuses(Forbidden, NotConfigured))]
pub(crate) async fn reconcile_payments(app: &App, call: &Call) -> Answer<Json<ReconciledView>> {
    policy::administer(call)?;
    let report = app.cashier.reconcile().await?;
    let entry = app.audit(call, "reconcile", "PAYMENTS")?;
    app.db.create(&entry.is("changed", report.changed.to_string())).await?;
    Ok(Json(ReconciledView::of(&report)).into())
}
