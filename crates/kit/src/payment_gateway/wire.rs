//! Razorpay's JSON, which the simulator uses as well: <https://razorpay.com/docs/api>.
//!
//! Only adapters and tests use it. Members that services do not need are neither read nor written.
#![allow(missing_docs, reason = "members are those of Razorpay's documentation")]

use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{
    GatewayEvent, GatewayPayment, GatewayPaymentId, GatewayPaymentStatus, NewOrder, NewRefund,
    Order, OrderId, OrderStatus, Price, Refund, RefundId, RefundStatus,
};

/// The reason for the failure of a payment that the bank had authorized.
const LAPSED: &str = "The payment was not completed in time.";
/// How long late payments are captured automatically, in minutes: as long as banks may report them.
const CAPTURE_MINUTES: u32 = 7_200;

/// `POST /v1/orders`.
#[derive(Debug, Serialize, Deserialize)]
pub struct OrderRequest {
    pub amount: u64,
    pub currency: String,
    pub receipt: String,
    pub payment: CaptureRequest,
}

/// The settings of the capture. The gateway refunds uncaptured payments after days, so capturing is
/// left to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CaptureRequest {
    pub capture: String,
    capture_options: CaptureOptions,
}

#[derive(Debug, Serialize, Deserialize)]
struct CaptureOptions {
    automatic_expiry_period: u32,
    manual_expiry_period: u32,
    refund_speed: String,
}

impl From<&NewOrder> for OrderRequest {
    fn from(order: &NewOrder) -> Self {
        let capture_options = CaptureOptions {
            automatic_expiry_period: CAPTURE_MINUTES,
            manual_expiry_period: CAPTURE_MINUTES,
            refund_speed: "normal".to_owned(),
        };
        Self {
            amount: order.price.amount_minor,
            currency: order.price.currency.clone(),
            receipt: order.receipt.clone(),
            payment: CaptureRequest { capture: "automatic".to_owned(), capture_options },
        }
    }
}

/// An order.
#[derive(Debug, Serialize, Deserialize)]
pub struct OrderEntity {
    #[serde(deserialize_with = "id")]
    id: OrderId,
    amount: u64,
    currency: String,
    #[serde(default)]
    receipt: Option<String>,
    status: OrderStatus,
}

impl From<OrderEntity> for Order {
    fn from(entity: OrderEntity) -> Self {
        Self {
            order_id: entity.id,
            receipt: entity.receipt.unwrap_or_default(),
            price: Price { amount_minor: entity.amount, currency: entity.currency },
            status: entity.status,
        }
    }
}

impl From<&Order> for OrderEntity {
    fn from(order: &Order) -> Self {
        Self {
            id: order.order_id.clone(),
            amount: order.price.amount_minor,
            currency: order.price.currency.clone(),
            receipt: Some(order.receipt.clone()),
            status: order.status,
        }
    }
}

/// A payment. Payments that were not created for an order have no order.
#[derive(Debug, Serialize, Deserialize)]
pub struct PaymentEntity {
    #[serde(deserialize_with = "id")]
    id: GatewayPaymentId,
    #[serde(default, deserialize_with = "optional_id")]
    pub order_id: Option<OrderId>,
    pub amount: u64,
    pub currency: String,
    status: GatewayPaymentStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    captured: Option<bool>,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    error_description: Option<String>,
}

impl PaymentEntity {
    /// Returns the payment, unless it was not created for an order. A payment that was refunded
    /// before its capture brought no money, so it has failed.
    pub fn of_order(self) -> Option<GatewayPayment> {
        let has_lapsed =
            self.status == GatewayPaymentStatus::Refunded && self.captured == Some(false);
        let (status, failure_reason) = if has_lapsed {
            (GatewayPaymentStatus::Failed, Some(LAPSED.to_owned()))
        } else {
            (self.status, self.error_description)
        };
        Some(GatewayPayment {
            payment_id: self.id,
            order_id: self.order_id?,
            price: Price { amount_minor: self.amount, currency: self.currency },
            status,
            method: self.method,
            failure_reason,
        })
    }
}

impl From<&GatewayPayment> for PaymentEntity {
    fn from(payment: &GatewayPayment) -> Self {
        Self {
            id: payment.payment_id.clone(),
            order_id: Some(payment.order_id.clone()),
            amount: payment.price.amount_minor,
            currency: payment.price.currency.clone(),
            status: payment.status,
            captured: None,
            method: payment.method.clone(),
            error_description: payment.failure_reason.clone(),
        }
    }
}

/// `POST /v1/payments/{id}/refund`.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundRequest {
    pub amount: u64,
}

impl From<&NewRefund> for RefundRequest {
    fn from(refund: &NewRefund) -> Self {
        Self { amount: refund.price.amount_minor }
    }
}

/// A refund.
#[derive(Debug, Serialize, Deserialize)]
pub struct RefundEntity {
    #[serde(deserialize_with = "id")]
    id: RefundId,
    #[serde(deserialize_with = "id")]
    payment_id: GatewayPaymentId,
    amount: u64,
    currency: String,
    status: RefundStatus,
}

impl From<RefundEntity> for Refund {
    fn from(entity: RefundEntity) -> Self {
        Self {
            refund_id: entity.id,
            payment_id: entity.payment_id,
            price: Price { amount_minor: entity.amount, currency: entity.currency },
            status: entity.status,
        }
    }
}

impl From<&Refund> for RefundEntity {
    fn from(refund: &Refund) -> Self {
        Self {
            id: refund.refund_id.clone(),
            payment_id: refund.payment_id.clone(),
            amount: refund.price.amount_minor,
            currency: refund.price.currency.clone(),
            status: refund.status,
        }
    }
}

/// Reads an id that can be part of a key.
fn id<'de, D: Deserializer<'de>, I: FromStr>(deserializer: D) -> Result<I, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom("an id contains characters that no id has"))
}

fn optional_id<'de, D: Deserializer<'de>, I: FromStr>(
    deserializer: D,
) -> Result<Option<I>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    let id = text.map(|text| text.parse()).transpose();
    id.map_err(|_| D::Error::custom("an id contains characters that no id has"))
}

/// A list of entities.
#[derive(Debug, Serialize, Deserialize)]
pub struct Collection<T> {
    pub items: Vec<T>,
}

/// The header with the key of a refund.
pub const REFUND_KEY: &str = "x-refund-idempotency";

/// The body of an error response.
#[derive(Debug, Serialize, Deserialize)]
pub struct ErrorBody {
    pub error: ErrorEntity,
}

/// The reason of an error.
#[derive(Debug, Serialize, Deserialize)]
pub struct ErrorEntity {
    pub code: String,
    pub description: String,
}

/// The body of a webhook.
#[derive(Debug, Serialize, Deserialize)]
struct EventBody {
    event: String,
    #[serde(default)]
    payload: Payload,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Payload {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payment: Option<Holder<PaymentEntity>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<Holder<OrderEntity>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refund: Option<Holder<RefundEntity>>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Holder<T> {
    entity: T,
}

impl<T> Holder<T> {
    fn of<'a, V>(value: &'a V) -> Option<Self>
    where
        T: From<&'a V>,
    {
        Some(Self { entity: value.into() })
    }
}

const AUTHORIZED: &str = "payment.authorized";
const CAPTURED: &str = "payment.captured";
const FAILED: &str = "payment.failed";
const ORDER_PAID: &str = "order.paid";
const REFUND_CREATED: &str = "refund.created";
const REFUND_PROCESSED: &str = "refund.processed";
const REFUND_FAILED: &str = "refund.failed";

/// Returns the name of an event.
fn name(event: &GatewayEvent) -> &'static str {
    match event {
        GatewayEvent::Authorized(_) => AUTHORIZED,
        GatewayEvent::Captured(_) => CAPTURED,
        GatewayEvent::Failed(_) => FAILED,
        GatewayEvent::OrderPaid(_) => ORDER_PAID,
        GatewayEvent::Refund(refund, _) => match refund.status {
            RefundStatus::Pending => REFUND_CREATED,
            RefundStatus::Processed => REFUND_PROCESSED,
            RefundStatus::Failed => REFUND_FAILED,
        },
        GatewayEvent::Other => "settlement.processed",
    }
}

/// Returns the body of the webhook that reports an event of an order.
pub(super) fn event_body(event: &GatewayEvent, order: &Order) -> Result<String, serde_json::Error> {
    let payload = match event {
        GatewayEvent::Authorized(payment)
        | GatewayEvent::Captured(payment)
        | GatewayEvent::Failed(payment) => {
            Payload { payment: Holder::of(payment), ..Payload::default() }
        }
        GatewayEvent::OrderPaid(payment) => {
            Payload { payment: Holder::of(payment), order: Holder::of(order), ..Payload::default() }
        }
        GatewayEvent::Refund(refund, payment) => Payload {
            payment: Holder::of(payment),
            refund: Holder::of(refund),
            ..Payload::default()
        },
        GatewayEvent::Other => Payload::default(),
    };
    serde_json::to_string(&EventBody { event: name(event).to_owned(), payload })
}

/// Returns the body of a webhook with another payment in it.
pub(super) fn changed_body(
    body: &str,
    change: impl FnOnce(&mut PaymentEntity),
) -> Result<String, serde_json::Error> {
    let mut body: EventBody = serde_json::from_str(body)?;
    if let Some(payment) = &mut body.payload.payment {
        change(&mut payment.entity);
    }
    serde_json::to_string(&body)
}

/// A webhook with a valid signature and an invalid body.
#[derive(Debug, thiserror::Error)]
#[error("the webhook is not an event of the gateway: {0}")]
pub struct UnreadableEvent(String);

/// Parses the body of a webhook whose signature was checked.
///
/// # Errors
/// Fails if it is not JSON, or lacks a required member.
pub fn read_event(body: &[u8]) -> Result<GatewayEvent, UnreadableEvent> {
    // The text of the error contains names of members and positions, but no values.
    let unreadable = |error: serde_json::Error| {
        UnreadableEvent(format!("line {}, column {}", error.line(), error.column()))
    };
    let EventBody { event, payload } = serde_json::from_slice(body).map_err(unreadable)?;
    let event_of: fn(GatewayPayment) -> GatewayEvent = match event.as_str() {
        AUTHORIZED => GatewayEvent::Authorized,
        CAPTURED => GatewayEvent::Captured,
        FAILED => GatewayEvent::Failed,
        ORDER_PAID => GatewayEvent::OrderPaid,
        REFUND_CREATED | REFUND_PROCESSED | REFUND_FAILED => return refund_event(payload),
        _ => return Ok(GatewayEvent::Other),
    };
    let payment = payload.payment.ok_or_else(|| missing("payload.payment"))?;
    Ok(payment.entity.of_order().map_or(GatewayEvent::Other, event_of))
}

fn refund_event(payload: Payload) -> Result<GatewayEvent, UnreadableEvent> {
    let refund = payload.refund.ok_or_else(|| missing("payload.refund"))?;
    let payment = payload.payment.ok_or_else(|| missing("payload.payment"))?;
    Ok(match payment.entity.of_order() {
        None => GatewayEvent::Other,
        Some(payment) if payment.status == GatewayPaymentStatus::Failed => {
            GatewayEvent::Failed(payment)
        }
        Some(payment) => GatewayEvent::Refund(refund.entity.into(), payment),
    })
}

fn missing(member: &str) -> UnreadableEvent {
    UnreadableEvent(format!("{member} is missing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment(status: GatewayPaymentStatus) -> GatewayPayment {
        GatewayPayment {
            payment_id: "pay_1".parse().unwrap(),
            order_id: "order_1".parse().unwrap(),
            price: Price { amount_minor: 99_900, currency: "INR".to_owned() },
            status,
            method: Some("upi".to_owned()),
            failure_reason: None,
        }
    }

    #[test]
    fn an_event_is_read_as_it_was_written() {
        let order = Order {
            order_id: "order_1".parse().unwrap(),
            receipt: "team".to_owned(),
            price: payment(GatewayPaymentStatus::Captured).price,
            status: OrderStatus::Paid,
        };
        let refund = |status| Refund {
            refund_id: "rfnd_1".parse().unwrap(),
            payment_id: "pay_1".parse().unwrap(),
            price: order.price.clone(),
            status,
        };
        let refunded = payment(GatewayPaymentStatus::Refunded);
        for event in [
            GatewayEvent::Authorized(payment(GatewayPaymentStatus::Authorized)),
            GatewayEvent::Captured(payment(GatewayPaymentStatus::Captured)),
            GatewayEvent::Failed(payment(GatewayPaymentStatus::Failed)),
            GatewayEvent::OrderPaid(payment(GatewayPaymentStatus::Captured)),
            GatewayEvent::Refund(refund(RefundStatus::Pending), refunded.clone()),
            GatewayEvent::Refund(refund(RefundStatus::Processed), refunded.clone()),
            GatewayEvent::Refund(refund(RefundStatus::Failed), refunded),
            GatewayEvent::Other,
        ] {
            let body = event_body(&event, &order).unwrap();
            assert_eq!(read_event(body.as_bytes()).unwrap(), event, "{body}");
        }
    }

    /// Members from <https://razorpay.com/docs/webhooks/payments> that this crate does not use.
    #[test]
    fn members_that_nobody_needs_are_passed_over() {
        let body = r#"{"account_id":"acc_1","contains":["payment"],"created_at":1691735748,
            "entity":"event","event":"payment.captured","payload":{"payment":{"entity":{
            "acquirer_data":{"rrn":"322206890934"},"amount":99900,"amount_refunded":0,"bank":null,
            "captured":true,"card":{"emi":false},"contact":"+919000090000","currency":"INR",
            "email":"ann@example.org","entity":"payment","error_code":null,
            "error_description":null,"fee":2,"id":"pay_1","method":"upi","notes":[],
            "order_id":"order_1","refund_status":null,"status":"captured","vpa":null}}}}"#;
        let expected = GatewayEvent::Captured(payment(GatewayPaymentStatus::Captured));
        assert_eq!(read_event(body.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn events_of_others_are_nothing_to_us() {
        let of_no_order = r#"{"event":"payment.captured","payload":{"payment":{"entity":
            {"id":"pay_1","amount":1,"currency":"INR","status":"captured","order_id":null}}}}"#;
        for body in [of_no_order, r#"{"event":"payment.dispute.created","payload":{"dispute":{}}}"#]
        {
            assert_eq!(read_event(body.as_bytes()).unwrap(), GatewayEvent::Other);
        }
    }

    /// Razorpay refunds authorized payments that were not captured: no money was paid, whatever the
    /// status is.
    #[test]
    fn a_payment_that_was_returned_uncaptured_has_failed() {
        let entity = |captured: &str| {
            format!(
                r#"{{"id":"pay_1","amount":99900,"currency":"INR","status":"refunded",
                "order_id":"order_1"{captured}}}"#
            )
        };
        let read = |captured: &str| {
            let entity: PaymentEntity = serde_json::from_str(&entity(captured)).unwrap();
            entity.of_order().unwrap()
        };
        for captured in ["", r#","captured":true"#, r#","captured":null"#] {
            assert_eq!(read(captured).status, GatewayPaymentStatus::Refunded, "{captured}");
        }
        let lapsed = read(r#","captured":false"#);
        assert_eq!(lapsed.status, GatewayPaymentStatus::Failed);
        assert!(lapsed.failure_reason.is_some());
        let event = format!(
            r#"{{"event":"refund.processed","payload":{{"payment":{{"entity":{}}},"refund":{{"entity":
            {{"id":"rfnd_1","payment_id":"pay_1","amount":99900,"currency":"INR","status":"processed"}}}}}}}}"#,
            entity(r#","captured":false"#)
        );
        assert_eq!(read_event(event.as_bytes()).unwrap(), GatewayEvent::Failed(lapsed));
    }

    #[test]
    fn what_is_no_event_is_refused_without_its_values() {
        for body in [
            "",
            "[]",
            "ann@example.org",
            r#"{"event":"payment.captured","payload":{}}"#,
            r#"{"event":"payment.captured","payload":{"payment":{"entity":{"id":"ann@example.org"}}}}"#,
            r#"{"event":"payment.captured","payload":{"payment":{"entity":{"id":"a#b","amount":1,
                "currency":"INR","status":"captured","order_id":"order_1"}}}}"#,
            r#"{"event":"refund.processed","payload":{}}"#,
        ] {
            let error = read_event(body.as_bytes()).unwrap_err().to_string();
            assert!(!error.contains("ann@"), "{error}");
        }
    }
}
