//! The rows of sign-in in the table of a service.
//!
//! | row | value |
//! |---|---|
//! | `AUTH_MAGIC#{id}` | a link that was not used yet |
//! | `AUTH_SESSION#{id}` | a session |
//! | `AUTH_ADDRESS#{hash}` | the subject of a verified e-mail address, for good |
//! | `AUTH_SUBJECT#{hash}` | the sessions of a subject, to end them all |
//! | `AUTH_RATE#{hash}` | how many links were sent in an hour |

use std::time::Duration;

use monotable::model::rows::{CounterKey as _, RecordKey as _, RuleStore, Stored};
use monotable::model::time::Timestamp;
use monotable::model::{Error, HoldsRule, RuleKey, Store};
use serde::{Deserialize, Serialize};

use super::ticket::Ticket;
use crate::box_future::BoxFuture;
use crate::call::Principal;
use crate::identity::Secret;
use crate::problem::{Problem, ProblemKind};
use crate::records::{WordText, hash_text};

/// The sessions that a subject can have at the same time. Signing in once more ends the oldest.
const SESSIONS_MAX: usize = 20;
/// How often a write is tried again after a lost race.
const ATTEMPTS_MAX: usize = 10;
/// The length of the windows in which links are counted.
const WINDOW: Duration = Duration::from_secs(60 * 60);

/// The key of the rows that sign-in keeps. Every table of a service lists it in `rules(…)`.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq)]
#[rule(Record, Counter, pk = "AUTH_{kind}#{id}", sk = "METADATA", type = "auth")]
pub struct AuthKey {
    kind: WordText,
    id: WordText,
}

impl AuthKey {
    fn new(kind: &str, id: impl Into<String>) -> Self {
        Self { kind: WordText(kind.to_owned()), id: WordText(id.into()) }
    }

    fn link(id: &str) -> Self {
        Self::new("MAGIC", id)
    }

    fn session(id: &str) -> Self {
        Self::new("SESSION", id)
    }

    /// Creates the key of an address, by its hash.
    fn address(hash: &str) -> Self {
        Self::new("ADDRESS", hash)
    }

    fn subject(subject: &str) -> Self {
        Self::new("SUBJECT", hash_text::<16>(subject))
    }

    fn rate(subject: &str, window: u64) -> Self {
        Self::new("RATE", hash_text::<16>(&format!("{window} {subject}")))
    }
}

/// A person who signs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The subject. Without one it is the subject of the e-mail address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) subject: Option<String>,
    /// The e-mail address, in lower case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) email: Option<String>,
    /// The roles of the person, apart from those that the host grants.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) roles: Vec<String>,
}

impl From<&Principal> for Person {
    fn from(principal: &Principal) -> Self {
        Self {
            subject: Some(principal.id.clone()),
            email: principal.email.as_deref().map(str::to_lowercase),
            roles: principal.roles.clone(),
        }
    }
}

/// The value of a link or a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TicketRow {
    token_hash: String,
    pub(super) person: Person,
    /// The path that a link leads to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) then: Option<String>,
}

impl TicketRow {
    fn new(secret: &Secret, person: Person, then: Option<String>) -> Self {
        Self { token_hash: secret.hash(), person, then }
    }
}

/// The value of a subject.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct SubjectRow {
    /// The ids of sessions, the oldest first. Some may have ended.
    sessions: Vec<String>,
    /// The hashes of the subject's addresses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    addresses: Vec<String>,
}

/// The sign-in operations that services use: implemented by every store of a table that lists
/// [`AuthKey`].
pub trait SignInStore: Send + Sync {
    /// Returns the rows of sign-in in the table.
    fn sign_in_rows(&self) -> SignInRows;

    /// Ends all sessions of a subject and deletes the link to their e-mail addresses: a later
    /// sign-in with one of them creates a new subject. Deleting an account calls it.
    fn forget<'a>(&self, subject: &'a str) -> BoxFuture<'a, ()> {
        let rows = self.sign_in_rows();
        Box::pin(async move { rows.end_all(subject, true).await.map(drop) })
    }
}

impl<T: HoldsRule<AuthKey>> SignInStore for Store<T> {
    fn sign_in_rows(&self) -> SignInRows {
        SignInRows(self.of_rule())
    }
}

/// The rows of sign-in in a table.
#[derive(Clone, Debug)]
pub struct SignInRows(RuleStore<AuthKey>);

impl SignInRows {
    /// Stores a link for a person until it expires.
    pub(super) async fn create_link(
        &self,
        ticket: &Ticket,
        person: Person,
        then: Option<String>,
        lifetime: Duration,
    ) -> Result<(), Problem> {
        let row = TicketRow::new(&ticket.secret, person, then);
        let ends_at = (self.0.now() + lifetime).epoch_seconds();
        let link = AuthKey::link(&ticket.id).record();
        self.0.run(link.create(row).expires(ends_at)).await?;
        Ok(())
    }

    /// Returns the link of a ticket, if it can still be used.
    pub(super) async fn link(&self, ticket: &Ticket) -> Result<Option<TicketRow>, Problem> {
        Ok(self.ticket_row(AuthKey::link(&ticket.id), ticket).await?.map(|row| row.value))
    }

    /// Uses a link: deletes it and creates a session for `lifetime`. Returns `None` if the link was
    /// used before or has expired. An address that signs in for the first time gets `new_subject`.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub async fn open_session(
        &self,
        link: &Ticket,
        session: &Ticket,
        new_subject: &str,
        lifetime: Duration,
    ) -> Result<Option<TicketRow>, Problem> {
        for _ in 0..ATTEMPTS_MAX {
            match self.try_open(link, session, new_subject, lifetime).await {
                Err(error) if is_disturbed(&error) => {}
                opened => return Ok(opened?),
            }
        }
        Err(Problem::changed())
    }

    /// Returns the session of a ticket and its expiry.
    pub(super) async fn session(
        &self,
        ticket: &Ticket,
    ) -> Result<Option<(TicketRow, Timestamp)>, Problem> {
        let found = self.ticket_row(AuthKey::session(&ticket.id), ticket).await?;
        Ok(found.and_then(|row| Some((row.value, Timestamp::try_from(row.expires?).ok()?))))
    }

    /// Ends a session.
    pub(super) async fn end_session(&self, session_id: &str) -> Result<(), Problem> {
        self.0.run(AuthKey::session(session_id).record::<TicketRow>().delete()).await?;
        Ok(())
    }

    /// Ends all sessions of a subject, and returns their ids.
    pub(super) async fn end_sessions(&self, subject: &str) -> Result<Vec<String>, Problem> {
        self.end_all(subject, false).await
    }

    /// Counts a link in this hour; returns 429 if there were `limit` already.
    pub(super) async fn count_link(&self, subject: &str, limit: i64) -> Result<(), Problem> {
        let now = self.0.now().epoch_seconds().as_seconds().unsigned_abs();
        let window = now / WINDOW.as_secs();
        let wait = WINDOW.as_secs() - now % WINDOW.as_secs();
        let ends_at = (self.0.now() + Duration::from_secs(wait)).epoch_seconds();
        let links = AuthKey::rate(subject, window).counter();
        match self.0.run(links.add(1).at_most(limit).expires(ends_at)).await {
            Ok(_) => Ok(()),
            Err(Error::LimitReached { .. }) => Err(too_many_links(wait)),
            Err(error) => Err(error.into()),
        }
    }

    /// Reads the row of a ticket, if its secret is right.
    async fn ticket_row(
        &self,
        key: AuthKey,
        ticket: &Ticket,
    ) -> Result<Option<Stored<TicketRow>>, Error> {
        let found = self.0.run(key.record::<TicketRow>().read()).await?;
        Ok(found.filter(|row| ticket.secret.has_hash(&row.value.token_hash)))
    }

    async fn try_open(
        &self,
        link: &Ticket,
        session: &Ticket,
        new_subject: &str,
        lifetime: Duration,
    ) -> Result<Option<TicketRow>, Error> {
        let Some(used) = self.ticket_row(AuthKey::link(&link.id), link).await? else {
            return Ok(None);
        };
        let mut person = used.value.person;
        let mut tx = self.0.transact();
        tx.add(AuthKey::link(&link.id).record::<TicketRow>().delete().version(used.version));
        let address = person.email.as_deref().map(hash_text::<16>);
        let known = match &address {
            Some(hash) => self.0.run(AuthKey::address(hash).record::<String>().read()).await?,
            None => None,
        };
        let known = known.map(|known| known.value);
        let subject = person.subject.or(known.clone()).unwrap_or_else(|| new_subject.to_owned());
        if let (Some(hash), None) = (&address, &known) {
            tx.add(AuthKey::address(hash).record::<String>().create(subject.clone()));
        }
        let record = AuthKey::subject(&subject).record::<SubjectRow>();
        let seen = self.0.run(record.read()).await?;
        let mut row = seen.as_ref().map(|seen| seen.value.clone()).unwrap_or_default();
        row.sessions.push(session.id.clone());
        for ended in row.sessions.drain(..row.sessions.len().saturating_sub(SESSIONS_MAX)) {
            tx.add(AuthKey::session(&ended).record::<TicketRow>().delete());
        }
        let is_own = known.is_none_or(|known| known == subject);
        row.addresses.extend(address.filter(|it| is_own && !row.addresses.contains(it)));
        match seen {
            Some(seen) => tx.add(record.replace(seen.version, row)),
            None => tx.add(record.create(row)),
        }
        person.subject = Some(subject);
        let row = TicketRow::new(&session.secret, person, used.value.then.clone());
        let ends_at = (self.0.now() + lifetime).epoch_seconds();
        let record = AuthKey::session(&session.id).record();
        tx.add(record.create(row.clone()).expires(ends_at));
        tx.commit().await?;
        Ok(Some(row))
    }

    async fn end_all(&self, subject: &str, forgets: bool) -> Result<Vec<String>, Problem> {
        let record = AuthKey::subject(subject).record::<SubjectRow>();
        for _ in 0..ATTEMPTS_MAX {
            let Some(seen) = self.0.run(record.read()).await? else { return Ok(Vec::new()) };
            let SubjectRow { sessions, addresses } = seen.value;
            let mut tx = self.0.transact();
            for id in &sessions {
                tx.add(AuthKey::session(id).record::<TicketRow>().delete());
            }
            if forgets {
                for hash in &addresses {
                    tx.add(AuthKey::address(hash).record::<String>().delete());
                }
                tx.add(record.delete().version(seen.version));
            } else {
                let row = SubjectRow { sessions: Vec::new(), addresses };
                tx.add(record.replace(seen.version, row));
            }
            match tx.commit().await {
                Err(error) if is_disturbed(&error) => {}
                ended => return Ok(ended.map(|_| sessions)?),
            }
        }
        Err(Problem::changed())
    }
}

/// Returns whether another writer has changed one of the rows meanwhile.
fn is_disturbed(error: &Error) -> bool {
    let is_disturbed = |error: &Error| {
        matches!(
            error,
            Error::VersionConflict { .. } | Error::NotFound { .. } | Error::Exists { .. }
        )
    };
    error.is_conflict() || error.failures().iter().any(|failure| is_disturbed(&failure.error))
}

fn too_many_links(wait_seconds: u64) -> Problem {
    let minutes = wait_seconds.div_ceil(60);
    let text = format!("Too many links were requested. Try again in {minutes} minutes.");
    let mut problem = Problem::new(ProblemKind::RateLimited, "RATE_LIMITED", text);
    problem.retry_after_seconds = Some(wait_seconds);
    problem
}
