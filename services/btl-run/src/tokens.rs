//! Tokens of a match: a host's and those of its players. Each is good for one match alone.
//!
//! A token contains its match and its bearer, so that one read of the match's secrets decides
//! whether it is accepted: `btl1/host/<match>/<secret>`, `btl1/player/<match>/<tribute>/<secret>`.
//! No id contains a slash.

use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{
    AnyOf, Authenticating, Authenticator, Principal, Problem, Randomness, Request, Secret,
};

use crate::refusal::Refusal;
use crate::rules::events::Audit;
use crate::rules::redact::Viewer;
use crate::table::{BtlRun, BtlRunReads as _, MatchId, TributeId, UserId};

/// What all tokens of matches begin with.
const PREFIX: &str = "btl1/";
/// The role of a caller with a token of a match. Issuers of identities are trusted not to give it
/// to users.
const ROLE: &str = "btl-run:match-token";

/// The role of a caller in a match, proved by a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// The host of a match.
    Host(MatchId),
    /// The player of a tribute.
    Player(MatchId, TributeId),
}

impl Bearer {
    /// Returns a new token, and the hash of it that is stored.
    pub fn issue(&self, randomness: &dyn Randomness) -> (String, String) {
        let secret = Secret::generate(randomness);
        (format!("{PREFIX}{}/{}", self.name(), secret.reveal()), secret.hash())
    }

    /// Returns the match.
    pub fn match_id(&self) -> &MatchId {
        match self {
            Self::Host(id) | Self::Player(id, _) => id,
        }
    }

    /// `host/<match>` or `player/<match>/<tribute>`.
    fn name(&self) -> String {
        match self {
            Self::Host(id) => format!("host/{id}"),
            Self::Player(id, tribute) => format!("player/{id}/{tribute}"),
        }
    }

    fn read(name: &str) -> Option<Self> {
        let mut parts = name.split('/');
        let bearer = match (parts.next()?, parts.next()?, parts.next()) {
            ("host", id, None) => Self::Host(MatchId::new(id).ok()?),
            ("player", id, Some(tribute)) => {
                Self::Player(MatchId::new(id).ok()?, TributeId::new(tribute).ok()?)
            }
            _ => return None,
        };
        parts.next().is_none().then_some(bearer)
    }

    /// Returns the principal of the bearer.
    pub(crate) fn principal(&self) -> Principal {
        let (id, roles) = (self.name(), vec![ROLE.to_owned()]);
        Principal { id, email: None, email_verified: false, roles }
    }

    /// Returns the bearer that a principal is, or `None` for users.
    pub fn of(principal: &Principal) -> Option<Self> {
        principal.has_role(ROLE).then(|| Self::read(&principal.id)).flatten()
    }
}

/// Accepts tokens of matches, and passes all others on.
pub struct MatchTokens {
    db: Store<BtlRun>,
}

impl MatchTokens {
    /// Returns those whose hashes are in this table.
    pub fn new(db: Store<BtlRun>) -> Self {
        Self { db }
    }

    /// Accepts tokens of matches first, and passes others to the next authenticator.
    pub fn before(db: Store<BtlRun>, others: Arc<dyn Authenticator>) -> Arc<dyn Authenticator> {
        Arc::new(AnyOf::new(vec![Arc::new(Self::new(db)), others]))
    }

    async fn bearer(&self, token: &str) -> Result<Principal, Problem> {
        let shown = token
            .rsplit_once('/')
            .and_then(|(name, secret)| Some((Bearer::read(name)?, Secret::parse(secret)?)));
        let (bearer, secret) = shown.ok_or(Refusal::InvalidToken)?;
        let row = self.db.secret(bearer.match_id()).await?.ok_or(Refusal::InvalidToken)?;
        let hash = match &bearer {
            Bearer::Host(_) => Some(&row.token_hashes.admin),
            Bearer::Player(_, tribute) => row.token_hashes.players.get(tribute),
        };
        if hash.is_some_and(|hash| secret.has_hash(hash)) {
            Ok(bearer.principal())
        } else {
            Err(Refusal::InvalidToken.into())
        }
    }
}

impl Authenticator for MatchTokens {
    fn authenticate<'a>(&'a self, head: &'a Parts, _now: Timestamp) -> Authenticating<'a> {
        Box::pin(async move {
            let mut headers = head.headers.get_all(AUTHORIZATION).iter();
            let (Some(header), None) = (headers.next(), headers.next()) else { return Ok(None) };
            let token = header.to_str().ok().and_then(|text| text.split_once(' '));
            let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            match token.and_then(|(_, token)| token.trim().strip_prefix(PREFIX)) {
                Some(token) => self.bearer(token).await.map(Some),
                None => Ok(None),
            }
        })
    }
}

/// Returns the viewer of a match: anyone without a token of the match is a spectator.
///
/// # Errors
/// Returns 403 `NOT_YOUR_MATCH` for a token of another match, which would otherwise show less than
/// its bearer expects.
pub(crate) fn viewer(call: &Request, match_id: &MatchId) -> Result<Viewer, Problem> {
    match call.principal.as_ref().and_then(Bearer::of) {
        None => Ok(Viewer::Spectator),
        Some(Bearer::Host(id)) if id == *match_id => Ok(Viewer::GameMaster),
        Some(Bearer::Player(id, tribute)) if id == *match_id => Ok(Viewer::Player(tribute)),
        Some(_) => Err(Refusal::TokenOfAnotherMatch.into()),
    }
}

/// Refuses callers that are not the host of the match.
///
/// # Errors
/// Returns 401, 403 `NOT_YOUR_MATCH` or 403 `GM_REQUIRED`.
pub(crate) fn host(call: &Request, match_id: &MatchId) -> Result<(), Problem> {
    match bearer(call, match_id)? {
        Bearer::Host(_) => Ok(()),
        Bearer::Player(..) => Err(Refusal::GmRequired.into()),
    }
}

/// Returns the tribute of the calling player.
///
/// # Errors
/// Returns 401, 403 `NOT_YOUR_MATCH` or 403 `NOT_YOUR_TRIBUTE`.
pub(crate) fn player(call: &Request, match_id: &MatchId) -> Result<TributeId, Problem> {
    match bearer(call, match_id)? {
        Bearer::Player(_, tribute) => Ok(tribute),
        Bearer::Host(_) => Err(Refusal::NotYourTribute.into()),
    }
}

/// Returns the role of the caller in this match.
///
/// # Errors
///
/// Returns 401 without a caller, 403 `NOT_YOUR_MATCH` for callers without a token of the match.
pub(crate) fn bearer(call: &Request, match_id: &MatchId) -> Result<Bearer, Problem> {
    let bearer = Bearer::of(call.principal()?);
    bearer
        .filter(|bearer| bearer.match_id() == match_id)
        .ok_or_else(|| Refusal::NotYourMatch.into())
}

/// Returns the caller, for the log.
pub(crate) fn audit(call: &Request) -> Audit {
    let actor = call.principal.as_ref().map(|principal| principal.id.clone()).unwrap_or_default();
    Audit { actor, request_id: call.request_id.clone(), before: None }
}

/// Returns the calling user, if the caller is one.
///
/// # Errors
///
/// Returns 400 for an identity that is not valid in keys.
pub(crate) fn user_if_any(call: &Request) -> Result<Option<UserId>, Problem> {
    match &call.principal {
        Some(principal) if !principal.has_role(ROLE) => user(call).map(Some),
        _ => Ok(None),
    }
}

/// Returns the calling user.
///
/// # Errors
///
/// Returns 401 without a caller, 403 for a caller with a token of a match instead.
pub(crate) fn user(call: &Request) -> Result<UserId, Problem> {
    let principal = call.principal()?;
    if principal.has_role(ROLE) {
        return Err(Refusal::UserRequired.into());
    }
    UserId::new(&principal.id).map_err(|error| Problem::field("sub", error.to_string()))
}
