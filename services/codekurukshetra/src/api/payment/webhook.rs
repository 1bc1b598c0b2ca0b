//! `POST /hackathon/payment/webhook`: what the gateway reports. It comes at least once, in any order, and is signed.

use std::time::Duration;

use monotable::model::key::KeyError;
use monotable_kit::{Field, Schema};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use crate::api::admin::counts;
use crate::api::prelude::*;
use crate::money::capture::{Captured, Proof};
use crate::money::{Tx, commit};
use monotable_kit::payment_gateway::{GatewayEvent, RefundStatus, read_event};

/// How long an event is known, so that it is processed once.
const KNOWN_FOR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The result of an event about another amount: it is refused once, and recognised afterwards.
const MISMATCHED: &str = "mismatched";

/// An event of the gateway, in its own form. It is read from the text that is signed.
#[derive(Debug)]
pub(crate) struct SentEvent;

impl Body for SentEvent {
    fn schema() -> Option<Schema> {
        Some(Schema::bare("GatewayEvent", Field::new("event", Kind::Anything)))
    }

    fn read(_fields: Map<String, Value>) -> Result<Self, Problem> {
        Ok(Self)
    }
}

/// The result of an event.
#[derive(View)]
pub(crate) struct EventView {
    /// `processed`, `known` or `ignored`.
    #[view(example = "processed")]
    result: &'static str,
}

/// Takes an event of the gateway. The response is quick: it asks the gateway nothing.
#[operation(
    POST "/hackathon/payment/webhook", public, programs_only,
    headers("x-razorpay-signature", "x-razorpay-event-id"),
    refuses(InvalidWebhookSignature, InvalidRequest, AmountMismatch, NotConfigured)
)]
pub(crate) async fn payment_webhook(
    app: &App,
    call: &Call<(), SentEvent>,
) -> Answer<Json<EventView>> {
    let signature = call.header("x-razorpay-signature").unwrap_or_default();
    let event_id = call.header("x-razorpay-event-id");
    let result = receive(app, &call.body_text, signature, event_id).await?;
    Ok(Json(EventView { result }).into())
}

/// Processes an event of the gateway and returns the result.
///
/// # Errors
/// Returns 401 if the gateway has not signed these bytes, or 400 if they are no event, or 409 if the amount is another,
/// a version conflict if the same rows were changed at the same time.
pub(crate) async fn receive(
    app: &App,
    body: &[u8],
    signature: &str,
    event_id: Option<&str>,
) -> Result<&'static str, Problem> {
    let is_signed = app.cashier.gateway.signatures().is_of_webhook(signature, body);
    Refusal::InvalidWebhookSignature.unless(is_signed)?;
    let event =
        read_event(body).map_err(|error| Refusal::InvalidRequest.text(error.to_string()))?;
    let event_id = id_of(event_id, body)?;
    if app.db.seen_event(&event_id).await?.is_some() {
        return Ok("known");
    }
    let mut tx = app.db.transact();
    let result = process(app, &mut tx, &event, &event_id).await?;
    let ttl = Some((app.db.now() + KNOWN_FOR).epoch_seconds());
    tx.add(create(SeenEvent { event_id, ttl, stamps: Stamps::default() }));
    commit(tx).await?;
    counts::announce(app).await;
    Refusal::AmountMismatch.unless(result != MISMATCHED)?;
    Ok(result)
}

/// Returns the id of an event: the gateway's, or a hash of the body if it sends none.
fn id_of(event_id: Option<&str>, body: &[u8]) -> Result<EventId, Problem> {
    let text = match event_id {
        Some(id) => id.to_owned(),
        None => format!("sha256-{}", hex::encode(Sha256::digest(body))),
    };
    let event_id: Result<EventId, KeyError> = text.parse();
    event_id.map_err(|error| Problem::field("x-razorpay-event-id", error.to_string()))
}

/// Adds the changes of an event to the transaction, and returns the result.
async fn process(
    app: &App,
    tx: &mut Tx,
    event: &GatewayEvent,
    event_id: &EventId,
) -> Result<&'static str, Problem> {
    let cashier = &app.cashier;
    let captured = match event {
        GatewayEvent::Captured(payment) | GatewayEvent::OrderPaid(payment) => {
            cashier.capture(tx, payment, Proof::of(SettledBy::Webhook)).await?
        }
        // That the gateway has begun a refund does not return any money.
        GatewayEvent::Refund(refund, _) if refund.status == RefundStatus::Pending => {
            return Ok("ignored");
        }
        GatewayEvent::Refund(refund, payment) => cashier.refunded(tx, refund, payment).await?,
        GatewayEvent::Failed(payment) => cashier.fail(tx, payment).await?,
        GatewayEvent::Authorized(payment) => cashier.authorize(tx, payment).await?,
        GatewayEvent::Other => return Ok("ignored"),
    };
    match captured {
        Captured::Confirmed | Captured::Returned | Captured::Noted => Ok("processed"),
        Captured::Known => Ok("known"),
        Captured::OtherAmount => {
            let text = format!("The event {event_id} is about another amount than the team owes.");
            cashier.alert(tx, event_id.as_ref(), "other_amount", text)?;
            Ok(MISMATCHED)
        }
        Captured::UnknownOrder => {
            let text = format!("The event {event_id} is about an order that no team has.");
            cashier.alert(tx, event_id.as_ref(), "unknown_order", text)?;
            Ok("ignored")
        }
    }
}
