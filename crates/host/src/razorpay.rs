//! Razorpay over HTTP: <https://razorpay.com/docs/api>.
//!
//! Calls that can be repeated without another effect are retried after a failure; an order is not
//! created twice.

#[cfg(test)]
mod tests;

use std::time::Duration;

use base64_simd::STANDARD as BASE64;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use monotable_kit::payment_gateway::wire::{
    Collection, ErrorBody, OrderEntity, OrderRequest, PaymentEntity, REFUND_KEY, RefundEntity,
    RefundRequest,
};
use monotable_kit::payment_gateway::{
    Calling, Checkout, CheckoutMethod, CheckoutRequest, Gateway, GatewayError, NewOrder, NewRefund,
    Order, OrderId, OrderState, Refund, Signatures,
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;

use crate::remote::{
    CallFailure, Remote, RemoteError, RemoteSecret, RemoteSettings, authorization,
};

/// The address of Razorpay.
const BASE_URL: &str = "https://api.razorpay.com";
/// The longest time for a call: people wait for it on a page.
const TIME_MAX: Duration = Duration::from_secs(10);
const WAIT_MAX: Duration = Duration::from_secs(2);
/// The maximum number of concurrent calls; each of them uses a thread.
const CALLS_MAX: usize = 16;
/// A collection of 100 entities is smaller.
const RESPONSE_BYTES_MAX: u64 = 1024 * 1024;
/// The pauses before retries.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(800)];
/// The maximum length of a gateway's own text in an error.
const REASON_CHARACTERS_MAX: usize = 200;

/// The account.
#[derive(Clone, Debug)]
pub struct RazorpaySettings {
    /// The address before the paths of the API.
    pub base_url: String,
    /// The id of the API key, which browsers see.
    pub key_id: String,
    /// The secret of the API key.
    pub key_secret: RemoteSecret,
    /// The secret of the webhook.
    pub webhook_secret: RemoteSecret,
    /// The pauses before retries.
    pub pauses: Vec<Duration>,
}

impl RazorpaySettings {
    /// Creates settings with the secrets of an account.
    pub fn new(
        key_id: impl Into<String>,
        key_secret: RemoteSecret,
        webhook_secret: RemoteSecret,
    ) -> Self {
        Self {
            base_url: BASE_URL.to_owned(),
            key_id: key_id.into(),
            key_secret,
            webhook_secret,
            pauses: PAUSES.to_vec(),
        }
    }
}

/// The client of Razorpay.
pub struct Razorpay {
    remote: Remote,
    base_url: String,
    key_id: String,
    authorization: HeaderValue,
    signatures: Signatures,
    pauses: Vec<Duration>,
}

/// Whether a call that may have taken effect can be repeated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Repeats {
    /// A repeat has no further effect.
    Safely,
    /// A repeat may have another effect.
    Never,
}

impl Razorpay {
    /// Creates the client. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails if the address or the key can't be used.
    pub fn new(settings: RazorpaySettings) -> Result<Self, RemoteError> {
        let key_id = RemoteSecret::new(settings.key_id)?;
        let pair = format!("{}:{}", key_id.reveal(), settings.key_secret.reveal());
        let webhook_secret = settings.webhook_secret.reveal();
        let base_url = settings.base_url.trim_end_matches('/').to_owned();
        Ok(Self {
            remote: Remote::new(RemoteSettings {
                base_url: base_url.clone(),
                time_max: TIME_MAX,
                wait_max: WAIT_MAX,
                calls_max: CALLS_MAX,
                response_bytes_max: RESPONSE_BYTES_MAX,
            })?,
            base_url,
            key_id: key_id.reveal().to_owned(),
            authorization: authorization(&format!("Basic {}", BASE64.encode_to_string(pair)))?,
            signatures: Signatures::new(settings.key_secret.reveal(), webhook_secret),
            pauses: settings.pauses,
        })
    }

    async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, GatewayError> {
        self.call(Repeats::Safely, || {
            self.request(Method::GET, path).body(Vec::new()).map_err(unsendable)
        })
        .await
    }

    fn request(&self, method: Method, path: &str) -> http::request::Builder {
        let request = self.remote.request(method, path).header(AUTHORIZATION, &self.authorization);
        request.header(CONTENT_TYPE, "application/json")
    }

    /// Sends a request until there is a response, as often as that is safe.
    async fn call<T: DeserializeOwned>(
        &self,
        repeats: Repeats,
        request: impl Fn() -> Result<http::Request<Vec<u8>>, GatewayError>,
    ) -> Result<T, GatewayError> {
        let mut pauses = self.pauses.iter();
        loop {
            let answered = match self.remote.call(request()?).await {
                Ok(response) => answer(response.status(), response.body()),
                Err(failure) => Err(missing(failure)),
            };
            let may_repeat = match &answered {
                Ok(_) | Err(GatewayError::Refused(_)) => false,
                Err(GatewayError::Unreachable(_)) => true,
                Err(GatewayError::Unknown(_)) => repeats == Repeats::Safely,
            };
            match pauses.next().filter(|_| may_repeat) {
                Some(pause) => tokio::time::sleep(*pause).await,
                None => return answered,
            }
        }
    }
}

impl Gateway for Razorpay {
    fn create_order<'a>(&'a self, order: &'a NewOrder) -> Calling<'a, Order> {
        Box::pin(async move {
            let body = json(&OrderRequest::from(order))?;
            let request =
                || self.request(Method::POST, "/v1/orders").body(body.clone()).map_err(unsendable);
            let entity: OrderEntity = self.call(Repeats::Never, request).await?;
            Ok(entity.into())
        })
    }

    fn orders_of_receipt<'a>(&'a self, receipt: &'a str) -> Calling<'a, Vec<Order>> {
        Box::pin(async move {
            let receipt = utf8_percent_encode(receipt, NON_ALPHANUMERIC);
            let path = format!("/v1/orders?receipt={receipt}&count=100");
            let found: Collection<OrderEntity> = self.get(&path).await?;
            // The newest comes first.
            Ok(found.items.into_iter().rev().map(Order::from).collect())
        })
    }

    fn order<'a>(&'a self, order_id: &'a OrderId) -> Calling<'a, OrderState> {
        Box::pin(async move {
            let entity: OrderEntity = self.get(&format!("/v1/orders/{order_id}")).await?;
            let path = format!("/v1/orders/{order_id}/payments");
            let payments: Collection<PaymentEntity> = self.get(&path).await?;
            let payments = payments.items.into_iter().filter_map(PaymentEntity::of_order);
            Ok(OrderState { order: entity.into(), payments: payments.collect() })
        })
    }

    fn refund<'a>(&'a self, refund: &'a NewRefund) -> Calling<'a, Refund> {
        Box::pin(async move {
            let path = format!("/v1/payments/{}/refund", refund.payment_id);
            let body = json(&RefundRequest::from(refund))?;
            let request = || {
                let request = self.request(Method::POST, &path).header(REFUND_KEY, &refund.key);
                request.body(body.clone()).map_err(unsendable)
            };
            let entity: RefundEntity = self.call(Repeats::Safely, request).await?;
            Ok(entity.into())
        })
    }

    /// Returns the form of Razorpay's hosted checkout.
    fn checkout(&self, checkout: &CheckoutRequest<'_>) -> Checkout {
        let email = checkout.email.map(|email| ("prefill[email]", email.to_owned()));
        let fields = [
            ("key_id", self.key_id.clone()),
            ("order_id", checkout.order_id.to_string()),
            ("amount", checkout.price.amount_minor.to_string()),
            ("currency", checkout.price.currency.clone()),
            ("name", checkout.payee.to_owned()),
            ("description", checkout.description.to_owned()),
            ("callback_url", checkout.callback_url.to_owned()),
            ("cancel_url", checkout.cancel_url.to_owned()),
        ];
        Checkout {
            action: format!("{}/v1/checkout/embedded", self.base_url),
            method: CheckoutMethod::Post,
            fields: fields.into_iter().chain(email).collect(),
            origin: Some(self.base_url.clone()),
        }
    }

    fn signatures(&self) -> &Signatures {
        &self.signatures
    }
}

fn json(body: &impl serde::Serialize) -> Result<Vec<u8>, GatewayError> {
    serde_json::to_vec(body).map_err(|error| GatewayError::Refused(error.to_string()))
}

fn unsendable(_: http::Error) -> GatewayError {
    GatewayError::Refused("the request can't be written".to_owned())
}

fn missing(failure: CallFailure) -> GatewayError {
    if failure.may_have_arrived() {
        GatewayError::Unknown(failure.to_string())
    } else {
        GatewayError::Unreachable(failure.to_string())
    }
}

/// Parses a response.
fn answer<T: DeserializeOwned>(status: StatusCode, body: &[u8]) -> Result<T, GatewayError> {
    if status.is_success() {
        let unreadable = || GatewayError::Unknown("its response has an unexpected form".to_owned());
        return serde_json::from_slice(body).map_err(|_| unreadable());
    }
    let reason = format!("{} {}", status.as_u16(), reason(body));
    Err(match status {
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            GatewayError::Unreachable(format!("it does not accept the API key: {reason}"))
        }
        StatusCode::TOO_MANY_REQUESTS => GatewayError::Unreachable(reason),
        // Another call is creating the same refund.
        StatusCode::CONFLICT => GatewayError::Unknown(reason),
        status if status.is_client_error() => GatewayError::Refused(reason),
        _ => GatewayError::Unknown(reason),
    })
}

/// Returns the gateway's reason for a refusal, in its own words if they can be read.
fn reason(body: &[u8]) -> String {
    match serde_json::from_slice::<ErrorBody>(body) {
        Ok(ErrorBody { error }) => {
            let text = format!("{}: {}", error.code, error.description);
            let printable = text.chars().filter(|character| !character.is_control());
            printable.take(REASON_CHARACTERS_MAX).collect()
        }
        Err(_) => "without a readable reason".to_owned(),
    }
}
