//! Payment gateways: orders, payments and refunds.
//!
//! [`Gateway`] is what a service needs of one. It knows amounts and receipts, and nothing of rows or requests.
//! [`Simulator`] is a gateway in this process. `monotable-host` has the adapter for Razorpay, whose JSON is in [`wire`].

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
    /// An event of the gateway, the same whenever it is delivered.
    EventId,
);

/// The future of a call to the gateway.
pub type Calling<'a, T> = BoxFuture<'a, T, GatewayError>;

/// A payment gateway. Orders are paid by people on its own page; it reports what became of them in webhooks,
/// which may come late, twice, in any order, or never.
pub trait Gateway: Send + Sync {
    /// Creates an order. A repeated call creates another one: look it up by its receipt first.
    fn create_order<'a>(&'a self, order: &'a NewOrder) -> Calling<'a, Order>;

    /// Returns the orders that have a receipt, the oldest first. There is more than one if two calls created
    /// them at the same time.
    fn orders_of_receipt<'a>(&'a self, receipt: &'a str) -> Calling<'a, Vec<Order>>;

    /// Returns an order and its payments as they are now.
    fn order<'a>(&'a self, order_id: &'a OrderId) -> Calling<'a, OrderState>;

    /// Refunds a captured payment in full. A repeated call with the same key refunds nothing more, and returns
    /// the same refund. A payment that was already refunded otherwise is refused: its state shows that.
    fn refund<'a>(&'a self, refund: &'a NewRefund) -> Calling<'a, Refund>;

    /// Returns how a browser gets to the page on which an order is paid.
    fn checkout(&self, checkout: &CheckoutRequest<'_>) -> Checkout;

    /// Returns what checks the signatures of the gateway.
    fn signatures(&self) -> &Signatures;

    /// Returns the simulator, if the gateway is it: its page and its webhooks are those of the service.
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

/// An order to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewOrder {
    /// What is to be paid.
    pub price: Price,
    /// The text by which the order is found again, at most 40 characters: the id of what is paid.
    pub receipt: String,
}

/// An order of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The gateway's id.
    pub order_id: OrderId,
    /// The receipt that it was created with.
    pub receipt: String,
    /// What is to be paid.
    pub price: Price,
    /// How far it is.
    pub status: OrderStatus,
}

/// How far an order is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderStatus {
    /// Nobody has tried to pay it.
    Created,
    /// Someone has tried to pay it, and may try again.
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
    /// What was paid.
    pub price: Price,
    /// How far it is.
    pub status: GatewayPaymentStatus,
    /// How it was paid, such as `upi` or `card`.
    pub method: Option<String>,
    /// Why it failed, in a sentence for people.
    pub failure_reason: Option<String>,
}

/// How far a payment of the gateway is. A failed payment may still be authorized later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GatewayPaymentStatus {
    /// It was begun.
    Created,
    /// The bank has agreed; the money comes with the capture.
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

/// A refund to be made, of the whole payment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRefund {
    /// The payment.
    pub payment_id: GatewayPaymentId,
    /// All that was paid.
    pub price: Price,
    /// The same for every repetition of this refund: 10 characters or more, of letters, digits, `-` and `_`.
    pub key: String,
}

/// A refund of the gateway.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refund {
    /// The gateway's id.
    pub refund_id: RefundId,
    /// The payment that is returned.
    pub payment_id: GatewayPaymentId,
    /// What is returned.
    pub price: Price,
    /// How far it is.
    pub status: RefundStatus,
}

/// How far a refund is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefundStatus {
    /// The gateway has accepted it.
    Pending,
    /// The money is on its way back.
    Processed,
    /// The bank has refused the money.
    Failed,
}

/// What a webhook reports. It says how things were when it was made, which may be long ago.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GatewayEvent {
    /// `payment.authorized`.
    Authorized(GatewayPayment),
    /// `payment.captured`.
    Captured(GatewayPayment),
    /// `payment.failed`.
    Failed(GatewayPayment),
    /// `order.paid`, with the payment by which it was.
    OrderPaid(GatewayPayment),
    /// `refund.created`, `refund.processed` or `refund.failed`, with the payment.
    Refund(Refund, GatewayPayment),
    /// An event that services do not need, or of a payment without an order.
    Other,
}

/// What the page of the gateway shall know of an order.
#[derive(Clone, Copy, Debug)]
pub struct CheckoutRequest<'a> {
    /// The order.
    pub order_id: &'a OrderId,
    /// What is to be paid.
    pub price: &'a Price,
    /// Who is paid: the name of the event.
    pub payee: &'a str,
    /// What is paid for: the name of the team.
    pub description: &'a str,
    /// The e-mail address of the payer, so that nobody has to type it again.
    pub email: Option<&'a str>,
    /// The address that the browser sends the signed result to, by a POST.
    pub callback_url: &'a str,
    /// The address of those who do not pay.
    pub cancel_url: &'a str,
    /// Where the service has the page of a simulated gateway; the id of the order is appended.
    pub simulated_url: &'a str,
}

/// A form whose submission opens the gateway's page. It carries no secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Where it is sent.
    pub action: String,
    /// How it is sent.
    pub method: CheckoutMethod,
    /// The hidden fields.
    pub fields: Vec<(&'static str, String)>,
    /// The origin of that address, if it is another than the service's own.
    pub origin: Option<String>,
}

/// How a form is sent.
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

/// A webhook on its way to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook {
    /// The event, in the gateway's JSON.
    pub body: String,
    /// `X-Razorpay-Signature`: the signature of these very bytes.
    pub signature: String,
    /// `x-razorpay-event-id`.
    pub event_id: EventId,
}

/// Why a call to the gateway failed. The texts contain no secrets and no personal data.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GatewayError {
    /// The gateway does not do it, now or later. Nothing has changed.
    #[error("the payment gateway refused: {0}")]
    Refused(String),
    /// The gateway could not be asked. Nothing has changed, and it is worth trying again.
    #[error("the payment gateway can't be reached: {0}")]
    Unreachable(String),
    /// No answer came, or an unreadable one. The call may have taken effect.
    #[error("the payment gateway gave no answer: {0}")]
    Unknown(String),
}
