//! Payment gateways: orders, payments and refunds.
//!
//! [`Gateway`] is the interface that services need. It knows amounts and receipts, and nothing of
//! rows or requests. [`Simulator`] is a gateway in this process. `monotable-host` has the adapter
//! for Razorpay, whose JSON is in [`wire`].

mod signature;
mod simulator;
pub mod wire;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::BoxFuture;

pub use self::signature::Signatures;
pub use self::simulator::{Attempt, CallFailure, Forgery, Simulator};
pub use self::wire::{UnreadableEvent, read_event};

crate::ids!(
    /// An order of the gateway.
    OrderId,
    /// A payment of the gateway. The service's own payments have a `PaymentId`.
    GatewayPaymentId,
    /// A refund of the gateway.
    RefundId,
    /// An event of the gateway, the same in every delivery.
    EventId,
);

/// The future of a call to the gateway.
pub type Calling<'a, T> = BoxFuture<'a, T, GatewayError>;

/// A payment gateway. People pay orders on the gateway's own page; it reports the results in
/// webhooks, which may arrive late, twice, in any order, or never.
pub trait Gateway: Send + Sync {
    /// Creates an order. A repeated call creates another one: look it up by its receipt first.
    fn create_order<'a>(&'a self, order: &'a NewOrder) -> Calling<'a, Order>;

    /// Returns the orders that have a receipt, the oldest first. There is more than one if two calls created
    /// them at the same time.
    fn orders_of_receipt<'a>(&'a self, receipt: &'a str) -> Calling<'a, Vec<Order>>;

    /// Returns the current state of an order and its payments.
    fn order<'a>(&'a self, order_id: &'a OrderId) -> Calling<'a, OrderState>;

    /// Refunds a captured payment in full. A repeated call with the same key has no further effect,
    /// and returns the same refund. If the payment was already refunded in another way, the call is
    /// refused: its state shows that.
    fn refund<'a>(&'a self, refund: &'a NewRefund) -> Calling<'a, Refund>;

    /// Returns the form that opens the page on which an order is paid.
    fn checkout(&self, checkout: &CheckoutRequest<'_>) -> Checkout;

    /// Returns the object that checks the signatures of the gateway.
    fn signatures(&self) -> &Signatures;

    /// Returns the simulator, if the gateway is one: the service serves its page and its webhooks.
    fn simulator(&self) -> Option<&Simulator> {
        None
    }
}

/// An amount of money.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Price {
    /// The amount in the smallest unit of the currency: paise.
    pub amount_minor: u64,
    /// The code of the currency: `INR`.
    pub currency: String,
}

/// An order to create.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    /// The price.
    pub price: Price,
    /// The text by which the order is found again, at most 40 characters: the id of the service's
    /// payment.
    pub receipt: String,
}

/// An order of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The gateway's id.
    pub order_id: OrderId,
    /// The receipt that it was created with.
    pub receipt: String,
    /// The price.
    pub price: Price,
    /// The status of the order.
    pub status: OrderStatus,
}

/// The status of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    /// No payment was attempted.
    Created,
    /// A payment was attempted; more attempts are possible.
    Attempted,
    /// It was paid. It stays paid after a refund, and can't be paid again.
    Paid,
}

/// A payment of the gateway: one attempt to pay an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatewayPayment {
    /// The gateway's id.
    pub payment_id: GatewayPaymentId,
    /// The order that it pays.
    pub order_id: OrderId,
    /// The amount that was paid.
    pub price: Price,
    /// The status of the payment.
    pub status: GatewayPaymentStatus,
    /// The method, such as `upi` or `card`.
    pub method: Option<String>,
    /// Why it failed, in a sentence for people.
    pub failure_reason: Option<String>,
}

/// The status of a payment. A failed payment may still be authorized later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GatewayPaymentStatus {
    /// It was begun.
    Created,
    /// The bank has agreed; the money is charged by the capture.
    Authorized,
    /// The money was charged.
    Captured,
    /// The money was charged and returned.
    Refunded,
    /// It failed.
    Failed,
}

/// An order with its payments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderState {
    /// The order.
    pub order: Order,
    /// Every attempt to pay it.
    pub payments: Vec<GatewayPayment>,
}

/// A refund to create, of the whole payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefund {
    /// The payment.
    pub payment_id: GatewayPaymentId,
    /// The paid amount.
    pub price: Price,
    /// The same for every repetition of this refund: 10 characters or more, of letters, digits, `-` and `_`.
    pub key: String,
}

/// A refund of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// The gateway's id.
    pub refund_id: RefundId,
    /// The refunded payment.
    pub payment_id: GatewayPaymentId,
    /// The refunded amount.
    pub price: Price,
    /// The status of the refund.
    pub status: RefundStatus,
}

/// The status of a refund.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefundStatus {
    /// The gateway has accepted it.
    Pending,
    /// The money is being returned.
    Processed,
    /// The bank has declined it.
    Failed,
}

/// An event from a webhook. It contains the state when it was created, which may be long ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayEvent {
    /// `payment.authorized`.
    Authorized(GatewayPayment),
    /// `payment.captured`.
    Captured(GatewayPayment),
    /// `payment.failed`.
    Failed(GatewayPayment),
    /// `order.paid`, with its payment.
    OrderPaid(GatewayPayment),
    /// `refund.created`, `refund.processed` or `refund.failed`, with the payment.
    Refund(Refund, GatewayPayment),
    /// An event that services do not need, or of a payment without an order.
    Other,
}

/// The order's data for the page of the gateway.
#[derive(Clone, Copy, Debug)]
pub struct CheckoutRequest<'a> {
    /// The order.
    pub order_id: &'a OrderId,
    /// The price.
    pub price: &'a Price,
    /// The recipient of the payment: the name of the event.
    pub payee: &'a str,
    /// The purpose: the name of the team.
    pub description: &'a str,
    /// The e-mail address of the payer, to fill in the gateway's form.
    pub email: Option<&'a str>,
    /// The address to which the browser sends the signed result, with a POST.
    pub callback_url: &'a str,
    /// The address to which the browser returns without a payment.
    pub cancel_url: &'a str,
    /// The address of the simulated gateway's page in the service; the id of the order is appended.
    pub simulated_url: &'a str,
}

/// A form whose submission opens the gateway's page. It contains no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The address that it is sent to.
    pub action: String,
    /// The HTTP method.
    pub method: CheckoutMethod,
    /// The hidden fields.
    pub fields: Vec<(&'static str, String)>,
    /// The origin of that address, if it is not the service's own.
    pub origin: Option<String>,
}

/// The HTTP method of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckoutMethod {
    /// `GET`.
    Get,
    /// `POST`.
    Post,
}

impl CheckoutMethod {
    /// Returns the method as an attribute of a form.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Post => "post",
        }
    }
}

impl fmt::Display for CheckoutMethod {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// A webhook that waits for delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The event, in the gateway's JSON.
    pub body: String,
    /// `X-Razorpay-Signature`: the signature of exactly these bytes.
    pub signature: String,
    /// `x-razorpay-event-id`.
    pub event_id: EventId,
}

/// Why a call to the gateway failed. The texts contain no secrets and no personal data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The gateway has refused the call, which will not succeed later. Nothing has changed.
    #[error("the payment gateway refused: {0}")]
    Refused(String),
    /// The gateway could not be reached. Nothing has changed; a retry may succeed.
    #[error("the payment gateway can't be reached: {0}")]
    Unreachable(String),
    /// The response is missing or unreadable. The call may have taken effect.
    #[error("the payment gateway did not respond: {0}")]
    Unknown(String),
}
