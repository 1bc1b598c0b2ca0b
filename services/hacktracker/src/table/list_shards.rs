//! The lists of all users, teams and games, for administrators: each in one partition of GSI2,
//! or spread over several partitions, so that no partition gets all writes.
//!
//! The first part has the original key of the design, so that rows from before a list was
//! spread are part of it. A row stays in the part that it was written to.

use monotable::model::key::{KeyError, KeyPart, PartKind, PartText, shard_of};
use serde::{Deserialize, Serialize, Serializer};

/// A part of a list: `ENTITY#GAME` is the first, `ENTITY#GAME#1` the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct ListShard(u16);

impl PartText for ListShard {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        if self.0 > 0 {
            text.push('#');
            text.push_str(&self.0.to_string());
        }
        Ok(())
    }
}

impl KeyPart for ListShard {
    const KIND: PartKind = PartKind::TEXT;

    fn parse(text: &str) -> Result<Self, KeyError> {
        if text.is_empty() {
            return Ok(Self(0));
        }
        let number = text.strip_prefix('#').ok_or(KeyError::Unparsable)?;
        u16::parse(number).map(Self)
    }
}

/// Rows of the first part have no attribute for it, like those of the seed.
impl Serialize for ListShard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            0 => serializer.serialize_none(),
            number => serializer.serialize_u16(number),
        }
    }
}

/// The number of parts of each list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListShards(u16);

impl ListShards {
    /// Creates the number of parts, at least one.
    pub fn new(count: u16) -> Self {
        Self(count.max(1))
    }

    /// Returns the part for a new row, by its id.
    pub fn of(self, id: &impl AsRef<str>) -> ListShard {
        ListShard(shard_of(id.as_ref(), PartKind::IDENTITY, self.0))
    }

    /// Returns all parts.
    pub fn all(self) -> impl Iterator<Item = ListShard> {
        (0..self.0).map(ListShard)
    }
}

impl Default for ListShards {
    fn default() -> Self {
        Self(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_part_has_the_key_of_the_seed() {
        let text = |number| {
            let mut text = "ENTITY#GAME".to_owned();
            ListShard(number).write(0, &mut text).unwrap();
            text
        };
        assert_eq!((text(0).as_str(), text(3).as_str()), ("ENTITY#GAME", "ENTITY#GAME#3"));
        assert_eq!(ListShard::parse(""), Ok(ListShard(0)));
        assert_eq!(ListShard::parse("#3"), Ok(ListShard(3)));
        assert!(ListShard::parse("3").is_err());
    }

    #[test]
    fn ids_are_spread_over_all_parts() {
        let shards = ListShards::new(4);
        let of = |number: u32| shards.of(&format!("user-{number}"));
        for shard in shards.all() {
            assert!((0..100).any(|number| of(number) == shard), "{shard:?}");
        }
        assert_eq!(ListShards::default().of(&"any".to_owned()), ListShard(0));
        assert_eq!(ListShards::new(0), ListShards::default());
    }
}
