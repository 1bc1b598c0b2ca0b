//! The steps themselves, from authentication to recording refusals.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use http::Method;
use http::header::{IF_MATCH, IF_NONE_MATCH};
use http::request::Parts;
use monotable::model::rows::Once;
use serde_json::{Map, Value};
use tokio::time::sleep;

use super::endpoint::{Endpoint, Passage};
use super::{body, client_address, head};
use crate::call::{Principal, Request, Viewer};
use crate::events::{Events, ProofEnd};
use crate::log::hashed;
use crate::metrics::CommitCounts;
use crate::pages::layout::Frame;
use crate::problem::{Problem, ProblemKind};
use crate::records::{RecordScope, RecordedRequest, RequestRecord};
use crate::reply::{Reply, ReplyBody};
use crate::route::{Access, Route};
use crate::sign_in::ActiveSession;
use crate::throttle::Caller;

impl Endpoint {
    /// Runs the steps of a request.
    pub(super) async fn pass(
        &self,
        (route, counts): (&Route, &CommitCounts),
        head: &mut Parts,
        body: Body,
        passage: &mut Passage,
    ) -> Result<Reply, Problem> {
        let shared = &*self.shared;
        let (principal, session) = match self.principal(route, head, passage).await {
            Err(problem) if self.is_ended_stream(route, head, &problem) => {
                return self.ended_stream();
            }
            principal => principal?,
        };
        let path = path_values(head).await?;
        let query = head.uri.query().unwrap_or_default();
        let (body, body_text) = body::read(route, &head.headers, body).await?;
        let query = if route.is_page() {
            route.query.check_page_query(query)?
        } else {
            route.query.check_query(query)?
        };
        let (if_match, must_exist) = self.preconditions(route, head)?;
        let accept_version = head::accept_version(&head.headers)?;
        let record = self.record(route, head, (principal.as_ref(), &path), (&body, &query))?;

        let client = peer(head)
            .map(|peer| client_address::client(peer, &head.headers, &shared.host.trusted_proxies));
        let caller = caller(principal.as_ref(), client);
        if !route.is_unlimited {
            let is_write = is_write(&head.method) && !route.changes_nothing;
            shared.host.throttle.admit(caller.clone(), is_write, tokio::time::Instant::now())?;
        }
        if let Some(record) = &record
            && let Some((status, text)) = shared.host.records.answered(&record.record).await?
        {
            return Ok(record.replayed(status, &text));
        }
        let request_id = passage.request_id.clone();
        let kept = record.clone();
        let counts = counts.clone();
        let call = Request {
            service: shared.service,
            request_id,
            principal,
            client,
            path,
            query,
            body,
            body_text,
            headers: head::read(&head.headers, route.headers),
            if_match,
            must_exist,
            accept_version,
            last_event_id: head::last_event_id(&head.headers),
            record,
            counts,
            queues: shared.queues.clone(),
            viewer: Viewer {
                session,
                has_sign_in: shared.host.sign_in.is_some(),
                origin: Arc::clone(&shared.host.origin),
                zone: shared.host.zone.clone(),
            },
        };
        shared.state.admit(route, &call)?;
        passage.frame = Frame::of(&call);
        let session = call.viewer.session.clone();
        match (route.handler.run(&shared.state, call).await, kept) {
            (Err(problem), Some(record)) => self.refuse_once(problem, &record, passage).await,
            (Err(problem), None) => Err(problem),
            (Ok(reply), _) => self.opened(reply, caller, session.as_ref(), head, passage),
        }
    }

    /// Counts a reply that is a stream, and ends it when the caller's authentication expires.
    fn opened(
        &self,
        mut reply: Reply,
        caller: Caller,
        session: Option<&ActiveSession>,
        head: &Parts,
        passage: &Passage,
    ) -> Result<Reply, Problem> {
        let ReplyBody::Events(frames) = reply.body else { return Ok(reply) };
        let shared = &*self.shared;
        let proof_ends: Option<ProofEnd> = match (&caller, session, &shared.host.sign_in) {
            // An anonymous caller has no token that could expire.
            (Caller::Address(_) | Caller::Unknown, ..) => None,
            (_, Some(session), Some(sign_in)) => Some(sign_in.end_of(session, passage.now)),
            _ => {
                let ends_at = shared.host.authenticator.proof_ends_at(head, passage.now);
                ends_at.map(|ends_at| -> ProofEnd { Box::pin(sleep(ends_at.since(passage.now))) })
            }
        };
        reply.body = ReplyBody::Events(shared.streams.open(caller, proof_ends, frames)?);
        Ok(reply)
    }

    /// Returns the caller. On public routes a caller without valid authentication is anonymous.
    async fn principal(
        &self,
        route: &Route,
        head: &Parts,
        passage: &mut Passage,
    ) -> Result<(Option<Principal>, Option<ActiveSession>), Problem> {
        let shared = &*self.shared;
        let found = match shared.host.authenticator.authenticate(head, passage.now).await {
            Ok(None) => self.session(head).await,
            found => found.map(|found| found.map(|principal| (principal, None))),
        };
        let found = match route.access {
            // A caller that identifies itself must not act as an anonymous one because its token
            // has expired.
            Access::Public if route.takes_idempotency_key => found?,
            // Nor may it get the anonymous view instead of its own.
            Access::Public if route.refuses_invalid_tokens => found?,
            Access::Public => found.unwrap_or(None),
            Access::SignedIn => {
                Some(found?.ok_or_else(|| Problem::unauthenticated("Sign in first."))?)
            }
        };
        let (principal, session) = found.unzip();
        passage.principal =
            principal.as_ref().map(|principal| hashed(&shared.log_key, &principal.id));
        Ok((principal, session.flatten()))
    }

    /// Returns the principal of the request's session.
    async fn session(
        &self,
        head: &Parts,
    ) -> Result<Option<(Principal, Option<ActiveSession>)>, Problem> {
        let shared = &*self.shared;
        let Some(sign_in) = &shared.host.sign_in else { return Ok(None) };
        let found = sign_in.authenticate(shared.service, head).await?;
        Ok(found.map(|(principal, session)| (principal, Some(session))))
    }

    /// Returns whether a browser follows events with a session that has ended.
    fn is_ended_stream(&self, route: &Route, head: &Parts, problem: &Problem) -> bool {
        let shared = &*self.shared;
        problem.kind == ProblemKind::Unauthenticated
            && route.media_types.contains(&"text/event-stream")
            && shared.host.sign_in.as_ref().is_some_and(|it| it.has_cookie(shared.service, head))
    }

    /// Returns a stream that ends at once with the reason. A browser does not reconnect after any
    /// status but 200.
    fn ended_stream(&self) -> Result<Reply, Problem> {
        let nothing = Box::pin(Events::default().subscribe(""));
        let ended: ProofEnd = Box::pin(std::future::ready(()));
        let frames = self.shared.streams.open(Caller::Unknown, Some(ended), nothing)?;
        Ok(Reply::new(200, ReplyBody::Events(frames)))
    }

    /// Returns the version that a write requires, and whether the row must exist. A route that
    /// can't compare them refuses the request: a client that sends such a header relies on it.
    fn preconditions(
        &self,
        route: &Route,
        head: &Parts,
    ) -> Result<(Option<u64>, Option<bool>), Problem> {
        if !is_write(&head.method) {
            return Ok((None, None));
        }
        for (header, is_taken) in
            [(IF_MATCH, route.takes_if_match), (IF_NONE_MATCH, route.takes_if_none_match)]
        {
            if !is_taken && head.headers.contains_key(&header) {
                let name = if header == IF_MATCH { "If-Match" } else { "If-None-Match" };
                return Err(Problem::field(name, "is not supported by this route"));
            }
        }
        Ok((head::if_match(&head.headers)?, head::must_exist(&head.headers)?))
    }

    /// Returns the record of a request that must have its effect once.
    fn record(
        &self,
        route: &Route,
        head: &Parts,
        (principal, path): (Option<&Principal>, &BTreeMap<String, String>),
        (body, query): (&Map<String, Value>, &Map<String, Value>),
    ) -> Result<Option<RequestRecord>, Problem> {
        let key = match head::idempotency_key(&head.headers)? {
            Some(key) => key,
            None if route.needs_idempotency_key => {
                let message = "Send an Idempotency-Key: a new one for each new request, and the same one for a retry.";
                return Err(Problem::invalid("IDEMPOTENCY_KEY_REQUIRED", message));
            }
            None => return Ok(None),
        };
        match (route.takes_idempotency_key, is_write(&head.method) && !route.changes_nothing) {
            (true, _) => {}
            // A client that sends the header relies on it.
            (false, true) => {
                let message = "is not supported by this route";
                return Err(Problem::field("Idempotency-Key", message));
            }
            (false, false) => return Ok(None),
        }
        let scope = RecordScope::new(principal, &route.method, route.path, path, key);
        let record = if query.is_empty() {
            RecordedRequest::new(scope, body)?
        } else {
            RecordedRequest::new(scope, &(body, query))?
        };
        Ok(Some(RequestRecord::new(record, self.shared.sealer.clone())))
    }

    /// Refuses a request, unless the same request succeeded meanwhile: it may conflict with its own
    /// effect. A deterministic refusal is recorded for repeats.
    async fn refuse_once(
        &self,
        problem: Problem,
        record: &RequestRecord,
        passage: &Passage,
    ) -> Result<Reply, Problem> {
        let shared = &*self.shared;
        let records = &shared.host.records;
        let answered = if problem.is_deterministic() {
            let text = (shared.problem_form)(&problem, &passage.request_id).to_string();
            match records.answer(&record.record, problem.status(), text).await {
                Ok(Once::Replay { status, body }) => Some((status, body)),
                Ok(Once::Fresh(())) | Err(_) => None,
            }
        } else {
            records.answered(&record.record).await.unwrap_or(None)
        };
        match answered {
            Some((status, text)) => Ok(record.replayed(status, &text)),
            // If the refusal can't be recorded, a repeat is decided again.
            None => Err(problem),
        }
    }
}

/// Returns the caller that requests and streams are counted for: a principal, or the address of an
/// anonymous client.
fn caller(principal: Option<&Principal>, client: Option<IpAddr>) -> Caller {
    match (principal, client) {
        (Some(principal), _) => Caller::Principal(principal.id.clone()),
        (None, Some(address)) => Caller::Address(address),
        (None, None) => Caller::Unknown,
    }
}

/// Returns whether a request may change something.
fn is_write(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

/// Returns the values of the names in the path.
async fn path_values(head: &mut Parts) -> Result<BTreeMap<String, String>, Problem> {
    let values = RawPathParams::from_request_parts(head, &()).await;
    let values = values.map_err(|_| Problem::field("path", "must be percent-encoded UTF-8"))?;
    Ok(values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// Returns the address of the peer.
fn peer(head: &Parts) -> Option<IpAddr> {
    head.extensions.get::<SocketAddr>().map(SocketAddr::ip)
}
