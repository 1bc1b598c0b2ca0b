//! The webhooks of the simulator. The caller that takes them decides what happens to them: out of
//! order, delayed, or lost if they are not delivered.

use super::{Simulator, State};
use crate::payment_gateway::wire::{PaymentEntity, changed_body, event_body};
use crate::payment_gateway::{GatewayError, GatewayEvent, OrderId, Signatures, Webhook};

/// The modification of a forged webhook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forgery {
    /// The amount was changed in transit.
    AlteredAmount,
    /// The order was changed in transit.
    AlteredOrder,
    /// The body has one more space.
    AlteredBody,
    /// The signature was made with another secret.
    OtherSecret,
    /// The signature is missing.
    NoSignature,
    /// The gateway itself reports another amount.
    SignedAmount,
    /// The gateway itself reports another currency.
    SignedCurrency,
    /// The gateway itself reports an order of another shop.
    SignedOrder,
}

impl Forgery {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::AlteredAmount,
        Self::AlteredOrder,
        Self::AlteredBody,
        Self::OtherSecret,
        Self::NoSignature,
        Self::SignedAmount,
        Self::SignedCurrency,
        Self::SignedOrder,
    ];
}

impl Simulator {
    /// Returns whether the service takes webhooks as soon as they are created.
    pub fn delivers_webhooks(&self) -> bool {
        self.delivers_webhooks
    }

    /// Returns the number of waiting webhooks.
    pub fn waiting_webhooks(&self) -> usize {
        self.state().webhooks.len()
    }

    /// Takes a waiting webhook; 0 is the oldest.
    pub fn take_webhook(&self, position: usize) -> Option<Webhook> {
        self.state().webhooks.remove(position)
    }

    /// Puts a webhook at the end of the queue, to be delivered again.
    pub fn return_webhook(&self, webhook: Webhook) {
        self.state().webhooks.push_back(webhook);
    }

    /// Returns a forged webhook.
    ///
    /// # Errors
    /// Fails if the webhook was not created by this simulator.
    pub fn forged(&self, webhook: &Webhook, forgery: Forgery) -> Result<Webhook, GatewayError> {
        let change: fn(&mut PaymentEntity) = match forgery {
            Forgery::AlteredAmount | Forgery::SignedAmount => |payment| payment.amount += 1,
            Forgery::AlteredOrder | Forgery::SignedOrder => {
                |payment| payment.order_id = "order_ofAnotherShop".parse().ok()
            }
            Forgery::SignedCurrency => |payment| payment.currency = "USD".to_owned(),
            Forgery::AlteredBody | Forgery::OtherSecret | Forgery::NoSignature => |_| {},
        };
        let mut body = changed_body(&webhook.body, change).map_err(unwritten)?;
        if forgery == Forgery::AlteredBody {
            body.push(' ');
        }
        let signature = match forgery {
            Forgery::AlteredAmount | Forgery::AlteredOrder | Forgery::AlteredBody => {
                webhook.signature.clone()
            }
            Forgery::OtherSecret => Signatures::new("", "").of_webhook(body.as_bytes()),
            Forgery::NoSignature => String::new(),
            Forgery::SignedAmount | Forgery::SignedCurrency | Forgery::SignedOrder => {
                self.signatures.of_webhook(body.as_bytes())
            }
        };
        Ok(Webhook { body, signature, event_id: self.new_id(&mut self.state(), "evt_")? })
    }

    /// Queues a webhook that reports an event.
    pub(super) fn report(
        &self,
        state: &mut State,
        order_id: &OrderId,
        event: &GatewayEvent,
    ) -> Result<(), GatewayError> {
        let event_id = self.new_id(state, "evt_")?;
        let body = event_body(event, &state.order(order_id)?.order).map_err(unwritten)?;
        let signature = self.signatures.of_webhook(body.as_bytes());
        state.webhooks.push_back(Webhook { body, signature, event_id });
        Ok(())
    }
}

fn unwritten(error: serde_json::Error) -> GatewayError {
    GatewayError::Refused(format!("the simulator can't write a webhook: {error}"))
}
