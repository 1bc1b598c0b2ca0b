//! `GET /pay`: how far the registration of the caller's team is, and the way to the gateway.

use askama::Template;
use monotable_kit::{Form, Html};

use super::{Mine, money, my_team, status, time};
use crate::api::payment::create_order;
use crate::api::prelude::*;
use monotable_kit::payment_gateway::{Checkout, CheckoutRequest, Price};

/// The content of the page.
#[derive(Template)]
#[template(path = "pay.html")]
struct PayPage {
    mine: Mine,
    fee: String,
    /// Until when the place is held, in minutes and as a text, too.
    held: Option<(Timestamp, u64, String)>,
    has_failed: bool,
    failure: Option<String>,
    /// The gateway's page, for the leader of a team that has an order.
    checkout: Option<Checkout>,
    /// Makes the order.
    order: Option<Form>,
    draft: String,
}

impl PayPage {
    fn registration(&self) -> RegistrationStatus {
        self.mine.team.registration()
    }
}

/// Shows how far the registration of your team is. Its leader pays here.
#[operation(GET "/pay", refuses(NotFound, NotConfigured))]
async fn pay_page(app: &App, call: &Call) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    let (team, now) = (&mine.team, app.db.now());
    let payment = match &team.payment_uuid {
        Some(payment_id) => app.db.payment(payment_id).await?,
        None => None,
    };
    let held_until = team.held_until().filter(|until| now < *until);
    let can_pay = mine.leads() && held_until.is_some();
    let checkout = if can_pay { checkout(app, call, &mine) } else { None };
    let page = PayPage {
        fee: money(team.amount, &team.currency),
        held: held_until
            .map(|until| (until, until.since(now).as_secs() / 60, time(&mine.config, until))),
        has_failed: team.payment_status == PaymentStatus::Failed,
        failure: payment.and_then(|payment| payment.failure_reason),
        order: (can_pay && checkout.is_none()).then(|| {
            Form::of(call, &create_order::route())
                .fixed("team_id", &team.team_id)
                .submit("Go on to the payment")
                .then("/pay")
        }),
        checkout,
        draft: format!("registration of {}", call.principal()?.id),
        mine,
    };
    let origin = page.checkout.as_ref().and_then(|checkout| checkout.origin.clone());
    let html = Html::new(call, "Payment", &page)?;
    Ok(html.sends_forms_to(origin.as_deref()).into())
}

/// Returns the form that opens the gateway's page for the order of a team, if it has one.
fn checkout(app: &App, call: &Request, mine: &Mine) -> Option<Checkout> {
    let team = &mine.team;
    let price = Price { amount_minor: team.amount, currency: team.currency.clone() };
    Some(app.cashier.gateway.checkout(&CheckoutRequest {
        order_id: team.payment_order_id.as_ref()?,
        price: &price,
        payee: &mine.config.event_name,
        description: &team.name.0,
        email: Some(&mine.participant.email.0),
        callback_url: &call.url("/hackathon/payment/callback"),
        cancel_url: &call.url("/pay"),
        simulated_url: "/codekurukshetra/gateway/orders/",
    }))
}
