//! An identity that any caller can claim, for development without an issuer.

use http::request::Parts;
use monotable::model::key::check_identifier;
use monotable::model::time::Timestamp;

use super::{Authenticating, Authenticator, IdentityError};
use crate::call::Principal;
use crate::problem::Problem;

/// Trusts the headers `X-User-Id`, `X-User-Email` and `X-User-Roles` (separated by commas). It must
/// be configured explicitly, and is refused in production.
pub struct DevelopmentIdentity(());

impl DevelopmentIdentity {
    /// Trusts the headers of requests in this environment.
    ///
    /// # Errors
    /// Fails if the environment is production: `prod` or a name that begins with it.
    pub fn new(environment: &str) -> Result<Self, IdentityError> {
        if environment.trim().to_ascii_lowercase().starts_with("prod") {
            Err(IdentityError::Production { environment: environment.to_owned() })
        } else {
            Ok(Self(()))
        }
    }
}

impl Authenticator for DevelopmentIdentity {
    fn authenticate<'a>(&'a self, head: &'a Parts, _now: Timestamp) -> Authenticating<'a> {
        Box::pin(std::future::ready(claimed(head)))
    }
}

fn claimed(head: &Parts) -> Result<Option<Principal>, Problem> {
    let Some(id) = head.headers.get("x-user-id") else { return Ok(None) };
    let id = id.to_str().unwrap_or_default();
    check_identifier(id).map_err(|error| {
        Problem::unauthenticated(format!("X-User-Id is not a valid id: {error}."))
    })?;
    let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
    let email = text("x-user-email").map(str::to_owned);
    let roles = text("x-user-roles").unwrap_or_default().split(',').map(str::trim);
    Ok(Some(Principal {
        id: id.to_owned(),
        email_verified: email.is_some(),
        email,
        roles: roles.filter(|role| !role.is_empty()).map(str::to_owned).collect(),
    }))
}
