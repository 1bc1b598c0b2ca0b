//! Sessions: opaque tokens in a cookie or as bearer tokens, looked up where the service keeps them.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, Method};
use monotable::model::time::Timestamp;

use super::csrf::Csrf;
use super::{Authenticating, Authenticator, IdentityError, Secret, bearer, cookie};
use crate::call::Principal;
use crate::problem::Problem;

/// The cookie of a session. Browsers take its prefix only with `Secure`, for the whole site and no
/// other, so that no neighbour can set one.
const COOKIE: &str = "__Host-session";
/// The cookie from which the scripts of the site read what they send in [`CSRF_HEADER`].
const CSRF_COOKIE: &str = "__Host-csrf";
/// The header that unsafe requests must have.
const CSRF_HEADER: &str = "x-csrf-token";

/// Somebody who has signed in, as the service stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    /// Who it is.
    pub principal: Principal,
    /// The hash of the token that they show: [`Secret::hash`].
    pub token_hash: String,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Where sessions are.
pub trait SessionStore: Send + Sync {
    /// The session whose token has this hash.
    fn find<'a>(&'a self, token_hash: &'a str) -> FindingSession<'a>;
}

/// What [`SessionStore::find`] waits for.
pub type FindingSession<'a> =
    Pin<Box<dyn Future<Output = Result<Option<Session>, Problem>> + Send + 'a>>;

/// The session of a token, if there is one and it has not ended.
async fn find(
    store: &dyn SessionStore,
    token: &Secret,
    now: Timestamp,
) -> Result<Option<Session>, Problem> {
    let found = store.find(&token.hash()).await?;
    Ok(found.filter(|session| token.has_hash(&session.token_hash) && now < session.expires_at))
}

/// Takes opaque bearer tokens.
pub struct OpaqueTokens {
    store: Arc<dyn SessionStore>,
}

impl OpaqueTokens {
    /// Tokens that are kept there.
    pub fn new(store: Arc<dyn SessionStore>) -> Self {
        Self { store }
    }
}

impl Authenticator for OpaqueTokens {
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a> {
        Box::pin(async move {
            let Some(token) = bearer(head)? else { return Ok(None) };
            let found = match Secret::parse(token) {
                Some(token) => find(self.store.as_ref(), &token, now).await?,
                None => None,
            };
            match found {
                Some(session) => Ok(Some(session.principal)),
                None => Err(Problem::unauthenticated("The token is not known, or has expired.")),
            }
        })
    }
}

/// Takes the cookies of sessions. Browsers send cookies by themselves: with a cookie alone nothing can
/// be changed, only with a token that a foreign site can't know; and a cookie that has ended counts as
/// none, so that whoever has one can still sign in.
pub struct Sessions {
    store: Arc<dyn SessionStore>,
    csrf: Csrf,
}

impl Sessions {
    /// Sessions that are kept there. The secret signs the tokens against foreign sites.
    ///
    /// # Errors
    /// If the secret is short enough to be guessed.
    pub fn new(store: Arc<dyn SessionStore>, secret: &[u8]) -> Result<Self, IdentityError> {
        Ok(Self { store, csrf: Csrf::new(secret)? })
    }

    /// The `Set-Cookie` headers for a session that begins: the token itself, which no script can
    /// read, and what scripts of the site send in `X-CSRF-Token`.
    pub fn cookies(&self, token: &Secret, lifetime: Duration) -> [HeaderValue; 2] {
        let seconds = lifetime.as_secs();
        [
            header(format!(
                "{COOKIE}={}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age={seconds}",
                token.reveal()
            )),
            header(format!(
                "{CSRF_COOKIE}={}; Path=/; Secure; SameSite=Strict; Max-Age={seconds}",
                self.csrf.token(token)
            )),
        ]
    }

    /// The `Set-Cookie` headers for a session that ends.
    pub fn no_cookies() -> [HeaderValue; 2] {
        [
            HeaderValue::from_static(
                "__Host-session=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0",
            ),
            HeaderValue::from_static("__Host-csrf=; Path=/; Secure; SameSite=Strict; Max-Age=0"),
        ]
    }

    /// The token of the session that a request is in, if it is in one: for the route that ends it.
    pub fn token_of(head: &Parts) -> Option<Secret> {
        Secret::parse(cookie(head, COOKIE)?)
    }

    /// Whether an unsafe request comes from the site itself.
    fn check_origin(&self, head: &Parts, token: &Secret) -> Result<(), Problem> {
        if matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Ok(());
        }
        let shown = head.headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok());
        match shown.is_some_and(|shown| self.csrf.is_of(shown, token)) {
            true => Ok(()),
            false => Err(Problem::forbidden(
                "CSRF_TOKEN_WRONG",
                "The X-CSRF-Token header must be that of the session.",
            )),
        }
    }
}

impl Authenticator for Sessions {
    fn authenticate<'a>(&'a self, head: &'a Parts, now: Timestamp) -> Authenticating<'a> {
        Box::pin(async move {
            let Some(token) = Self::token_of(head) else { return Ok(None) };
            let found = find(self.store.as_ref(), &token, now).await?;
            let Some(session) = found else { return Ok(None) };
            self.check_origin(head, &token)?;
            Ok(Some(session.principal))
        })
    }
}

/// A header of characters that all may stand in one.
fn header(text: String) -> HeaderValue {
    match HeaderValue::from_maybe_shared(bytes::Bytes::from(text)) {
        Ok(value) => value,
        Err(error) => unreachable!("tokens are base64url and hexadecimal digits: {error}"),
    }
}
