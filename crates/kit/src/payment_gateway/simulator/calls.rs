//! The calls of the service to the simulator.

use super::{CallFailure, Simulator, State};
use crate::payment_gateway::{
    Calling, Checkout, CheckoutMethod, CheckoutRequest, Gateway, GatewayError, GatewayEvent,
    GatewayPaymentStatus, NewOrder, NewRefund, Order, OrderId, OrderState, OrderStatus, Refund,
    RefundStatus, Signatures,
};

/// Characters of the key of a refund at least.
const REFUND_KEY_CHARACTERS_MIN: usize = 10;

impl Gateway for Simulator {
    fn create_order<'a>(&'a self, order: &'a NewOrder) -> Calling<'a, Order> {
        self.call(|state| {
            let order = Order {
                order_id: self.new_id(state, "order_")?,
                receipt: order.receipt.clone(),
                price: order.price.clone(),
                status: OrderStatus::Created,
            };
            state.orders.push(OrderState { order: order.clone(), payments: Vec::new() });
            Ok(order)
        })
    }

    fn orders_of_receipt<'a>(&'a self, receipt: &'a str) -> Calling<'a, Vec<Order>> {
        self.call(|state| {
            let orders = state.orders.iter().map(|order| &order.order);
            Ok(orders.filter(|order| order.receipt == receipt).cloned().collect())
        })
    }

    fn order<'a>(&'a self, order_id: &'a OrderId) -> Calling<'a, OrderState> {
        self.call(|state| state.order(order_id).cloned())
    }

    fn refund<'a>(&'a self, refund: &'a NewRefund) -> Calling<'a, Refund> {
        self.call(|state| self.refunded(state, refund))
    }

    fn checkout(&self, checkout: &CheckoutRequest<'_>) -> Checkout {
        Checkout {
            action: format!("{}{}", checkout.simulated_url, checkout.order_id),
            method: CheckoutMethod::Get,
            fields: vec![
                ("callback_url", checkout.callback_url.to_owned()),
                ("cancel_url", checkout.cancel_url.to_owned()),
            ],
            origin: None,
        }
    }

    fn signatures(&self) -> &Signatures {
        &self.signatures
    }

    fn simulator(&self) -> Option<&Simulator> {
        Some(self)
    }
}

impl Simulator {
    /// Performs a call, unless the call shall fail.
    fn call<'a, T: Send + 'a>(
        &'a self,
        effect: impl FnOnce(&mut State) -> Result<T, GatewayError>,
    ) -> Calling<'a, T> {
        let state = &mut *self.state();
        let done = match state.failures.pop_front().flatten() {
            None => effect(state),
            Some(CallFailure::BeforeEffect) => {
                Err(GatewayError::Unreachable("the simulator drops the call".to_owned()))
            }
            Some(CallFailure::Refusal) => refused("the simulator refuses the call"),
            Some(CallFailure::AfterEffect) => effect(state).and_then(|_| {
                Err(GatewayError::Unknown("the simulator drops the answer".to_owned()))
            }),
        };
        Box::pin(std::future::ready(done))
    }

    fn refunded(&self, state: &mut State, refund: &NewRefund) -> Result<Refund, GatewayError> {
        let is_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if refund.key.len() < REFUND_KEY_CHARACTERS_MIN || !refund.key.bytes().all(is_key) {
            return refused(
                "the key of a refund is 10 characters or more, of letters, digits, - and _",
            );
        }
        if let Some(made) = state.refunds.get(&refund.key) {
            let is_same = made.payment_id == refund.payment_id && made.price == refund.price;
            return if is_same { Ok(made.clone()) } else { refused("another refund has this key") };
        }
        let refund_id = self.new_id(state, "rfnd_")?;
        let payment = state.payment(&refund.payment_id)?;
        if payment.status != GatewayPaymentStatus::Captured {
            return refused("only a captured payment can be refunded, once");
        }
        if payment.price != refund.price {
            return refused("the amount of the refund is not that of the payment");
        }
        let is_declined = state.declined_refunds > 0;
        state.declined_refunds -= usize::from(is_declined);
        let payment = state.payment(&refund.payment_id)?;
        let ends_as = if is_declined {
            RefundStatus::Failed
        } else {
            payment.status = GatewayPaymentStatus::Refunded;
            RefundStatus::Processed
        };
        let payment = payment.clone();
        let mut made = Refund {
            refund_id,
            payment_id: refund.payment_id.clone(),
            price: refund.price.clone(),
            status: RefundStatus::Pending,
        };
        for status in [RefundStatus::Pending, ends_as] {
            made.status = status;
            let event = GatewayEvent::Refund(made.clone(), payment.clone());
            self.report(state, &payment.order_id, &event)?;
        }
        state.refunds.insert(refund.key.clone(), made.clone());
        Ok(made)
    }
}

fn refused<T>(reason: &str) -> Result<T, GatewayError> {
    Err(GatewayError::Refused(reason.to_owned()))
}
