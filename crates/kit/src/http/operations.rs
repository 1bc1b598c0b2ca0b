//! What a service answers about itself: whether it lives, whether it can work, what it has counted, and
//! what it can be asked.

use std::sync::{Arc, OnceLock};

use http::header::CONTENT_SECURITY_POLICY;
use http::{HeaderValue, Method};
use monotable::model::rows::IdempotencyRecord;
use serde_json::json;

use super::Host;
use crate::openapi;
use crate::problem::{Problem, ProblemKind};
use crate::records::Records;
use crate::reply::{Reply, ReplyBody};
use crate::route::{Route, Service};
use crate::state::State;

/// The page has no scripts, takes nothing from elsewhere, and stands in no frame.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
                           frame-ancestors 'none'";

/// The routes that every service has.
pub(super) fn routes<S: State>(service: &Service<S>, host: &Host) -> Vec<Route<S>> {
    let name = service.name;
    let records = Arc::clone(&host.records);
    let metrics = Arc::clone(&host.metrics);
    let health = Route::new(Method::GET, "/health", "health", move |_, _| async move {
        let version = env!("CARGO_PKG_VERSION");
        Ok(Reply::ok(&json!({ "status": "ok", "service": name, "version": version })))
    });
    let ready = Route::new(Method::GET, "/ready", "ready", move |state: Arc<S>, _| {
        let records = Arc::clone(&records);
        async move {
            ask_storage(&*records).await?;
            state.ready().await?;
            Ok(Reply::ok(&json!({ "status": "ready" })))
        }
    });
    let metrics = Route::new(Method::GET, "/metrics", "metrics", move |_, _| {
        let text = metrics.text();
        async move { Ok(Reply::text("text/plain; version=0.0.4; charset=utf-8", text)) }
    });
    // The documents are long; they are written when somebody asks for them first.
    let (described, text) = (service.clone(), OnceLock::new());
    let document = Route::new(Method::GET, "/openapi.json", "openapi", move |_, _| {
        let text: &String = text.get_or_init(|| described.openapi().to_string());
        let reply = Reply::new(200, ReplyBody::JsonText(text.clone()));
        async move { Ok(reply) }
    });
    let (described, text) = (service.clone(), OnceLock::new());
    let page = Route::new(Method::GET, "/docs", "docs", move |_, _| {
        let policy = HeaderValue::from_static(PAGE_POLICY);
        let text: &String = text.get_or_init(|| openapi::page(&described));
        let reply = Reply::text("text/html; charset=utf-8", text.clone());
        async move { Ok(reply.header(CONTENT_SECURITY_POLICY, policy)) }
    });
    let style = Route::new(Method::GET, "/docs.css", "docsStyle", |_, _| async {
        Ok(Reply::text("text/css; charset=utf-8", openapi::STYLE.to_owned()))
    });
    let mut routes = vec![health, ready, metrics, document, page, style];
    for route in &mut routes {
        route.access = crate::route::Access::Public;
        route.is_unlimited = true;
    }
    routes
}

/// Reads a record that nobody writes: a round trip to the storage.
async fn ask_storage(records: &dyn Records) -> Result<(), Problem> {
    let probe = IdempotencyRecord::new("READY", "probe", "", "")?;
    match records.answered(&probe).await {
        Err(problem) if is_fault(&problem) => Err(problem),
        _ => Ok(()),
    }
}

fn is_fault(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::Internal | ProblemKind::Unavailable)
}
