//! Leagues with their seasons, teams and match days, and what users may do in them.

use std::collections::BTreeMap;

use monotable::prelude::*;
use monotable_kit::Words;

use crate::table::{
    AuditId, GameId, LeagueId, PlayerId, SeasonId, SessionId, Slug, Stamps, TeamId, UserId,
};

envelope! {
    /// A league, in the list of all leagues too.
    #[entity(type = "league", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "METADATA")]
    #[mirror(pk = "LEAGUES", sk = "LEAGUE#{league_id}")]
    #[unique(slug, pk = "SLUG#LEAGUE#{slug}", sk = "METADATA")]
    pub struct League {
        pub league_id: LeagueId,
        pub name: String,
        pub slug: Option<Slug>,
        pub created_by_user_id: UserId,
        /// The number of admins. Older programs did not write it.
        #[top]
        pub admin_count: Option<u32>,
        /// The number of seasons. Older programs did not write it.
        pub season_count: Option<u32>,
        /// When it was deleted; its last rows follow.
        #[top]
        pub deleted_at: Option<Timestamp>,
    }
}

envelope! {
    /// A season of a league, found by its own id too. The row in the league is right about what the season
    /// is, the other one about which league it belongs to.
    #[entity(type = "season", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "SEASON#{season_id}")]
    #[mirror(pk = "SEASON#{season_id}", sk = "METADATA")]
    #[unique(league_id, slug, name = "seasonSlug", pk = "LEAGUE#{league_id}", sk = "SLUG#{slug}")]
    pub struct Season {
        pub league_id: LeagueId,
        pub season_id: SeasonId,
        pub name: String,
        pub slug: Option<Slug>,
        pub starts_on: Option<Date>,
        pub ends_on: Option<Date>,
        /// The length of a third of its games, in minutes.
        #[serde(default = "third_length")]
        pub third_length_minutes: u8,
        /// What orders its table, the first criterion first.
        #[serde(default = "Ranking::usual")]
        pub ranking: Vec<Ranking>,
        /// The number of its match days. Older programs did not write it.
        pub session_count: Option<u32>,
        /// The number of its teams. Older programs did not write it.
        pub team_count: Option<u32>,
    }
}

/// The length of a third in minutes, unless set.
pub const THIRD_LENGTH_MINUTES: u8 = 20;

fn third_length() -> u8 {
    THIRD_LENGTH_MINUTES
}

/// A criterion by which the teams of a season are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Ranking {
    /// More wins rank higher.
    Wins,
    /// More draws rank higher.
    Draws,
    /// Fewer goals conceded rank higher.
    Conceded,
    /// More goals scored rank higher.
    Scored,
    /// Fewer losses rank higher.
    Losses,
    /// More games played rank higher.
    Played,
}

impl Ranking {
    /// Returns the criteria of a season that sets none.
    pub fn usual() -> Vec<Self> {
        vec![Self::Wins, Self::Draws, Self::Conceded, Self::Scored]
    }
}

envelope! {
    /// A team of a season.
    #[entity(type = "team", codec = envelope("data"))]
    #[key(pk = "SEASON#{season_id}", sk = "TEAM#{team_id}")]
    pub struct Team {
        pub season_id: SeasonId,
        pub team_id: TeamId,
        pub name: String,
        pub color: Option<String>,
    }
}

envelope! {
    /// A match day of a season, found by its own id too.
    #[entity(type = "session", codec = envelope("data"))]
    #[key(pk = "SEASON#{season_id}", sk = "SESSION#{session_id}")]
    #[mirror(pk = "SESSION#{session_id}", sk = "METADATA")]
    pub struct Session {
        pub season_id: SeasonId,
        pub session_id: SessionId,
        pub session_date: Date,
        /// The number of its games. Older programs did not write it.
        pub game_count: Option<u32>,
    }
}

envelope! {
    /// What a user may do in a league; listed under the user too.
    #[entity(type = "acl", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "ACL#USER#{user_id}")]
    #[mirror(pk = "USER#{user_id}", sk = "LEAGUE#{league_id}")]
    pub struct Acl {
        pub league_id: LeagueId,
        pub user_id: UserId,
        pub role: Role,
        pub granted_by_user_id: UserId,
    }
}

/// What a user may do in a league.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everything.
    Admin,
    /// Runs match days and games.
    Scorekeeper,
    /// Sees everything. An unknown word counts as this one.
    #[serde(other)]
    Viewer,
}

envelope! {
    /// A player known to a league.
    #[entity(type = "pool", codec = envelope("data"))]
    #[key(pk = "LEAGUE#{league_id}", sk = "POOL#{player_id}")]
    pub struct PoolEntry {
        pub league_id: LeagueId,
        pub player_id: PlayerId,
        pub last_played: Option<Timestamp>,
        /// The game that the player joined or played last.
        pub last_game_id: Option<GameId>,
    }
}

impl PoolEntry {
    /// Lists a player of a league who has not played.
    pub(crate) fn of(league_id: &LeagueId, player_id: &PlayerId) -> Self {
        let (league_id, player_id) = (league_id.clone(), player_id.clone());
        let stamps = Stamps::default();
        Self { league_id, player_id, last_played: None, last_game_id: None, stamps }
    }
}

monotable_kit::audit! {
    /// What was done to a league, by whom.
    #[entity(type = "leagueAudit", codec = envelope("data"))]
    pub LeagueAudit("LEAGUE#{league_id}") {
        /// The league.
        league_id: LeagueId, audit_id: AuditId, actor: UserId, stamps: Stamps
    }
}
