//! A gateway to which the process makes a last call: it dies before the call, or before the answer comes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use monotable_kit::payment_gateway::{
    Calling, Checkout, CheckoutRequest, Gateway, GatewayError, NewOrder, NewRefund, Order, OrderId,
    OrderState, Refund, Signatures, Simulator,
};
use monotable_testkit::failing::Moment;
use tokio::sync::Notify;

/// The gateway of a process that dies. Whatever it does then never ends, so that a test can drop it.
pub(super) struct Dying {
    gateway: Arc<Simulator>,
    calls: AtomicUsize,
    fatal: usize,
    moment: Moment,
    died: Notify,
}

impl Dying {
    /// Lets the process die at the call with this number, counted from 0.
    pub(super) fn at(gateway: &Arc<Simulator>, fatal: usize, moment: Moment) -> Arc<Self> {
        let (calls, died) = (AtomicUsize::new(0), Notify::new());
        Arc::new(Self { gateway: Arc::clone(gateway), calls, fatal, moment, died })
    }

    /// Waits for its death.
    pub(super) async fn died(&self) {
        self.died.notified().await;
    }

    fn call<'a, T: Send + 'a>(&'a self, call: impl FnOnce() -> Calling<'a, T>) -> Calling<'a, T> {
        let number = self.calls.fetch_add(1, Ordering::SeqCst);
        if number < self.fatal {
            return call();
        }
        if number == self.fatal && self.moment == Moment::After {
            // A call to the simulator is done as soon as it is made.
            drop(call());
        }
        self.died.notify_one();
        Box::pin(std::future::pending::<Result<T, GatewayError>>())
    }
}

impl Gateway for Dying {
    fn create_order<'a>(&'a self, order: &'a NewOrder) -> Calling<'a, Order> {
        self.call(|| self.gateway.create_order(order))
    }

    fn orders_of_receipt<'a>(&'a self, receipt: &'a str) -> Calling<'a, Vec<Order>> {
        self.call(|| self.gateway.orders_of_receipt(receipt))
    }

    fn order<'a>(&'a self, order_id: &'a OrderId) -> Calling<'a, OrderState> {
        self.call(|| self.gateway.order(order_id))
    }

    fn refund<'a>(&'a self, refund: &'a NewRefund) -> Calling<'a, Refund> {
        self.call(|| self.gateway.refund(refund))
    }

    fn checkout(&self, checkout: &CheckoutRequest<'_>) -> Checkout {
        self.gateway.checkout(checkout)
    }

    fn signatures(&self) -> &Signatures {
        self.gateway.signatures()
    }
}
