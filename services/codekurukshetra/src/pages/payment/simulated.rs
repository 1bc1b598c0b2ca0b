//! `GET /gateway/orders/{orderId}`: the page of the simulated gateway, on which an order is paid.

use askama::Template;
use monotable_kit::{Form, Html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::pay;
use crate::api::prelude::*;
use crate::pages::money;
use monotable_kit::payment_gateway::{
    Gateway as _, GatewayPaymentStatus, OrderState, OrderStatus, Simulator,
};

monotable_kit::paths! {
    /// The order that a path names.
    OrderPath { order_id: OrderId }
}

/// Where the browser goes afterwards.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct WayBack {
    #[body(length = 0..=500)]
    callback_url: Option<String>,
    #[body(length = 0..=500)]
    cancel_url: Option<String>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "payment/simulated.html")]
struct SimulatedPage {
    price: String,
    order_id: OrderId,
    /// Reasons why earlier attempts failed.
    failures: Vec<String>,
    /// Whether the bank has not decided yet.
    is_authorized: bool,
    pay: Option<Form>,
    cancel_url: Option<String>,
    result: Option<SignedResult>,
}

/// What the browser takes back after a payment.
struct SignedResult {
    callback_url: String,
    fields: [(&'static str, String); 3],
}

/// Shows the page of the simulated gateway.
#[operation(GET "/gateway/orders/{orderId}", public, refuses(NotFound))]
async fn simulated_gateway(app: &App, call: &Call<OrderPath, (), WayBack>) -> Answer<Html> {
    let simulator = simulator(app)?;
    let order_id = &call.path.order_id;
    let state = order(simulator, order_id)?;
    let callback_url = own(call, call.query.callback_url.as_deref());
    let cancel_url = own(call, call.query.cancel_url.as_deref());
    let is_open = state.order.status != OrderStatus::Paid;
    let page = SimulatedPage {
        price: money(state.order.price.amount_minor, &state.order.price.currency),
        order_id: order_id.clone(),
        failures: state.payments.iter().filter_map(|one| one.failure_reason.clone()).collect(),
        is_authorized: is_open
            && state.payments.iter().any(|one| one.status == GatewayPaymentStatus::Authorized),
        pay: is_open.then(|| form(call)),
        result: callback_url.and_then(|url| signed(simulator, &state, url)),
        cancel_url,
    };
    Ok(Html::new(call, "Simulated payment", &page)?.into())
}

/// Returns the simulated gateway, if teams pay there.
///
/// # Errors
/// Returns 404 if teams pay at another gateway.
pub(super) fn simulator(app: &App) -> Result<&Simulator, Problem> {
    Ok(app.cashier.gateway.simulator().ok_or(Refusal::NotFound)?)
}

/// Returns an order of the simulated gateway.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(super) fn order(simulator: &Simulator, order_id: &OrderId) -> Result<OrderState, Problem> {
    let found = simulator.orders().into_iter().find(|one| one.order.order_id == *order_id);
    Ok(found.ok_or(Refusal::NotFound)?)
}

/// Returns an address if it is one of this service: anyone may have written it into the link.
fn own(call: &Request, url: Option<&str>) -> Option<String> {
    url.filter(|url| url.starts_with(&call.url("/"))).map(str::to_owned)
}

/// Returns the buttons of the page.
fn form(call: &Call<OrderPath, (), WayBack>) -> Form {
    let outcomes = [
        ("succeeds", "Pay"),
        ("fails", "Let the bank decline"),
        ("is_authorized", "Let the bank decide later"),
    ];
    let outcomes = outcomes.map(|(outcome, text)| (outcome.to_owned(), text.to_owned()));
    let WayBack { callback_url, cancel_url } = &call.query;
    let parameters = [("callback_url", callback_url), ("cancel_url", cancel_url)];
    let parameters = parameters.map(|(name, url)| {
        let url = url.as_deref().unwrap_or_default();
        format!("{name}={}", utf8_percent_encode(url, NON_ALPHANUMERIC))
    });
    let then = format!("/gateway/orders/{}?{}", call.path.order_id, parameters.join("&"));
    Form::of(call, &pay::route()).submits("outcome", outcomes).then(then)
}

/// Returns what the browser takes back if the order was paid.
fn signed(simulator: &Simulator, state: &OrderState, callback_url: String) -> Option<SignedResult> {
    let is_paid =
        |status| matches!(status, GatewayPaymentStatus::Captured | GatewayPaymentStatus::Refunded);
    let payment = state.payments.iter().find(|one| is_paid(one.status))?;
    let signature = simulator.signatures().of_payment(&payment.order_id, &payment.payment_id);
    let fields = [
        ("razorpay_order_id", payment.order_id.to_string()),
        ("razorpay_payment_id", payment.payment_id.to_string()),
        ("razorpay_signature", signature),
    ];
    Some(SignedResult { callback_url, fields })
}
