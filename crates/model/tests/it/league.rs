//! The table that tests of the modelling layer share: one entity for every ability.

use monotable_model::time::{EpochSeconds, Timestamp};
use monotable_model::{Entity, Id, KeyWord, MirrorOf, table};
use serde::{Deserialize, Serialize};

use crate::rows::keys::{MatchLock, Setting, Slot, Tokens};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct PlayerId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct UserId(String);

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Position {
    Goal,
    Field,
}

/// A club: first row of its own item collection.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "TEAM")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#TEAM", sk = "METADATA#{name}")]
#[unique(name)]
#[mirror(pk = "NAME#{name}", sk = "TEAM")]
#[mirror(TeamFacet)]
pub(crate) struct Team {
    pub(crate) team_id: TeamId,
    pub(crate) name: String,
    pub(crate) motto: Option<String>,
    #[immutable]
    pub(crate) founded: u16,
    #[version]
    pub(crate) ver: u64,
    #[created]
    pub(crate) created_at: Timestamp,
    #[updated]
    pub(crate) updated_at: Timestamp,
}

/// The public part of a club that has a motto.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "TEAM#{team_id}", sk = "FACET")]
pub(crate) struct TeamFacet {
    pub(crate) team_id: TeamId,
    pub(crate) motto: String,
}

impl MirrorOf<Team> for TeamFacet {
    fn mirror_of(team: &Team) -> Option<Self> {
        let motto = team.motto.clone()?;
        Some(Self { team_id: team.team_id.clone(), motto })
    }
}

/// A roster slot. Indexed by its user only while linked.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "PLAYER")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[allow(clippy::duplicated_attributes, reason = "two indexes are sparse")]
#[index(GSI3: sparse, pk = "TEAM#{team_id}#{position}", sk = "NUMBER#{number:03}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub(crate) struct Player {
    pub(crate) team_id: TeamId,
    pub(crate) player_id: PlayerId,
    pub(crate) user_id: Option<UserId>,
    pub(crate) position: Option<Position>,
    pub(crate) number: Option<u8>,
    pub(crate) nick_name: Option<String>,
    #[counter]
    #[serde(default)]
    pub(crate) goals: u64,
    #[version]
    pub(crate) ver: u64,
    #[updated]
    pub(crate) updated_at: Timestamp,
}

/// A login that ends by itself.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(L03, because = "sentinels expire with their session"))]
#[entity(allow(W01, because = "a login replaces the one before"))]
#[entity(allow(W02, because = "a visit may come before the login is known"))]
#[key(pk = "SESSION#{session_id}", sk = "SESSION")]
#[unique(token)]
pub(crate) struct Session {
    #[immutable]
    pub(crate) session_id: String,
    pub(crate) token: Option<String>,
    #[counter]
    #[serde(default)]
    pub(crate) visits: u64,
    #[version]
    pub(crate) ver: u64,
    #[ttl]
    pub(crate) ttl: Option<EpochSeconds>,
}

/// A visit, indexed by its last change.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "VISIT#{visit_id}", sk = "VISIT")]
#[index(GSI2: pk = "VISITS#{state}", sk = "AT#{updated_at}")]
pub(crate) struct Visit {
    #[immutable]
    pub(crate) visit_id: String,
    pub(crate) state: Position,
    pub(crate) rating: Option<u8>,
    #[version]
    pub(crate) ver: u64,
    #[updated]
    pub(crate) updated_at: Timestamp,
}

/// A number that is given out only once.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(U03, because = "a number on a shirt is never given to another"))]
#[key(pk = "BADGE#{badge_id}", sk = "BADGE")]
#[unique(series, number, name = "shirt", pk = "SERIES#{series}", sk = "NUMBER#{number:05}", release = never)]
pub(crate) struct Badge {
    #[immutable]
    pub(crate) badge_id: String,
    #[immutable]
    pub(crate) series: u8,
    pub(crate) number: Option<u16>,
    #[version]
    pub(crate) ver: u64,
}

/// Something that happened, in an index of several partitions and in one with keys of several
/// attributes, some of which are fields themselves.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "EVENT#{event_id}", sk = "EVENT")]
#[index(GSI5: pk = "EVENTS#{shard}", sk = "AT#{minute:05}", shards = 4, by = event_id)]
#[index(GSI6: sparse, pk = ["{region}", "{team_id}"], sk = ["{kind}", "AT#{minute:05}"])]
pub(crate) struct Event {
    #[immutable]
    pub(crate) event_id: u32,
    pub(crate) region: Option<UserId>,
    pub(crate) team_id: TeamId,
    pub(crate) kind: Option<Position>,
    pub(crate) minute: u16,
    pub(crate) text: Option<String>,
    #[version]
    pub(crate) ver: u64,
}

/// A remark without a version, which may be overwritten.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W01, because = "the last writer is right"))]
#[entity(allow(W02, because = "a mark may come before the remark"))]
#[entity(allow(W03, because = "changed attributes are compared"))]
#[key(pk = "NOTE#{note_id}", sk = "NOTE")]
#[index(GSI2: sparse, pk = "NOTES", sk = "TOPIC#{topic}")]
pub(crate) struct Note {
    #[immutable]
    pub(crate) note_id: String,
    pub(crate) topic: Option<String>,
    #[serde(default)]
    pub(crate) text: String,
    pub(crate) mark: Option<u8>,
    #[counter]
    #[serde(default)]
    pub(crate) likes: i64,
}

/// A document whose fields are one JSON text.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(codec = envelope("data"), allow(W01, because = "imports overwrite"))]
#[key(pk = "GAME#{game_id}", sk = "GAME")]
pub(crate) struct Game {
    #[immutable]
    pub(crate) game_id: String,
    pub(crate) place: String,
    #[top]
    pub(crate) state: String,
    #[version]
    pub(crate) ver: u64,
}

/// A number under a key.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, allow(W02, because = "counting starts with the first"))]
#[key(pk = "COUNT#{name}", sk = "COUNT")]
pub(crate) struct Tally {
    #[key_only]
    #[immutable]
    pub(crate) name: String,
    #[value]
    #[counter]
    pub(crate) count: i64,
    #[version]
    pub(crate) ver: u64,
}

table! {
    /// The table of the tests.
    pub(crate) League {
        name = "league-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI2(GSI2PK, GSI2SK) allow(I03, because = "tests look into it");
        index GSI3(GSI3PK, GSI3SK) allow(I03, because = "tests look into it");
        index GSI4(GSI4PK, GSI4SK) allow(I03, because = "tests look into it");
        index GSI5(GSI5PK, GSI5SK) allow(I03, because = "tests look into it");
        index GSI6((region, team), (kind, GSI6SK)) allow(I03, because = "tests look into it");
        ttl = ttl;
        entities(Team, TeamFacet, Player, Session, Visit, Badge, Event, Note, Game, Tally);
        rules(Tokens, Setting, Slot, MatchLock);
    }
}
