//! Tokens of a game: those of organisers, observers and players. Each is good for one game alone.
//!
//! A token is a secret of which only the hash is stored, in the key of the row that says what its bearer may do. Programs of
//! the origin send a user and a team in headers instead: that counts only in games that allow it.

use std::sync::Arc;

use http::header::AUTHORIZATION;
use http::request::Parts;
use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{AnyOf, Authenticating, Authenticator, Principal, Problem, Randomness, Secret};

use crate::policy::{Role, game_of_team};
use crate::table::{
    AccessToken, GameId, Hash, ScavengerHunt, ScavengerHuntReads as _, TeamId, TokenRole, UserId,
};

/// What all tokens of games begin with.
pub const PREFIX: &str = "hunt1_";
/// The role of who shows a token of a game. Issuers of identities are trusted not to hand it out.
const ROLE: &str = "scavenger-hunt:token";
/// The role of a player whom headers name.
const BY_HEADERS: &str = "scavenger-hunt:headers";
/// What the role that tells when a token was issued begins with.
const ISSUED: &str = "scavenger-hunt:issued:";

/// Who somebody is to a game, proved by a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bearer {
    /// An organiser.
    Organiser(GameId),
    /// An observer.
    Observer(GameId),
    /// A player of a team.
    Player(GameId, TeamId, UserId),
}

impl Bearer {
    /// Returns the game.
    pub fn game_id(&self) -> &GameId {
        match self {
            Self::Organiser(id) | Self::Observer(id) | Self::Player(id, ..) => id,
        }
    }

    /// Returns the role.
    pub fn role(&self) -> Role {
        match self {
            Self::Organiser(_) => Role::Organiser,
            Self::Observer(_) => Role::Observer,
            Self::Player(..) => Role::Player,
        }
    }

    /// Returns whom a principal has proved to be by a token of a game; nobody for users.
    pub fn of(principal: &Principal) -> Option<Self> {
        if !principal.has_role(ROLE) {
            return None;
        }
        let mut parts = principal.id.split('/');
        let (role, game_id) = (parts.next()?, GameId::new(parts.next()?).ok()?);
        let ids = (parts.next(), parts.next(), parts.next());
        match (role, ids) {
            ("organiser", (None, ..)) => Some(Self::Organiser(game_id)),
            ("observer", (None, ..)) => Some(Self::Observer(game_id)),
            ("player", (Some(team), Some(user), None)) => {
                Some(Self::Player(game_id, TeamId::new(team).ok()?, UserId::new(user).ok()?))
            }
            _ => None,
        }
    }

    /// Returns when the token of a principal was issued.
    pub fn issued_at(principal: &Principal) -> Option<Timestamp> {
        let issued = principal.roles.iter().find_map(|role| role.strip_prefix(ISSUED))?;
        issued.parse().ok()
    }

    /// Returns the principal who has proved to be this.
    pub fn principal(&self, issued_at: Timestamp) -> Principal {
        let id = match self {
            Self::Organiser(game) => format!("organiser/{game}"),
            Self::Observer(game) => format!("observer/{game}"),
            Self::Player(game, team, user) => format!("player/{game}/{team}/{user}"),
        };
        let roles = vec![ROLE.to_owned(), format!("{ISSUED}{issued_at}")];
        Principal { id, email: None, email_verified: false, roles }
    }

    fn of_row(row: AccessToken) -> Option<Self> {
        Some(match row.role {
            TokenRole::Organiser => Self::Organiser(row.game_id),
            TokenRole::Observer => Self::Observer(row.game_id),
            TokenRole::Player => Self::Player(row.game_id, row.team_id?, row.user_id?),
        })
    }
}

/// Returns whether headers name a principal, as programs of the origin do.
pub fn is_named_by_headers(principal: &Principal) -> bool {
    principal.has_role(BY_HEADERS)
}

/// Makes a token, and the hash of it that is stored.
pub fn issue(randomness: &dyn Randomness) -> (String, Hash) {
    let token = format!("{PREFIX}{}", Secret::generate(randomness).reveal());
    let hash = Hash::of(&token);
    (token, hash)
}

/// Returns who the bearer of a token is. The secret is found by its hash, so that how long that takes tells nothing about it.
///
/// # Errors
/// Returns 401 for a token that is not valid.
pub(crate) async fn bearer(db: &Store<ScavengerHunt>, token: &str) -> Result<Principal, Problem> {
    let row = db.access_token(&Hash::of(token)).await?;
    let issued_at = row.as_ref().map(|row| row.stamps.created).unwrap_or_default();
    let bearer = row.and_then(Bearer::of_row);
    let bearer = bearer.ok_or_else(|| Problem::unauthenticated("The token is not valid."))?;
    Ok(bearer.principal(issued_at))
}

/// Takes tokens of games, and leaves all others to who comes next.
pub struct GameTokens {
    db: Store<ScavengerHunt>,
}

impl GameTokens {
    /// Takes tokens of games first, then whatever else proves who somebody is.
    pub fn before(
        db: Store<ScavengerHunt>,
        others: Arc<dyn Authenticator>,
    ) -> Arc<dyn Authenticator> {
        Arc::new(AnyOf::new(vec![Arc::new(Self { db }), others]))
    }

    /// Believes the headers of programs of the origin, if the game of the team allows it.
    async fn named(&self, team: &str, user: &str) -> Result<Option<Principal>, Problem> {
        let (Ok(team_id), Ok(user_id)) = (TeamId::new(team), UserId::new(user)) else {
            return Ok(None);
        };
        let Some(game_id) = game_of_team(&self.db, &team_id).await? else { return Ok(None) };
        let Some(game) = self.db.game(&game_id).await? else { return Ok(None) };
        if game.header_identity != Some(true) {
            return Ok(None);
        }
        let mut principal = Bearer::Player(game.id, team_id, user_id).principal(self.db.now());
        principal.roles.push(BY_HEADERS.to_owned());
        Ok(Some(principal))
    }
}

impl Authenticator for GameTokens {
    fn authenticate<'a>(&'a self, head: &'a Parts, _now: Timestamp) -> Authenticating<'a> {
        Box::pin(async move {
            let mut headers = head.headers.get_all(AUTHORIZATION).iter();
            let text = |name| head.headers.get(name).and_then(|value| value.to_str().ok());
            let (Some(header), None) = (headers.next(), headers.next()) else {
                return match (text("team-id"), text("user-id")) {
                    (Some(team), Some(user)) => self.named(team, user).await,
                    _ => Ok(None),
                };
            };
            let token = header.to_str().ok().and_then(|text| text.split_once(' '));
            let token = token.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
            match token.map(|(_, token)| token.trim()) {
                Some(token) if token.starts_with(PREFIX) => bearer(&self.db, token).await.map(Some),
                _ => Ok(None),
            }
        })
    }
}
