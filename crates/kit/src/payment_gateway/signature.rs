//! The signatures of the gateway: only holders of the secrets can create them.

use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use super::{GatewayPaymentId, OrderId};

/// Creates and checks signatures: HMAC-SHA256 in hexadecimal digits, compared in constant time.
#[derive(Clone)]
pub struct Signatures {
    key: Hmac<Sha256>,
    webhook: Hmac<Sha256>,
}

impl Signatures {
    /// Creates signatures with the secret of the API key, which signs results of payments, and that
    /// of webhooks.
    pub fn new(key_secret: &str, webhook_secret: &str) -> Self {
        Self { key: keyed(key_secret), webhook: keyed(webhook_secret) }
    }

    /// Returns the signature of a payment's result, which the browser sends to the service.
    pub fn of_payment(&self, order_id: &OrderId, payment_id: &GatewayPaymentId) -> String {
        hex::encode(paid(&self.key, order_id, payment_id).finalize().into_bytes())
    }

    /// Returns whether the gateway has signed that a payment has paid an order.
    pub fn is_of_payment(
        &self,
        signature: &str,
        order_id: &OrderId,
        payment_id: &GatewayPaymentId,
    ) -> bool {
        is_equal(paid(&self.key, order_id, payment_id), signature)
    }

    /// Returns the signature of a webhook's body.
    pub fn of_webhook(&self, body: &[u8]) -> String {
        hex::encode(self.webhook.clone().chain_update(body).finalize().into_bytes())
    }

    /// Returns whether the gateway has signed a webhook with exactly these bytes.
    pub fn is_of_webhook(&self, signature: &str, body: &[u8]) -> bool {
        is_equal(self.webhook.clone().chain_update(body), signature)
    }
}

impl fmt::Debug for Signatures {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Signatures(…)")
    }
}

fn keyed(secret: &str) -> Hmac<Sha256> {
    match Hmac::new_from_slice(secret.as_bytes()) {
        Ok(keyed) => keyed,
        Err(error) => unreachable!("HMAC takes keys of any length: {error}"),
    }
}

/// Returns the signed text. Ids can't contain the bar, so no other pair has the same text.
fn paid(key: &Hmac<Sha256>, order_id: &OrderId, payment_id: &GatewayPaymentId) -> Hmac<Sha256> {
    key.clone().chain_update(format!("{order_id}|{payment_id}"))
}

fn is_equal(hash: Hmac<Sha256>, signature: &str) -> bool {
    hex::decode(signature).is_ok_and(|bytes| hash.verify_slice(&bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> (OrderId, GatewayPaymentId) {
        ("order_DESlLckIVRkHWj".parse().unwrap(), "pay_DESlfW9H8K9uqM".parse().unwrap())
    }

    #[test]
    fn signatures_are_what_other_programs_compute() {
        let signatures = Signatures::new("key secret", "webhook secret");
        let (order_id, payment_id) = ids();
        // printf 'order_DESlLckIVRkHWj|pay_DESlfW9H8K9uqM' | openssl dgst -sha256 -hmac 'key secret'
        assert_eq!(
            signatures.of_payment(&order_id, &payment_id),
            "ec25687997187295d6f15674704cd2b66a0ad3e29b4d4b25dcd91f494ab116d4"
        );
        // printf '{"event":"order.paid"}' | openssl dgst -sha256 -hmac 'webhook secret'
        assert_eq!(
            signatures.of_webhook(br#"{"event":"order.paid"}"#),
            "339e9297a93aadde5806ba96fad9058bec3b04ff7760b5635b9b6604db11a83b"
        );
    }

    #[test]
    fn what_was_changed_has_another_signature() {
        let signatures = Signatures::new("key secret", "webhook secret");
        let (order_id, payment_id) = ids();
        let signature = signatures.of_payment(&order_id, &payment_id);
        assert!(signatures.is_of_payment(&signature, &order_id, &payment_id));
        let other = "order_other".parse().unwrap();
        assert!(!signatures.is_of_payment(&signature, &other, &payment_id));
        let body = br#"{"event":"order.paid"}"#;
        let webhook = signatures.of_webhook(body);
        assert!(signatures.is_of_webhook(&webhook, body));
        assert!(!signatures.is_of_webhook(&webhook, br#"{"event":"order.paid" }"#));
        assert!(!Signatures::new("key secret", "other").is_of_webhook(&webhook, body));
        for wrong in ["", "00", "no digits", &webhook[..62], &format!("{webhook}00"), &signature] {
            assert!(!signatures.is_of_webhook(wrong, body), "{wrong}");
        }
        assert_eq!(format!("{signatures:?}"), "Signatures(…)");
    }
}
