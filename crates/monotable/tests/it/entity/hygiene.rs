//! Declarations in unusual places: inside functions, inside other macros, next to items with the
//! same names.

use monotable::model::{Entity as _, Moment};
use monotable::prelude::*;

use super::declared::{Position, TeamId};

/// The names of the prelude mean something else here, and generated code must not care.
#[expect(dead_code, non_snake_case, reason = "they are only in the way")]
mod in_the_way {
    pub(super) enum Option {}
    pub(super) enum Result {}
    pub(super) enum String {}
    pub(super) fn Some() {}
    pub(super) fn Ok() {}
}

macro_rules! rows {
    ($name:ident, $key:literal, $(#[$mark:meta] $field:ident),*) => {
        #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[key(pk = $key, sk = "METADATA")]
        #[index(GSI1: sparse, pk = "{position}", sk = "{rank:03}")]
        struct $name {
            team_id: TeamId,
            position: std::option::Option<Position>,
            rank: u8,
            #[created]
            created_at: Timestamp,
            #[updated]
            updated_at: Timestamp,
            #[ttl]
            ends: std::option::Option<EpochSeconds>,
            $(#[$mark] $field: u64,)*
        }
    };
}

rows!(
    Season,
    "SEASON#{team_id}",
    #[version]
    ver,
    #[immutable]
    year
);

#[test]
fn an_entity_can_be_declared_by_another_macro() {
    let now = Timestamp::default();
    let mut season = Season {
        team_id: TeamId::new("t1").unwrap(),
        position: None,
        rank: 1,
        created_at: now,
        updated_at: now,
        ends: None,
        ver: 0,
        year: 2026,
    };
    season.set_version(3);
    season.stamp(now, Moment::Changed);
    assert_eq!((season.version(), season.key().team_id.as_str()), (Some(3), "t1"));
    let _update = Season::update(&season.key()).position_and_rank(None, 2).ends(None);
}

#[test]
fn an_entity_can_be_declared_where_names_mean_something_else() {
    #[allow(unused_imports)]
    use in_the_way::*;

    #[derive(Entity, Clone, Debug, PartialEq)]
    #[entity(allow(L03, because = "nobody reads it"))]
    #[key(pk = "CUP#{team_id}", sk = "METADATA")]
    #[index(GSI1: pk = "CUPS", sk = "{rank:03}")]
    struct Cup {
        team_id: TeamId,
        rank: u8,
        #[counter]
        games: u64,
        is_open: bool,
        to_come: u8,
        new: u8,
        default: u8,
        add: u8,
        #[version]
        ver: u64,
        #[updated]
        position: Timestamp,
        #[ttl]
        text: EpochSeconds,
    }

    // serde's own derive does care, so that these are by hand.
    impl Serialize for Cup {
        fn serialize<S: serde::Serializer>(
            &self,
            serializer: S,
        ) -> std::result::Result<S::Ok, S::Error> {
            serializer.serialize_unit()
        }
    }

    impl<'de> Deserialize<'de> for Cup {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> std::result::Result<Self, D::Error> {
            Err(serde::de::Error::custom("never read"))
        }
    }

    let key = CupKey::new(TeamId::new("t1").unwrap());
    let _update = Cup::update(&key).rank(2).add_games(1).when(cup::rank().exists());
}
