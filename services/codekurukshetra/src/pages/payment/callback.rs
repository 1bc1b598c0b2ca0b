//! `POST /hackathon/payment/callback`: a browser comes back from the page of the gateway, which has signed the result.

use askama::Template;
use monotable_kit::Html;

use crate::api::payment::verify;
use crate::api::prelude::*;
use crate::pages::money;

/// The result of a payment. After a failed one the gateway sends other fields.
#[derive(Debug, Body)]
#[body(case = "snake")]
pub(crate) struct SentResult {
    razorpay_order_id: Option<OrderId>,
    razorpay_payment_id: Option<GatewayPaymentId>,
    #[body(length = 1..=128)]
    razorpay_signature: Option<String>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "payment/callback.html")]
struct CallbackPage {
    settled: Option<Settled>,
}

/// What a payment has become.
struct Settled {
    price: String,
    status: PaymentStatus,
    is_returned: bool,
}

/// Shows the result of a payment to the person who comes back from the gateway. The signature proves it, so that nobody has
/// to be signed in: browsers send no cookies with a form of another site.
#[operation(POST "/hackathon/payment/callback", public, foreign_forms, refuses(crate::refusal::VERIFYING))]
async fn payment_callback(app: &App, call: &Call<(), SentResult>) -> Answer<Html> {
    let sent = &call.body;
    let settled = match (&sent.razorpay_order_id, &sent.razorpay_payment_id) {
        (Some(order_id), Some(payment_id)) => {
            let signature = sent.razorpay_signature.as_deref().unwrap_or_default();
            Some(settled(app, order_id, payment_id, signature).await?)
        }
        _ => None,
    };
    Ok(Html::new(call, "Payment", &CallbackPage { settled })?.into())
}

async fn settled(
    app: &App,
    order_id: &OrderId,
    payment_id: &GatewayPaymentId,
    signature: &str,
) -> Result<Settled, Problem> {
    let lookup = verify::signed_order(app, order_id, payment_id, signature).await?;
    let payment = verify::settle_signed(app, &lookup, payment_id, signature).await?;
    Ok(Settled {
        price: money(payment.amount, &payment.currency),
        status: payment.status,
        is_returned: payment.is_returned(),
    })
}
