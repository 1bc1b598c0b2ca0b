//! Responses compared with the document, for the tests of services.

use std::collections::BTreeMap;

use http::Method;
use serde_json::Value;

use super::refusals;
use crate::problem::code_of;
use crate::route::{Route, Service};

impl Service {
    /// Returns the operation of a request, if there is one. Paths are relative to the service's
    /// name; a route without parameters is preferred.
    pub fn route_of(&self, method: &Method, path: &str) -> Option<&Route> {
        let path = path.split('?').next().unwrap_or_default();
        let matches = |route: &&Route| route.method == method && is_of(route.path, path);
        self.routes.iter().filter(matches).min_by_key(|route| route.path.matches('{').count())
    }

    /// Checks that an operation declares the status of a response and, if it is a refusal, its
    /// code. Tests call it with every response. Paths are relative to the service's name; a path
    /// without an operation is not checked.
    ///
    /// # Errors
    /// Returns what to declare.
    pub fn check_response(
        &self,
        method: &Method,
        path: &str,
        status: u16,
        body: &str,
    ) -> Result<(), String> {
        let Some(route) = self.route_of(method, path) else { return Ok(()) };
        let is_success = route.answers.iter().any(|answer| answer.status == status);
        if is_success || (status == 304 && method == Method::GET) {
            return Ok(());
        }
        let body: Value = serde_json::from_str(body).unwrap_or_default();
        let code = code_of(&body);
        let declared = refusals::refusals(self, route);
        // Pages have no code.
        let is_known =
            |codes: &BTreeMap<String, Value>| code.is_none_or(|code| codes.contains_key(code));
        if declared.get(&status).is_some_and(is_known) {
            return Ok(());
        }
        let code = code.unwrap_or_default();
        Err(format!(
            "{} answers {status} `{code}` without declaring it: add it to its `refuses(…)`",
            route.operation
        ))
    }
}

/// Returns whether a path matches a template with `{names}`.
fn is_of(template: &str, path: &str) -> bool {
    let (mut parts, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(given)) if part == given => {}
            (Some(part), Some(given)) if part.starts_with('{') && !given.is_empty() => {}
            _ => return false,
        }
    }
}
