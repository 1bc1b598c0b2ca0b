//! The JSON form of a Rust type: for fields of bodies, queries and views.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use monotable::model::time::{Date, EpochSeconds, Timestamp};
use serde_json::Value;

use crate::patch::Patch;
use crate::schema::Kind;

/// A type that can be a field of a body or a view.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a field of a body or a view",
    note = "declare ids with `monotable_kit::ids!`, enums with `#[derive(Words)]`, objects with `#[derive(Body)]` or \
            `#[derive(View)]`"
)]
pub trait FieldType {
    /// Whether the field can be left out.
    const IS_OPTIONAL: bool = false;
    /// Whether null is a value of the field.
    const IS_NULLABLE: bool = false;

    /// Returns the kind of value in JSON.
    fn kind() -> Kind;

    /// Returns an example for the documentation, unless the kind has one.
    fn example() -> Option<Value> {
        None
    }

    /// Returns the value of a field that is left out, if it differs from null.
    fn absent() -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// An enum without values, each of which is a word in JSON and in the table. Derive it: the words are serde's.
pub trait Words: FieldType + Sized + 'static {
    /// All values.
    const ALL: &'static [Self];
    /// All words that are accepted: those that are written, then their aliases.
    const ACCEPTED: &'static [&'static str];

    /// Returns the word that is written.
    fn word(&self) -> &'static str;

    /// Returns the value of a word or alias, in any case.
    fn read(word: &str) -> Option<Self>;
}

/// Declares typed ids, as `monotable::model::ids!` does, that can be fields of bodies and views.
#[macro_export]
macro_rules! ids {
    ($($(#[$attribute:meta])* $name:ident),+ $(,)?) => {
        ::monotable::model::ids!($($(#[$attribute])* $name),+);

        $(
            impl $crate::FieldType for $name {
                fn kind() -> $crate::Kind {
                    $crate::Kind::Id
                }

                fn example() -> ::core::option::Option<$crate::codegen::Value> {
                    ::core::option::Option::Some($crate::codegen::id_example(stringify!($name)))
                }
            }
        )+
    };
}

macro_rules! field_types {
    ($($type:ty => $kind:expr;)+) => {
        $(
            impl FieldType for $type {
                fn kind() -> Kind {
                    $kind
                }
            }
        )+
    };
}

field_types! {
    String => Kind::Text { length: 0..=usize::MAX };
    &'static str => Kind::Text { length: 0..=usize::MAX };
    bool => Kind::Flag;
    u8 => integer(0, u8::MAX.into());
    u16 => integer(0, u16::MAX.into());
    u32 => integer(0, u32::MAX.into());
    u64 => integer(0, i64::MAX);
    usize => integer(0, i64::MAX);
    i32 => integer(i32::MIN.into(), i32::MAX.into());
    i64 => integer(i64::MIN, i64::MAX);
    f64 => Kind::Number { range: f64::NEG_INFINITY..=f64::INFINITY };
    Timestamp => Kind::Instant;
    Date => Kind::Day;
    EpochSeconds => integer(0, i64::MAX);
    Value => Kind::Anything;
}

fn integer(start: i64, end: i64) -> Kind {
    Kind::Integer { range: start..=end }
}

impl<T: FieldType> FieldType for Option<T> {
    const IS_OPTIONAL: bool = true;

    fn kind() -> Kind {
        T::kind()
    }

    fn example() -> Option<Value> {
        T::example()
    }
}

impl<T: FieldType> FieldType for Patch<T> {
    const IS_OPTIONAL: bool = true;
    const IS_NULLABLE: bool = true;

    fn kind() -> Kind {
        T::kind()
    }

    fn absent() -> Option<Self> {
        Some(Self::Keep)
    }
}

impl<T: FieldType> FieldType for Vec<T> {
    fn kind() -> Kind {
        Kind::List { of: Box::new(T::kind()), length: 0..=usize::MAX, is_unique: false }
    }

    fn example() -> Option<Value> {
        T::example().map(|one| Value::Array(vec![one]))
    }
}

impl<T: FieldType> FieldType for BTreeMap<String, T> {
    fn kind() -> Kind {
        Kind::Map(Box::new(T::kind()))
    }
}

impl<T: FieldType> FieldType for Box<T> {
    fn kind() -> Kind {
        T::kind()
    }

    fn example() -> Option<Value> {
        T::example()
    }
}

/// The range of an integer or of another number.
#[derive(Clone, Debug)]
pub enum NumberRange {
    /// The range of an integer.
    Integer(RangeInclusive<i64>),
    /// The range of any number.
    Number(RangeInclusive<f64>),
}

impl From<RangeInclusive<i64>> for NumberRange {
    fn from(range: RangeInclusive<i64>) -> Self {
        Self::Integer(range)
    }
}

impl From<RangeInclusive<f64>> for NumberRange {
    fn from(range: RangeInclusive<f64>) -> Self {
        Self::Number(range)
    }
}

impl Kind {
    /// Bounds the characters of a text, or of the texts in a list.
    #[must_use]
    pub fn length(self, bounds: RangeInclusive<usize>) -> Self {
        match self {
            Self::Text { .. } => Self::Text { length: bounds },
            Self::List { of, length, is_unique } => {
                Self::List { of: Box::new(of.length(bounds)), length, is_unique }
            }
            other => other,
        }
    }

    /// Bounds a number, or the numbers in a list.
    #[must_use]
    pub fn range(self, bounds: impl Into<NumberRange>) -> Self {
        match (self, bounds.into()) {
            (Self::Integer { .. }, NumberRange::Integer(range)) => Self::Integer { range },
            (Self::Number { .. }, NumberRange::Number(range)) => Self::Number { range },
            (Self::List { of, length, is_unique }, bounds) => {
                let of = match bounds {
                    NumberRange::Integer(range) => of.range(range),
                    NumberRange::Number(range) => of.range(range),
                };
                Self::List { of: Box::new(of), length, is_unique }
            }
            (other, _) => other,
        }
    }

    /// Bounds the elements of a list.
    #[must_use]
    pub fn items(self, bounds: RangeInclusive<usize>) -> Self {
        match self {
            Self::List { of, is_unique, .. } => Self::List { of, length: bounds, is_unique },
            other => other,
        }
    }

    /// Refuses a list in which an element is repeated.
    #[must_use]
    pub fn unique(self) -> Self {
        match self {
            Self::List { of, length, .. } => Self::List { of, length, is_unique: true },
            other => other,
        }
    }
}
