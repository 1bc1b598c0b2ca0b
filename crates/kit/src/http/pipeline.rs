//! The steps themselves, from who it is to what is kept of a refusal.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use http::Method;
use http::request::Parts;
use monotable::model::rows::{IdempotencyRecord, Once};
use serde_json::{Map, Value};

use super::endpoint::{Endpoint, Passage};
use super::{body, head};
use crate::call::{Call, Principal};
use crate::log::hashed;
use crate::metrics::CommitCounts;
use crate::problem::Problem;
use crate::records::{RecordScope, record_of};
use crate::reply::Reply;
use crate::route::{Access, Route};
use crate::state::State;

impl<S: State> Endpoint<S> {
    /// Lets a request pass the steps.
    pub(super) async fn pass(
        &self,
        (route, counts): (&Route<S>, &CommitCounts),
        head: &mut Parts,
        body: Body,
        passage: &mut Passage,
    ) -> Result<Reply, Problem> {
        let shared = &*self.shared;
        let principal = self.principal(route, head, passage).await?;
        let path = path_values(head).await?;
        let query = head.uri.query().unwrap_or_default();
        let body = body::read(route, &head.headers, body).await?;
        let query = route.query.check_query(query)?;
        let if_match = self.if_match(route, head)?;
        let accept_version = head::accept_version(&head.headers)?;
        let record = self.record(route, head, (principal.as_ref(), &path), &body)?;

        if !route.is_unlimited {
            let writer = principal.as_ref().filter(|_| is_write(&head.method));
            let writer = writer.map(|principal| principal.id.as_str());
            shared.host.throttle.admit(writer, passage.now)?;
        }
        if let Some(record) = &record
            && let Some((status, text)) = shared.host.records.answered(record).await?
        {
            return Ok(Reply::replayed(status, text));
        }
        let request_id = passage.request_id.clone();
        let kept = record.clone();
        let counts = counts.clone();
        let call = Call {
            request_id,
            principal,
            peer: peer(head),
            path,
            query,
            body,
            if_match,
            accept_version,
            last_event_id: head::last_event_id(&head.headers),
            record,
            counts,
        };
        match ((route.handler)(Arc::clone(&shared.state), call).await, kept) {
            (Err(problem), Some(record)) => self.refuse_once(problem, &record, passage).await,
            (result, _) => result,
        }
    }

    /// Who the request is from. Whoever asks where everybody may is nobody if they can't prove more.
    async fn principal(
        &self,
        route: &Route<S>,
        head: &Parts,
        passage: &mut Passage,
    ) -> Result<Option<Principal>, Problem> {
        let shared = &*self.shared;
        let found = shared.host.authenticator.authenticate(head, passage.now).await;
        let principal = match route.access {
            // Whoever does something as somebody must not do it as nobody, because a token has ended.
            Access::Public if route.takes_idempotency_key => found?,
            Access::Public => found.unwrap_or(None),
            Access::SignedIn => {
                Some(found?.ok_or_else(|| Problem::unauthenticated("Sign in first."))?)
            }
        };
        passage.principal =
            principal.as_ref().map(|principal| hashed(&shared.log_key, &principal.id));
        Ok(principal)
    }

    /// The version that the request asks for. A route that can't compare versions says so: whoever
    /// sends `If-Match` relies on it.
    fn if_match(&self, route: &Route<S>, head: &Parts) -> Result<Option<u64>, Problem> {
        match head.headers.contains_key(http::header::IF_MATCH) && is_write(&head.method) {
            true if route.takes_if_match => head::if_match(&head.headers),
            true => {
                Err(Problem::field("If-Match", "is not taken here: the route compares no versions"))
            }
            false => Ok(None),
        }
    }

    /// The record of a request that must have its effect once.
    fn record(
        &self,
        route: &Route<S>,
        head: &Parts,
        (principal, path): (Option<&Principal>, &BTreeMap<String, String>),
        body: &Map<String, Value>,
    ) -> Result<Option<IdempotencyRecord>, Problem> {
        let key = match head::idempotency_key(&head.headers)? {
            Some(key) => key,
            None if route.needs_idempotency_key => {
                let message = "Send an Idempotency-Key: a new one for each thing that is to happen, \
                               and the same one to try it again.";
                return Err(Problem::invalid("IDEMPOTENCY_KEY_REQUIRED", message));
            }
            None => return Ok(None),
        };
        match (route.takes_idempotency_key, is_write(&head.method)) {
            (true, _) => {}
            // Whoever sends it relies on it.
            (false, true) => {
                let message = "is not taken here: the route keeps no answers for repeats";
                return Err(Problem::field("Idempotency-Key", message));
            }
            (false, false) => return Ok(None),
        }
        let scope = RecordScope { principal, method: &route.method, route: route.path, path, key };
        record_of(&scope, self.shared.record_key, body).map(Some)
    }

    /// Refuses a request, unless the same one was answered meanwhile: what is in its way may be what it
    /// did itself. A refusal that nothing can change is kept for repeats.
    async fn refuse_once(
        &self,
        problem: Problem,
        record: &IdempotencyRecord,
        passage: &Passage,
    ) -> Result<Reply, Problem> {
        let shared = &*self.shared;
        let records = &shared.host.records;
        let answered = match problem.is_deterministic() {
            true => {
                let text = (shared.problem_form)(&problem, &passage.request_id).to_string();
                match records.answer(record, problem.status(), text).await {
                    Ok(Once::Replay { status, body }) => Some((status, body)),
                    Ok(Once::Fresh(())) | Err(_) => None,
                }
            }
            false => records.answered(record).await.unwrap_or(None),
        };
        match answered {
            Some((status, text)) => Ok(Reply::replayed(status, text)),
            // What could not be kept is refused all the same; a repeat is decided anew.
            None => Err(problem),
        }
    }
}

/// Whether a request may change something.
fn is_write(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD)
}

/// The values of the path's names.
async fn path_values(head: &mut Parts) -> Result<BTreeMap<String, String>, Problem> {
    let values = RawPathParams::from_request_parts(head, &()).await;
    let values = values.map_err(|_| Problem::field("path", "must be percent-encoded UTF-8"))?;
    Ok(values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// The address that a request came from.
fn peer(head: &Parts) -> Option<IpAddr> {
    // An address of the old sort is the same one, whichever sort of socket it came to.
    head.extensions.get::<SocketAddr>().map(|peer| peer.ip().to_canonical())
}
