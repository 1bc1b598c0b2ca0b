//! The routes of every service: liveness, readiness and its documents.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use http::Method;
use serde_json::json;

use super::Host;
use crate::handler::Handler;
use crate::pages::layout::Frame;
use crate::pages::{self, assets, docs, offline};
use crate::problem::{Problem, ProblemKind};
use crate::records::{RecordScope, RecordedRequest, Records};
use crate::reply::{Reply, ReplyBody};
use crate::route::{Route, Service};

/// Returns the routes that every service has, as its document lists them.
pub(crate) fn described() -> [Route; 4] {
    // The router supplies the handlers.
    let handler = Handler::of_every_service(|_, _| async {
        Err(Problem::internal("a route of the document alone"))
    });
    let route = |path, operation, summary, meaning, media_types| {
        let mut route = Route::with(Method::GET, path, operation, handler.clone())
            .about("Operations", summary)
            .public()
            .answers(200, meaning, None)
            .produces(media_types);
        route.is_unlimited = true;
        route
    };
    const JSON: &[&str] = &["application/json"];
    [
        route("/health", "health", "Whether the service is running.", "It is running.", JSON),
        route(
            "/ready",
            "ready",
            "Whether the service can handle requests.",
            "It can handle requests.",
            JSON,
        ),
        route("/openapi.json", "openapi", "This document.", "The document.", JSON),
        route("/docs", "docs", "This document as a page.", "The page.", &["text/html"]),
    ]
}

/// Returns the routes that every service has, with their handlers.
pub(super) fn routes(service: &Service, host: &Host) -> Vec<Route> {
    let name = service.name;
    let health = Handler::of_every_service(move |_, _| async move {
        let version = env!("CARGO_PKG_VERSION");
        Ok(Reply::ok(&json!({ "status": "ok", "service": name, "version": version })))
    });
    let records = Arc::clone(&host.records);
    let ready = Handler::of_every_service(move |state, _| {
        let (state, records) = (Arc::clone(state), Arc::clone(&records));
        async move {
            check_storage(&*records).await?;
            state.ready().await?;
            Ok(Reply::ok(&json!({ "status": "ready" })))
        }
    });
    // The documents are long; they are generated when they are first requested.
    let (described_service, text) = (service.clone(), OnceLock::new());
    let document = Handler::of_every_service(move |_, _| {
        let text: &String = text.get_or_init(|| described_service.openapi().to_string());
        let reply = Reply::new(200, ReplyBody::Json(text.clone()));
        async move { Ok(reply) }
    });
    let (described_service, origin) = (service.clone(), Arc::clone(&host.origin));
    let texts: [OnceLock<Result<String, Problem>>; 2] = Default::default();
    let page = Handler::of_every_service(move |_, request| {
        // It is the same for everyone who is signed in.
        let mut frame = Frame::of(&request);
        frame.viewer = frame.viewer.map(|_| "Account".to_owned());
        let text = &texts[usize::from(frame.viewer.is_some())];
        let text = text.get_or_init(|| docs::page(&described_service, &origin, frame));
        let reply = text.clone().map(|text| pages::html::reply(200, text));
        async move { reply }
    });
    let asset = Handler::of_every_service(|_, request| {
        let reply = assets::file(request.path.get("file").map_or("", String::as_str));
        async move { reply }
    });
    let handlers: [Handler; 4] = [health, ready, document, page];
    let routes = described().into_iter().zip(handlers);
    let routes = routes.map(|(route, handler)| Route { handler, ..route });
    // Files of pages are not part of the API.
    let hidden = |path, operation, handler| {
        let mut route = Route::with(Method::GET, path, operation, handler).public();
        route.is_unlimited = true;
        route
    };
    let (name, other) = (service.service_name(), service.service_name());
    let offline = Handler::of_every_service(move |_, _| async move { Ok(offline::page(name)) });
    let worker = Handler::of_every_service(move |_, _| async move { Ok(offline::worker(other)) });
    let files = [
        hidden("/assets/{file}", "asset", asset),
        hidden("/offline", "offline", offline),
        hidden("/worker.js", "worker", worker),
    ];
    routes.chain(files).collect()
}

/// Reads a record that never exists, as a round trip to the storage.
async fn check_storage(records: &dyn Records) -> Result<(), Problem> {
    let scope = RecordScope::new(None, &Method::GET, "/ready", &BTreeMap::new(), "probe");
    let probe = RecordedRequest::new(scope, &())?;
    match records.answered(&probe).await {
        Err(problem) if is_fault(&problem) => Err(problem),
        _ => Ok(()),
    }
}

fn is_fault(problem: &Problem) -> bool {
    matches!(problem.kind, ProblemKind::Internal | ProblemKind::Unavailable)
}
