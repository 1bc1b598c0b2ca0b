//! `GET /hackathon/admin/funnel`: how many teams came how far.

use crate::api::prelude::*;
use crate::rules::statistics::Funnel;

/// How many teams came how far.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct FunnelView {
    #[view(example = 412)]
    registered: u64,
    /// Those of them that have an order of the gateway.
    #[view(example = 405)]
    ordered: u64,
    /// Those of them that paid.
    #[view(example = 388)]
    paid: u64,
    /// The share of the registered teams that have an order; absent without teams.
    #[view(example = 0.983)]
    ordered_share: Option<f64>,
    /// The share of the registered teams that paid.
    #[view(example = 0.9417)]
    paid_share: Option<f64>,
}

/// Returns how many teams registered, have an order and paid.
#[operation(GET "/hackathon/admin/funnel", refuses(Forbidden))]
pub(crate) async fn get_funnel(app: &App, call: &Call) -> Answer<Json<FunnelView>> {
    policy::administer(call)?;
    let funnel = funnel(app).await?;
    let (ordered_share, paid_share) = funnel.shares().unzip();
    let Funnel { registered, ordered, paid } = funnel;
    Ok(Json(FunnelView { registered, ordered, paid, ordered_share, paid_share }).into())
}

/// Counts how many teams registered, have an order and paid.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn funnel(app: &App) -> Result<Funnel, Problem> {
    let mut funnel = Funnel::default();
    for &status in PaymentStatus::ALL {
        let mut teams = app.db.teams_by_status(status).skip_unreadable().stream();
        while let Some(team) = teams.next().await {
            let team = team?;
            funnel.count(team.payment_order_id.is_some(), status >= PaymentStatus::Paid);
        }
    }
    Ok(funnel)
}
