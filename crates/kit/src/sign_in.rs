//! Sign-in for people: a link by e-mail, a session in a cookie, and the pages for both.
//!
//! Each service keeps its own rows under [`AuthKey`] in its own table. Programs send bearer tokens instead;
//! a request with an `Authorization` header never uses a session.

mod cookies;
mod csrf;
mod pages;
mod rows;
mod ticket;

use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use http::header::ORIGIN;
use http::request::Parts;
use http::{HeaderName, HeaderValue, Method};
use monotable::model::time::Timestamp;
use tokio::sync::watch;

pub use pages::email_address;
pub(crate) use pages::routes;
pub use rows::{AuthKey, Person, SignInRows, SignInStore, TicketRow};
pub use ticket::Ticket;

use self::cookies::Cookies;
use self::csrf::Csrf;
use crate::call::{Principal, Request};
use crate::outbox::Mailer;
use crate::problem::Problem;
use crate::randomness::Randomness;
use crate::route::ServiceName;

/// The header that requests in a session must have if they can change something.
pub(crate) const CSRF_HEADER: &str = "x-csrf-token";

/// How long a link that was sent by e-mail can be used.
const MAIL_LINK_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// How long a link from an operator can be used.
const PRINTED_LINK_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// How long a session lasts.
const SESSION_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// A role that a host gives to everyone who proves to own an e-mail address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// The service.
    pub service: String,
    /// The role.
    pub role: String,
    /// The address, in lower case.
    pub email: String,
}

/// The settings of sign-in.
#[derive(Clone)]
pub struct SignInSettings {
    /// The key of the tokens against requests of other sites.
    pub key: [u8; 32],
    /// Sends links; without it only links from operators work.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Roles by e-mail address.
    pub grants: Vec<Grant>,
    /// The public address of the services, such as `https://example.org`.
    pub origin: String,
    /// The source of tickets.
    pub randomness: Arc<dyn Randomness>,
}

/// Sign-in for one service. Clones are handles to the same one.
#[derive(Clone)]
pub struct SignIn(Arc<Inner>);

struct Inner {
    store: SignInRows,
    settings: SignInSettings,
    csrf: Csrf,
    /// Demo users; everyone can sign in as one of them.
    offered: OnceLock<Vec<Principal>>,
    /// The sessions with open streams, by id, and whether they have ended.
    followed: Mutex<HashMap<String, watch::Sender<bool>>>,
}

/// A session that has started.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// `Set-Cookie` headers, which the response must have.
    pub cookies: Vec<HeaderValue>,
    /// The person who has signed in.
    pub principal: Principal,
    /// The value of `X-CSRF-Token` in requests of the session.
    pub csrf: String,
    /// How long the session lasts.
    pub lifetime: Duration,
    /// The path that the link leads to.
    then: Option<String>,
}

/// The session that a request is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ActiveSession {
    pub(crate) id: String,
    /// The CSRF token in forms of the session.
    pub(crate) csrf: String,
    pub(crate) ends_at: Timestamp,
}

impl SignIn {
    /// Creates sign-in with rows in this store.
    pub fn new(store: SignInRows, settings: SignInSettings) -> Self {
        let csrf = Csrf::new(&settings.key);
        let (offered, followed) = (OnceLock::new(), Mutex::default());
        Self(Arc::new(Inner { store, settings, csrf, offered, followed }))
    }

    /// Creates a link that signs a person in once, within a day. Returns its path relative to the
    /// service's name.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub async fn link(&self, person: &Principal) -> Result<String, Problem> {
        let ticket = Ticket::generate(&*self.0.settings.randomness);
        let store = &self.0.store;
        store.create_link(&ticket, Person::from(person), None, PRINTED_LINK_LIFETIME).await?;
        Ok(format!("/sign-in/{}", ticket.reveal()))
    }

    /// Lets everyone who can reach the service sign in as one of these demo users: for one machine.
    pub fn offer(&self, people: Vec<Principal>) {
        // Only the first call has an effect.
        let _ = self.0.offered.set(people);
    }

    /// Starts a session of a person who was authenticated in another way than by a link, such as by
    /// a code.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub async fn begin(
        &self,
        request: &Request,
        person: &Principal,
    ) -> Result<NewSession, Problem> {
        let link = Ticket::generate(&*self.0.settings.randomness);
        let store = &self.0.store;
        store.create_link(&link, Person::from(person), None, MAIL_LINK_LIFETIME).await?;
        let session = self.open_session(request, &link.reveal()).await?;
        session.ok_or_else(Problem::changed)
    }

    /// Returns the principal of the request's session. A cookie of a session that has ended counts
    /// as none.
    ///
    /// # Errors
    /// Returns 403 if the request can change something and may be from another site.
    pub(crate) async fn authenticate(
        &self,
        service: ServiceName,
        head: &Parts,
    ) -> Result<Option<(Principal, ActiveSession)>, Problem> {
        let Some(ticket) = self.cookies(service).ticket(head) else { return Ok(None) };
        let Some((row, ends_at)) = self.0.store.session(&ticket).await? else { return Ok(None) };
        self.check_csrf(head, &ticket.id)?;
        let csrf = self.0.csrf.token(&ticket.id);
        let principal = self.principal(service, row.person);
        Ok(Some((principal, ActiveSession { id: ticket.id, csrf, ends_at })))
    }

    /// Returns whether a request has the cookie of a session, whether or not the session has ended.
    pub(crate) fn has_cookie(&self, service: ServiceName, head: &Parts) -> bool {
        self.cookies(service).ticket(head).is_some()
    }

    /// Waits for the end of a session: its expiry, or sign-out.
    pub(crate) fn end_of(
        &self,
        session: &ActiveSession,
        now: Timestamp,
    ) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut followed = self.followed();
        followed.retain(|_, ended| ended.receiver_count() > 0);
        let mut ended = followed.entry(session.id.clone()).or_default().subscribe();
        let lasts = session.ends_at.since(now);
        Box::pin(async move {
            let signed_out = ended.wait_for(|ended| *ended);
            // Whichever comes first.
            let _ = tokio::time::timeout(lasts, signed_out).await;
        })
    }

    fn followed(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<bool>>> {
        self.0.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a session, or all sessions of a subject.
    async fn end(
        &self,
        subject: Option<&str>,
        session: Option<&ActiveSession>,
    ) -> Result<(), Problem> {
        let store = &self.0.store;
        let mut ended = Vec::new();
        if let Some(subject) = subject {
            ended = store.end_sessions(subject).await?;
        }
        if let Some(session) = session {
            store.end_session(&session.id).await?;
            ended.push(session.id.clone());
        }
        let mut followed = self.followed();
        for session in ended.iter().filter_map(|id| followed.remove(id)) {
            session.send_replace(true);
        }
        Ok(())
    }

    /// Checks that a request is from a page of the service. Browsers send cookies with requests of
    /// any site. Only pages of the service know the token, and only they have its origin. A token
    /// that is sent must be right. A request without an origin may be from anywhere.
    fn check_csrf(&self, head: &Parts, session_id: &str) -> Result<(), Problem> {
        if matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Ok(());
        }
        let sent = |name| head.headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let is_ours = match sent(HeaderName::from_static(CSRF_HEADER)) {
            Some(token) => self.0.csrf.is_token_of(token, session_id),
            None => sent(ORIGIN) == Some(self.0.settings.origin.as_str()),
        };
        if is_ours { Ok(()) } else { Err(csrf_token_wrong()) }
    }

    /// Returns a person with the roles that the host grants.
    fn principal(&self, service: ServiceName, person: Person) -> Principal {
        let Person { subject, email, mut roles } = person;
        for grant in &self.0.settings.grants {
            let is_granted = grant.service == service.name && Some(&grant.email) == email.as_ref();
            if is_granted && !roles.contains(&grant.role) {
                roles.push(grant.role.clone());
            }
        }
        let id = subject.unwrap_or_default();
        Principal { id, email_verified: email.is_some(), email, roles }
    }

    /// Uses a link. Returns `None` if the link can't be used any more. The current session of the
    /// request ends.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub async fn open_session(
        &self,
        request: &Request,
        link: &str,
    ) -> Result<Option<NewSession>, Problem> {
        let Some(link) = Ticket::parse(link) else { return Ok(None) };
        let randomness = &*self.0.settings.randomness;
        let session = Ticket::generate(randomness);
        let subject = Ticket::generate(randomness).id;
        let opened = self.0.store.open_session(&link, &session, &subject, SESSION_LIFETIME).await?;
        let Some(row) = opened else { return Ok(None) };
        self.end(None, request.viewer.session.as_ref()).await?;
        let csrf = self.0.csrf.token(&session.id);
        Ok(Some(NewSession {
            cookies: self.cookies(request.service).set(&session, &csrf, SESSION_LIFETIME),
            principal: self.principal(request.service, row.person),
            csrf,
            lifetime: SESSION_LIFETIME,
            then: row.then,
        }))
    }

    /// Ends the session of the request. Returns the headers that remove its cookies.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub async fn end_session(&self, request: &Request) -> Result<Vec<HeaderValue>, Problem> {
        self.end(None, request.viewer.session.as_ref()).await?;
        Ok(self.cookies(request.service).clear())
    }

    fn cookies(&self, service: ServiceName) -> Cookies {
        Cookies { service, is_secure: self.0.settings.origin.starts_with("https://") }
    }
}

/// Creates the 403 for a request in a session that may be from another site.
pub(crate) fn csrf_token_wrong() -> Problem {
    let text = "The page is out of date. Load it again. Programs send the X-CSRF-Token of the \
                session.";
    Problem::forbidden("CSRF_TOKEN_WRONG", text)
}
