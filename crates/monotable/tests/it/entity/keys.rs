//! Keys of entities, and their way back.

use std::collections::BTreeSet;

use monotable::model::key::{
    KeyError, KeyPart, ParsedParts, PartKind, PartText, parse_template, render,
};
use monotable::model::{Entity as _, EntityKey, Moment};
use monotable::prelude::*;

use super::declared::{
    Configuration, ConfigurationKey, Player, PlayerId, PlayerKey, TeamId, player,
};

#[test]
fn an_entity_and_its_key_render_the_same_key() {
    let (player, meta) = (player(), Player::META);
    let key = player.key();
    let new = PlayerKey::new(TeamId::new("t1").unwrap(), PlayerId::new("p7").unwrap());
    assert_eq!(key, new);
    let sort = meta.key.sort.unwrap();
    assert_eq!(render(&meta.key.partition, &player, None).unwrap().unwrap(), "TEAM#t1");
    assert_eq!(render(&meta.key.partition, &key, None).unwrap().unwrap(), "TEAM#t1");
    assert_eq!(render(&sort, &player, None).unwrap().unwrap(), "PLAYER#p7");
    assert_eq!(render(&sort, &key, None).unwrap().unwrap(), "PLAYER#p7");
}

#[test]
fn a_key_is_read_back_from_its_texts() {
    let meta = Player::META;
    let mut parts = ParsedParts::default();
    assert!(parse_template(&meta.key.partition, "TEAM#t1", &mut parts));
    assert!(parse_template(&meta.key.sort.unwrap(), "PLAYER#p7", &mut parts));
    assert_eq!(PlayerKey::from_parts(&parts).unwrap(), player().key());
    assert!(PlayerKey::from_parts(&ParsedParts::default()).is_err());
}

/// A part that has no order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
struct Colour(String);

impl PartText for Colour {
    fn write(&self, pad: u8, text: &mut String) -> Result<(), KeyError> {
        self.0.write(pad, text)
    }
}

impl KeyPart for Colour {
    const KIND: PartKind = PartKind::IDENTITY;

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

/// An entity whose key has no order.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "PAINT#{colour}", sk = "PAINT")]
struct Paint {
    colour: Colour,
}

#[test]
fn keys_sort_where_their_parts_do() {
    let key =
        |team, player| PlayerKey::new(TeamId::new(team).unwrap(), PlayerId::new(player).unwrap());
    let sorted = BTreeSet::from([key("t2", "p1"), key("t1", "p9"), key("t1", "p2")]);
    assert_eq!(Vec::from_iter(sorted), [key("t1", "p2"), key("t1", "p9"), key("t2", "p1")]);
    assert_eq!(PaintKey::new(Colour("red".to_owned())).colour.0, "red");
}

#[test]
fn index_keys_are_rendered_from_optional_words_and_padded_numbers() {
    let (mut player, meta) = (player(), Player::META);
    let user = &meta.indexes[0].partition[0];
    assert_eq!(render(user, &player, None).unwrap(), None);
    player.user_id = Some("u3".parse().unwrap());
    assert_eq!(render(user, &player, None).unwrap().unwrap(), "USER#u3");
    let shirt = &meta.indexes[1].sort[0];
    assert_eq!(render(shirt, &player, None).unwrap().unwrap(), "LEFT_BACK#07");
    player.number = 100;
    assert!(render(shirt, &player, None).is_err(), "there are two digits for it");
    let all = &meta.indexes[2].partition[0];
    assert_eq!(render(all, &player, Some(3)).unwrap().unwrap(), "PLAYERS#3");
}

#[test]
fn an_entity_without_fields_in_its_key_has_one_row() {
    let configuration = Configuration { r#type: "cup".into(), expires: None };
    assert_eq!(configuration.key(), ConfigurationKey::default());
    assert_eq!(ConfigurationKey::new(), ConfigurationKey::default());
}

#[test]
fn stamps_and_versions_are_set_where_they_are_marked() {
    let mut player = player();
    let at = |ms| Timestamp::from_ms(ms).unwrap();
    let (first, second) = (at(1_000), at(2_000));
    player.stamp(first, Moment::Created);
    player.stamp(second, Moment::Changed);
    assert_eq!((player.created_at, player.updated_at), (first, Some(second)));
    player.set_version(4);
    assert_eq!(player.version(), Some(4));
    assert_eq!(player.expires_at(), None);
    let ends = EpochSeconds::from(second);
    let configuration = Configuration { r#type: "cup".into(), expires: Some(ends) };
    assert_eq!(configuration.expires_at(), Some(ends));
    assert_eq!(configuration.version(), None);
}
