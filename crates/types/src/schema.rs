//! The words in which tables and indexes are described: key attributes, their types, projections.
//!
//! Plain data of requests. The engine checks whether a description is a valid table.

use std::fmt;
use std::str::FromStr;

use crate::{AttributeValue, TypeName};

/// The types a key attribute can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ScalarType {
    /// String.
    S,
    /// Number.
    N,
    /// Binary.
    B,
}

/// The part an attribute plays in a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyType {
    /// The partition key, `HASH`.
    Hash,
    /// The sort key, `RANGE`.
    Range,
}

/// The declared type of an attribute that some key uses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeDefinition {
    /// The attribute.
    pub name: String,
    /// Its type.
    pub scalar_type: ScalarType,
}

/// One attribute of a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeySchemaElement {
    /// The attribute.
    pub attribute_name: String,
    /// Its part in the key.
    pub key_type: KeyType,
}

/// The attributes of an item that an index contains in addition to the keys of the table and of the
/// index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Projection {
    /// Every attribute.
    #[default]
    All,
    /// No other attributes.
    KeysOnly,
    /// These attributes.
    Include(Vec<String>),
}

/// The error of a text that is not one of the words of a schema.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not one of [{allowed}]")]
pub struct UnknownSchemaWord {
    /// The text.
    pub text: String,
    /// The words that were allowed, in the order AWS lists them.
    pub allowed: &'static str,
}

impl ScalarType {
    /// Returns the name as DynamoDB writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }

    /// Returns the same type among all attribute types.
    pub const fn type_name(self) -> TypeName {
        match self {
            Self::S => TypeName::S,
            Self::N => TypeName::N,
            Self::B => TypeName::B,
        }
    }

    /// Returns whether the value has this type.
    ///
    /// ```
    /// use monotable_types::{AttributeValue, ScalarType};
    ///
    /// assert!(ScalarType::N.matches(&AttributeValue::from(1)));
    /// assert!(!ScalarType::N.matches(&AttributeValue::from("1")));
    /// ```
    pub const fn matches(self, value: &AttributeValue) -> bool {
        matches!(
            (self, value),
            (Self::S, AttributeValue::S(_))
                | (Self::N, AttributeValue::N(_))
                | (Self::B, AttributeValue::B(_))
        )
    }
}

impl KeyType {
    /// Returns the name as DynamoDB writes it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hash => "HASH",
            Self::Range => "RANGE",
        }
    }
}

impl AttributeDefinition {
    /// Makes the definition of an attribute.
    pub fn new(name: impl Into<String>, scalar_type: ScalarType) -> Self {
        Self { name: name.into(), scalar_type }
    }
}

impl KeySchemaElement {
    /// Returns the attribute as a partition key.
    pub fn hash(attribute_name: impl Into<String>) -> Self {
        Self { attribute_name: attribute_name.into(), key_type: KeyType::Hash }
    }

    /// Returns the attribute as a sort key.
    pub fn range(attribute_name: impl Into<String>) -> Self {
        Self { attribute_name: attribute_name.into(), key_type: KeyType::Range }
    }
}

impl Projection {
    /// Returns the projection type as DynamoDB writes it.
    pub const fn type_str(&self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::KeysOnly => "KEYS_ONLY",
            Self::Include(_) => "INCLUDE",
        }
    }
}

impl fmt::Display for ScalarType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl FromStr for ScalarType {
    type Err = UnknownSchemaWord;

    fn from_str(text: &str) -> Result<Self, UnknownSchemaWord> {
        match text {
            "S" => Ok(Self::S),
            "N" => Ok(Self::N),
            "B" => Ok(Self::B),
            _ => Err(UnknownSchemaWord { text: text.to_owned(), allowed: "B, N, S" }),
        }
    }
}

impl FromStr for KeyType {
    type Err = UnknownSchemaWord;

    fn from_str(text: &str) -> Result<Self, UnknownSchemaWord> {
        match text {
            "HASH" => Ok(Self::Hash),
            "RANGE" => Ok(Self::Range),
            _ => Err(UnknownSchemaWord { text: text.to_owned(), allowed: "HASH, RANGE" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_words_read_back() {
        for scalar_type in [ScalarType::S, ScalarType::N, ScalarType::B] {
            assert_eq!(scalar_type.as_str().parse(), Ok(scalar_type));
        }
        for key_type in [KeyType::Hash, KeyType::Range] {
            assert_eq!(key_type.as_str().parse(), Ok(key_type));
        }
    }

    #[test]
    fn an_unknown_word_lists_the_allowed_ones() {
        let error = "hash".parse::<KeyType>().unwrap_err();
        assert_eq!(error.to_string(), "'hash' is not one of [HASH, RANGE]");
    }
}
