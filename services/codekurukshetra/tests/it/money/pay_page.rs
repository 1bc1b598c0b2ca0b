//! The page of the simulated gateway, and the way back from it, as a browser without scripts takes them.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::{Request, header::CONTENT_TYPE, header::LOCATION};
use monotable_codekurukshetra::table::RegistrationStatus;
use monotable_kit::payment_gateway::Simulator;
use serde_json::Value;
use tower::ServiceExt as _;

use super::{check_quiet, paying_at};
use crate::world::{Event, World, config};

/// What a browser gets: the status, where it is led, and the page.
type Page = (u16, String, String);

async fn event() -> Event {
    let gateway = Arc::new(Simulator::new([4; 32]).delivering_webhooks());
    let world = Arc::new(World::set(paying_at(Arc::clone(&gateway) as _)).await);
    let event = Event { world, gateway };
    event.app.db.create(&config()).await.unwrap();
    event
}

/// Sends the fields of a form, from a page of this site or of another one.
async fn send(event: &Event, path: &str, site: &str, form: &str) -> Page {
    let request = Request::post(path)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header("sec-fetch-site", site)
        .body(Body::from(form.to_owned()))
        .unwrap();
    let Ok(response) = event.router.clone().oneshot(request).await;
    let location = response.headers().get(LOCATION).map(|it| it.to_str().unwrap().to_owned());
    let status = response.status().as_u16();
    let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, location.unwrap_or_default(), String::from_utf8(bytes.to_vec()).unwrap())
}

/// Returns the hidden fields of the form on a page that is sent to a path.
fn hidden(page: &str, action: &str) -> String {
    let (_, form) = page.split_once(&format!("action=\"{action}\"")).unwrap();
    let (form, _) = form.split_once("</form>").unwrap();
    let fields = form.split("type=\"hidden\" name=\"").skip(1).map(|field| {
        let (name, rest) = field.split_once("\" value=\"").unwrap();
        let value = rest.split('"').next().unwrap();
        format!("{name}={}", value.replace("&#38;", "%26").replace("&#61;", "%3D"))
    });
    fields.collect::<Vec<_>>().join("&")
}

#[tokio::test]
async fn a_team_pays_after_a_declined_attempt_and_comes_back() {
    let event = event().await;
    let (team_id, order_id) = event.order("ann", &["bo"]).await;
    let origin = "http://127.0.0.1:8000/codekurukshetra";
    let back = format!("{origin}/hackathon/payment/callback");
    let encoded = back.replace(':', "%3A").replace('/', "%2F");
    let path = format!("/gateway/orders/{order_id}?callback_url={encoded}");
    let page = event.get("", &path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(page.text.contains("It charges nobody") && page.text.contains("₹999"), "{}", page.text);

    let pay = format!("/gateway/orders/{order_id}/payments");
    let form = hidden(&page.text, &format!("/codekurukshetra{pay}"));
    let (status, location, text) =
        send(&event, &pay, "same-origin", &format!("{form}&outcome=fails")).await;
    assert_eq!(status, 303, "{text}");
    assert!(
        location.starts_with(&format!("/codekurukshetra/gateway/orders/{order_id}")),
        "{location}"
    );
    let declined = event.get("", location.strip_prefix("/codekurukshetra").unwrap()).await;
    assert!(declined.text.contains("The bank has declined the payment."), "{}", declined.text);
    // The webhook has come already.
    let payment = event.payment(&team_id).await;
    assert!(payment.failure_reason.is_some());

    let foreign = send(&event, &pay, "cross-site", &format!("{form}&outcome=succeeds")).await;
    assert_eq!(foreign.0, 403, "{}", foreign.2);
    let (status, location, _) =
        send(&event, &pay, "same-origin", &format!("{form}&outcome=succeeds")).await;
    assert_eq!(status, 303);
    assert_eq!(event.team(&team_id).await.registration(), RegistrationStatus::Confirmed);

    let paid = event.get("", location.strip_prefix("/codekurukshetra").unwrap()).await;
    assert!(paid.text.contains("The order was paid."), "{}", paid.text);
    let result = hidden(&paid.text, &back);
    let callback = "/hackathon/payment/callback";
    let (status, _, text) = send(&event, callback, "cross-site", &result).await;
    assert!(status == 200 && text.contains("your team is confirmed"), "{status} {text}");
    let forged = result.replace("razorpay_signature=", "razorpay_signature=00");
    assert_eq!(send(&event, callback, "cross-site", &forged).await.0, 400);
    let failed = "error%5Bcode%5D=BAD_REQUEST_ERROR&error%5Bdescription%5D=declined";
    let (status, _, text) = send(&event, callback, "cross-site", failed).await;
    assert!(status == 200 && text.contains("Nothing was charged"), "{status} {text}");
    check_quiet(&event, "after the payment").await;
}

#[tokio::test]
async fn the_page_leads_nobody_to_another_site() {
    let event = event().await;
    let (_, order_id) = event.order("ann", &["bo"]).await;
    let evil = "https%3A%2F%2Fevil.example%2F";
    let path =
        format!("/gateway/orders/{order_id}?callback_url={evil}&cancel_url=javascript%3Aalert(1)");
    let page = event.get("", &path).await;
    assert_eq!(page.status, 200, "{}", page.text);
    assert!(
        !page.text.contains("href=\"javascript") && !page.text.contains("action=\"https://evil")
    );
    let unknown = event.get("", "/gateway/orders/order_none").await;
    assert_eq!(unknown.status, 404);
    let again = event.post("", "/gateway/orders/order_none/payments", Value::Null).await;
    assert!(again.status >= 400, "{}", again.text);
}
