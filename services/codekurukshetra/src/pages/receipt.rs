//! `GET /receipt`: the receipt of the caller's team, to be printed.

use askama::Template;
use monotable_kit::Html;

use super::{Mine, money, my_team, time};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "receipt.html")]
struct ReceiptPage {
    mine: Mine,
    payment: Payment,
    amount: String,
    paid_at: String,
    refunded_at: Option<String>,
    members: Vec<Participant>,
}

/// Shows the receipt of your team's payment.
#[operation(GET "/receipt", refuses(NotFound, NotConfigured))]
async fn receipt_page(app: &App, call: &Call) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    let payment = match &mine.team.payment_uuid {
        Some(payment_id) => app.db.payment(payment_id).await?,
        None => None,
    };
    let is_paid = |one: &Payment| one.status >= PaymentStatus::Paid;
    let payment = payment.filter(is_paid);
    let payment = payment.ok_or_else(|| Refusal::NotFound.text("The team has not paid."))?;
    let page = ReceiptPage {
        amount: money(payment.amount, &payment.currency),
        paid_at: time(&mine.config, payment.paid_at.unwrap_or(payment.stamps.updated)),
        refunded_at: payment.refunded_at.map(|at| time(&mine.config, at)),
        members: app.cashier.members(&mine.team).await?,
        mine,
        payment,
    };
    Ok(Html::new(call, "Receipt", &page)?.into())
}
