//! Sign-in for people: a link that arrives by e-mail, a session in a cookie, and the pages for both.
//!
//! Each service keeps its own rows under [`AuthKey`] in its own table. Programs send bearer tokens instead;
//! a request with an `Authorization` header never uses a session.

mod cookies;
mod csrf;
mod pages;
mod rows;
mod ticket;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::request::Parts;
use http::{HeaderValue, Method};
use monotable::model::time::Timestamp;

pub(crate) use pages::routes;
pub use rows::{AuthKey, Person, SignInStore, TicketRow};
pub use ticket::Ticket;

use self::cookies::Cookies;
use self::csrf::Csrf;
use crate::call::Principal;
use crate::outbox::Mailer;
use crate::problem::Problem;
use crate::randomness::Randomness;
use crate::route::ServiceName;

/// The header that requests in a session must have if they can change something.
pub(crate) const CSRF_HEADER: &str = "x-csrf-token";

/// How long a link that was sent by e-mail can be used.
const MAIL_LINK_LIFETIME: Duration = Duration::from_secs(15 * 60);
/// How long a link that an operator hands out can be used.
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

/// What sign-in needs of a host.
#[derive(Clone)]
pub struct SignInSettings {
    /// Signs the tokens against requests of other sites.
    pub key: [u8; 32],
    /// Sends links; without it only links of operators work.
    pub mailer: Option<Arc<dyn Mailer>>,
    /// Roles by e-mail address.
    pub grants: Vec<Grant>,
    /// Where people reach the services, such as `https://example.org`.
    pub origin: String,
    /// Tickets come from it.
    pub randomness: Arc<dyn Randomness>,
}

/// Sign-in for one service. Clones are handles to the same one.
#[derive(Clone)]
pub struct SignIn(Arc<Inner>);

struct Inner {
    store: Arc<dyn SignInStore>,
    settings: SignInSettings,
    csrf: Csrf,
    /// People of the demo, as whom everyone can sign in.
    offered: OnceLock<Vec<Principal>>,
}

/// The session that a request is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ActiveSession {
    pub(crate) id: String,
    /// What forms of the session send.
    pub(crate) csrf: String,
    pub(crate) ends_at: Timestamp,
}

impl SignIn {
    /// Starts sign-in with rows in this store.
    pub fn new(store: Arc<dyn SignInStore>, settings: SignInSettings) -> Self {
        let csrf = Csrf::new(&settings.key);
        Self(Arc::new(Inner { store, settings, csrf, offered: OnceLock::new() }))
    }

    /// Makes a link that signs somebody in once, within a day. Returns its path behind the service's name.
    ///
    /// # Errors
    /// What the table reports.
    pub async fn link(&self, person: &Principal) -> Result<String, Problem> {
        let ticket = Ticket::generate(&*self.0.settings.randomness);
        let store = &self.0.store;
        store.create_link(&ticket, Person::from(person), None, PRINTED_LINK_LIFETIME).await?;
        Ok(format!("/sign-in/{}", ticket.reveal()))
    }

    /// Lets everyone who can reach the service sign in as one of these people: for demos on one machine.
    pub fn offer(&self, people: Vec<Principal>) {
        // The first offer counts.
        let _ = self.0.offered.set(people);
    }

    /// Returns whose session a request is in. A cookie of a session that has ended counts as none.
    ///
    /// # Errors
    /// 403 if the request can change something and may be from another site.
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

    /// Returns whether a request has a cookie of a session, whether or not the session has ended.
    pub(crate) fn has_cookie(&self, service: ServiceName, head: &Parts) -> bool {
        self.cookies(service).ticket(head).is_some()
    }

    /// Browsers send cookies with requests of any site. Only pages of the service know the token.
    fn check_csrf(&self, head: &Parts, session_id: &str) -> Result<(), Problem> {
        if matches!(head.method, Method::GET | Method::HEAD | Method::OPTIONS) {
            return Ok(());
        }
        let shown = head.headers.get(CSRF_HEADER).and_then(|value| value.to_str().ok());
        if shown.is_some_and(|shown| self.0.csrf.is_token_of(shown, session_id)) {
            return Ok(());
        }
        let text = "The page is out of date. Load it again. Programs send the X-CSRF-Token of the \
                    session.";
        Err(Problem::forbidden("CSRF_TOKEN_WRONG", text))
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

    /// Uses a link. Returns the cookies of the session and the path that the link leads to, or `None` if the
    /// link can't be used any more.
    async fn open_session(
        &self,
        service: ServiceName,
        link: &Ticket,
    ) -> Result<Option<(Vec<HeaderValue>, Option<String>)>, Problem> {
        let randomness = &*self.0.settings.randomness;
        let session = Ticket::generate(randomness);
        let subject = Ticket::generate(randomness).id;
        let opened = self.0.store.open_session(link, &session, subject, SESSION_LIFETIME).await?;
        Ok(opened.map(|row| {
            let csrf = self.0.csrf.token(&session.id);
            (self.cookies(service).set(&session, &csrf, SESSION_LIFETIME), row.then)
        }))
    }

    fn cookies(&self, service: ServiceName) -> Cookies {
        Cookies { service, is_secure: self.0.settings.origin.starts_with("https://") }
    }
}
