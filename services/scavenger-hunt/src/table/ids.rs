//! Ids, and hashes that are in keys.

use monotable::model::key::KeyError;
use sha2::{Digest, Sha256};

monotable_kit::ids!(
    /// A hunt.
    GameId,
    /// A place of a hunt.
    LevelId,
    /// A team of a hunt.
    TeamId,
    /// A player's device.
    UserId,
    /// Any other row.
    RowId,
    /// The SHA-256 of a code or token, in hexadecimal digits.
    Hash,
    /// The place in the key of a checkpoint: its level and, if two are in one second, an id behind it.
    Mark,
);

impl Hash {
    /// Returns the hash of a code or token.
    pub fn of(text: &str) -> Self {
        Self::of_bytes(text.as_bytes())
    }

    /// Returns the hash of a file.
    pub fn of_bytes(bytes: &[u8]) -> Self {
        Self(hex::encode(Sha256::digest(bytes)))
    }
}

impl Mark {
    /// Returns the mark of a level.
    ///
    /// # Errors
    /// Fails if the id of the level is as long as ids can be.
    pub fn of(level_id: &LevelId, id: Option<&RowId>) -> Result<Self, KeyError> {
        match id {
            None => Self::new(level_id.as_str()),
            Some(id) => Self::new(format!("{level_id}~{id}")),
        }
    }
}

impl LevelId {
    /// Returns an id that no level has.
    pub(crate) fn none() -> Self {
        Self("-".to_owned())
    }
}

impl TeamId {
    /// Takes the text of an id that was one before.
    pub(crate) fn of_word(word: String) -> Self {
        Self(word)
    }
}

impl RowId {
    /// Takes a hash in hexadecimal digits, a name in the program, or another id, which can always be part of a key.
    pub(crate) fn of_word(word: String) -> Self {
        Self(word)
    }
}
