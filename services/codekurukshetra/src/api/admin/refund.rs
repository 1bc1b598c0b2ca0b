//! `POST /hackathon/admin/refund/{teamId}`: returns the payment of a team.

use super::counts;
use crate::api::prelude::*;
use crate::money::{outdated, refund};

/// Steps that are done at once: the gateway is asked in the first.
const STEPS_AT_ONCE: usize = 1;

/// Which payment is returned, and why.
#[derive(Body, Clone, Debug, Default)]
#[body(case = "snake")]
pub(crate) struct RefundReason {
    /// The audit keeps it.
    #[body(length = 3..=200, example = "The team has withdrawn.")]
    reason: Option<String>,
    /// Another payment of the team than its own: money that came twice or too late, and that the gateway has refused to
    /// return.
    #[body(name = "paymentId")]
    payment_id: Option<PaymentId>,
}

/// A refund that was promised.
#[derive(View, Clone)]
#[view(case = "snake")]
pub(crate) struct RefundView {
    team_id: TeamId,
    #[view(name = "paymentId")]
    own_payment_id: PaymentId,
    /// In the smallest unit of the currency.
    #[view(example = 99_900)]
    amount: u64,
    #[view(example = "INR")]
    currency: String,
    state: RefundState,
}

/// Returns the payment of a team, in full and once. The gateway is asked after the decision is stored; until it responds, the
/// refund is pending.
#[operation(
    POST "/hackathon/admin/refund/{teamId}", once, queue = team_id,
    refuses(Forbidden, NotFound, InvalidState, AlreadyRefunded)
)]
pub(crate) async fn refund_team(
    app: &App,
    call: &Call<TeamPath, Option<RefundReason>>,
) -> Answer<Json<RefundView>> {
    let actor = policy::administer(call)?;
    let team_id = &call.path.team_id;
    let RefundReason { reason, payment_id } = call.body.clone().unwrap_or_default();
    let payment = payment_of(app, team_id, payment_id.as_ref()).await?;
    let mut tx = call.transact(&app.db).or_retry();
    let text = reason.as_deref().unwrap_or_default();
    app.cashier.request_refund(&mut tx, &payment, actor, text).await?;
    let entry = app.audit(call, "refund", format!("TEAM#{team_id}"))?;
    let entry = entry.was("payment_status", payment.status.word());
    let entry = entry.is("amount", payment.amount.to_string());
    tx.add(create(match &reason {
        Some(reason) => entry.is("reason", reason),
        None => entry,
    }));
    let view = RefundView {
        team_id: team_id.clone(),
        own_payment_id: payment.payment_id.clone(),
        amount: payment.amount,
        currency: payment.currency.clone(),
        state: RefundState::RefundPending,
    };
    let payment_id = payment.payment_id;
    let begin = async move {
        app.background.begin(refund::KIND, payment_id.as_str(), STEPS_AT_ONCE).await;
        counts::announce(app).await;
    };
    tx.afterwards(begin).respond(move |_| Json(view.clone())).await.map_err(outdated)
}

/// Returns the payment that is named, or else that of the team. Money may have come for a team that is deleted.
async fn payment_of(
    app: &App,
    team_id: &TeamId,
    payment_id: Option<&PaymentId>,
) -> Result<Payment, Problem> {
    if let Some(payment_id) = payment_id {
        let payment = app.db.payment(payment_id).await?;
        return Ok(payment.filter(|it| it.team_id == *team_id).ok_or(Refusal::NotFound)?);
    }
    let team = app.db.team(team_id).await?.ok_or(Refusal::NotFound)?;
    let payment = app.cashier.payment_of(&team).await?;
    payment.ok_or_else(|| Refusal::InvalidState.text("The team has not paid."))
}
