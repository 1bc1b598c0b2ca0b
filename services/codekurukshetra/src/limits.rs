//! How often clients may call the interface. Pages and the webhooks of the gateway are not counted.

use monotable::model::time::Timestamp;
use monotable_kit::{CallLimit, MinuteCalls, Problem, Request, Route};

use crate::policy::is_admin;

/// The calls of an administrator, and of everybody else at an address.
const OF_ADMIN: CallLimit = CallLimit::per_minute("calls", 1_000);
const OF_ADDRESS: CallLimit = CallLimit::per_minute("calls", 100);
/// What is called by the gateway, and by whatever looks after the process.
const UNLIMITED: [&str; 2] = ["/hackathon/payment/webhook", "/hackathon/health"];

/// Counts a call.
///
/// # Errors
/// Returns 429 if the limit is reached.
pub(crate) fn admit(
    calls: &MinuteCalls<String>,
    route: &Route,
    request: &Request,
    now: Timestamp,
) -> Result<(), Problem> {
    let is_counted = route.path.starts_with("/hackathon/") && !route.is_page();
    match caller(request).filter(|_| is_counted && !UNLIMITED.contains(&route.path)) {
        Some((caller, limit)) => calls.admit(caller, limit, now),
        None => Ok(()),
    }
}

/// Returns the caller and its limit: an account is counted where the address is unknown.
fn caller(request: &Request) -> Option<(String, CallLimit)> {
    match (&request.principal, request.client) {
        (Some(principal), _) if is_admin(principal) => {
            Some((format!("admin {}", principal.id), OF_ADMIN))
        }
        (_, Some(address)) => Some((address.to_string(), OF_ADDRESS)),
        (Some(principal), None) => Some((principal.id.clone(), OF_ADDRESS)),
        (None, None) => None,
    }
}
