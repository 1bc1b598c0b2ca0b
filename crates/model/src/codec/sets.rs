//! Fields that are stored as DynamoDB's sets.
//!
//! Without these modules a `BTreeSet<String>` is stored as a list, like any sequence. With them it
//! is a set of strings, which `ADD` and `DELETE` work on. DynamoDB has no empty sets: the field of
//! an empty one is left out, so it needs a default to be read back.
//!
//! ```
//! use std::collections::BTreeSet;
//!
//! use monotable_model::codec::{sets, to_item};
//! use monotable_types::{AttributeValue, set};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Player {
//!     #[serde(with = "sets::strings", default)]
//!     positions: BTreeSet<String>,
//! }
//!
//! let player = Player { positions: BTreeSet::from(["goal".to_owned()]) };
//! assert_eq!(to_item(&player)?["positions"], AttributeValue::from(set!["goal"]));
//! # Ok::<(), monotable_model::codec::CodecError>(())
//! ```

use monotable_types::{AttributeValue, Number, Set};

use super::{CodecError, error::in_words};

/// The kind of set that a sequence becomes. serde has no sets, so the modules below mark a sequence
/// with the name of a newtype that no program uses; other formats write the sequence.
#[derive(Clone, Copy)]
pub(super) enum SetKind {
    Strings,
    Numbers,
    Binaries,
}

const STRINGS: &str = "$monotable::sets::strings";
const NUMBERS: &str = "$monotable::sets::numbers";
const BINARIES: &str = "$monotable::sets::binaries";

impl SetKind {
    /// Returns the kind of a marker name.
    pub(super) fn marked_by(name: &str) -> Option<Self> {
        match name {
            STRINGS => Some(Self::Strings),
            NUMBERS => Some(Self::Numbers),
            BINARIES => Some(Self::Binaries),
            _ => None,
        }
    }

    /// Returns the set of the elements of a list that is not empty.
    pub(super) fn collect(self, list: Vec<AttributeValue>) -> Result<AttributeValue, CodecError> {
        match self {
            Self::Strings => Ok(AttributeValue::Ss(set(list, string)?)),
            Self::Numbers => Ok(AttributeValue::Ns(set(list, number)?)),
            Self::Binaries => Ok(AttributeValue::Bs(set(list, binary)?)),
        }
    }
}

fn set<T: Ord>(
    list: Vec<AttributeValue>,
    element: impl Fn(AttributeValue) -> Result<T, CodecError>,
) -> Result<Set<T>, CodecError> {
    let elements = list.into_iter().enumerate().map(|(index, value)| {
        element(value).map_err(|error: CodecError| error.inside_element(index))
    });
    Set::new(elements.collect::<Result<_, _>>()?)
        .map_err(|error| CodecError::unfit(error.to_string()))
}

fn string(value: AttributeValue) -> Result<String, CodecError> {
    match value {
        AttributeValue::S(text) => Ok(text),
        other => Err(unfit("string", &other)),
    }
}

fn number(value: AttributeValue) -> Result<Number, CodecError> {
    match value {
        AttributeValue::N(number) => Ok(number),
        other => Err(unfit("number", &other)),
    }
}

fn binary(value: AttributeValue) -> Result<Vec<u8>, CodecError> {
    match value {
        AttributeValue::B(bytes) => Ok(bytes),
        // serde treats a `Vec<u8>` as a list of numbers.
        AttributeValue::L(numbers) => numbers
            .iter()
            .map(|number| match number.as_n().and_then(Number::to_u64).map(u8::try_from) {
                Some(Ok(byte)) => Ok(byte),
                _ => Err(unfit("byte", number)),
            })
            .collect(),
        other => Err(unfit("binary", &other)),
    }
}

fn unfit(expected: &str, found: &AttributeValue) -> CodecError {
    CodecError::unfit(format!("expected a {expected} of a set, found {}", in_words(found)))
}

macro_rules! set_modules {
    ($($(#[$doc:meta])* $module:ident: $mark:ident;)*) => {$(
        $(#[$doc])*
        pub mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            /// Writes the collection as a set.
            ///
            /// # Errors
            ///
            /// An element has the wrong type or occurs twice.
            pub fn serialize<C: Serialize + ?Sized, S: Serializer>(
                collection: &C,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(super::$mark, collection)
            }

            /// Reads the collection from a set, or from a list.
            ///
            /// # Errors
            ///
            /// The value is neither a set nor a list, or an element does not fit.
            pub fn deserialize<'de, C: Deserialize<'de>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<C, D::Error> {
                C::deserialize(deserializer)
            }
        }
    )*};
}

set_modules! {
    /// `#[serde(with = "…::sets::strings", default)]`: a set of strings (SS).
    strings: STRINGS;
    /// `#[serde(with = "…::sets::numbers", default)]`: a set of numbers (NS).
    numbers: NUMBERS;
    /// `#[serde(with = "…::sets::binaries", default)]`: a set of binaries (BS), of `Vec<u8>`s.
    binaries: BINARIES;
}
