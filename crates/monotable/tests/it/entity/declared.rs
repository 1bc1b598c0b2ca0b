//! The declarations of these tests, and their metadata.

use monotable::model::Entity as _;
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct PlayerId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct UserId(String);

/// What a game is doing.
#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Position {
    Goalkeeper,
    LeftBack,
    #[serde(rename = "9")]
    Striker,
}

/// Numbers as texts.
mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(number: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        let text = String::deserialize(deserializer)?;
        u32::from_str_radix(&text, 16).map_err(de::Error::custom)
    }
}

/// A roster slot.
///
/// Indexed by its user only while linked.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(
    type = "PLAYER",
    allow(W01, because = "imports overwrite"),
    allow(K05, because = "shirts have two digits"),
    allow(W06, because = "teams live elsewhere"),
    allow(D04, because = "what is selected is not stored")
)]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI1: sparse, pk = "USER#{user_id}", sk = "TEAM#{team_id}")]
#[index(GSI2: pk = "TEAM#{team_id}", sk = "{position}#{number:02}")]
#[index(GSI3: pk = "PLAYERS#{shard}", sk = "{player_id}", shards = 8, by = player_id)]
pub(super) struct Player {
    /// The team.
    pub(super) team_id: TeamId,
    pub(super) player_id: PlayerId,
    pub(super) user_id: Option<UserId>,
    pub(super) position: Position,
    pub(super) number: u8,
    pub(super) nick_name: Option<String>,
    #[counter]
    pub(super) goals: u64,
    #[immutable]
    pub(super) joined: Date,
    #[copy(Team.name)]
    pub(super) team_name: Option<String>,
    #[serde(with = "hexadecimal")]
    pub(super) badge: u32,
    #[serde(skip)]
    pub(super) is_selected: bool,
    #[version]
    #[serde(default)]
    pub(super) ver: u64,
    #[created]
    pub(super) created_at: Timestamp,
    #[updated]
    pub(super) updated_at: Option<Timestamp>,
}

/// The only row of its kind.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "CONFIGURATION", sk = "LEAGUE")]
pub(super) struct Configuration {
    pub(super) r#type: String,
    #[ttl]
    #[serde(rename = "ttl")]
    pub(super) expires: Option<EpochSeconds>,
}

/// How often a team was viewed.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W02, because = "the first look makes the row"))]
#[key(pk = "LOOKS#{team_id}", sk = "METADATA")]
pub(super) struct Views {
    pub(super) team_id: TeamId,
    #[counter]
    pub(super) count: u64,
}

table! {
    pub(super) Roster {
        name = "roster";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "no patterns here");
        index GSI2(GSI2PK, GSI2SK) allow(I03, because = "no patterns here");
        index GSI3(GSI3PK, GSI3SK) allow(I03, because = "no patterns here");
        ttl = ttl;
        entities(Player, Configuration, Views);
    }
}

pub(super) fn player() -> Player {
    Player {
        team_id: TeamId::new("t1").unwrap(),
        player_id: PlayerId::new("p7").unwrap(),
        user_id: None,
        position: Position::LeftBack,
        number: 7,
        nick_name: None,
        goals: 0,
        joined: "2026-03-01".parse().unwrap(),
        team_name: Some("Portland Pioneers".into()),
        badge: 0,
        is_selected: false,
        ver: 0,
        created_at: Timestamp::default(),
        updated_at: None,
    }
}

#[test]
fn the_metadata_is_the_declaration() {
    let meta = Player::META;
    assert_eq!((meta.name, meta.type_name), ("Player", "PLAYER"));
    assert_eq!(meta.doc, "A roster slot.\n\nIndexed by its user only while linked.");
    assert_eq!(meta.location.file, file!());
    let attributes: Vec<&str> = meta.fields.iter().map(|field| field.attribute).collect();
    let expected = "teamId playerId userId position number nickName goals joined teamName \
                    badge ver createdAt updatedAt";
    assert_eq!(attributes.join(" "), expected, "a skipped field is no attribute");
    let team = meta.fields[0];
    assert_eq!((team.rust_type, team.doc, team.is_required), ("TeamId", "The team.", true));
    let user = meta.fields[2];
    assert_eq!((user.rust_type, user.is_required), ("Option<UserId>", false));
    assert!(meta.fields[6].is_counter && meta.fields[7].is_immutable);
    assert_eq!(
        meta.fields[8].copy_of.map(|copy| (copy.entity, copy.field)),
        Some(("Team", "name"))
    );
    assert!(!meta.fields[10].is_required, "serde has a default for it");
    assert_eq!(
        (meta.version, meta.ttl, meta.created, meta.updated),
        (Some(10), None, Some(11), Some(12))
    );
    assert_eq!(meta.key.partition.text, "TEAM#{team_id}");
    assert_eq!(meta.indexes.len(), 3);
    assert!(meta.indexes[0].is_sparse && !meta.indexes[1].is_sparse);
    assert_eq!(meta.indexes[2].shards.map(|shards| (shards.count, shards.by)), Some((8, 1)));
    assert_eq!(meta.allows.len(), 4);
}

#[test]
fn a_keyword_names_a_field_without_its_sign() {
    let meta = Configuration::META;
    assert_eq!((meta.fields[0].name, meta.fields[0].attribute), ("type", "type"));
    assert_eq!((meta.fields[1].name, meta.fields[1].attribute), ("expires", "ttl"));
    assert_eq!(meta.ttl, Some(1));
}
