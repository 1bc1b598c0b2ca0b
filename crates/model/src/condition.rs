//! Typed conditions: paths of an entity's attributes, and what must hold of them.
//!
//! Values are encoded by serde like the fields themselves. A value that can't be encoded makes the
//! condition fail when it is used, so that building one needs no `?`.

use std::marker::PhantomData;
use std::ops;

use monotable_expression as expression;
use monotable_expression::Operand;
use monotable_types::AttributeValue;
use serde::Serialize;

use crate::codec::{self, CodecError};
use crate::entity::Entity;
use crate::error::{Error, Result};

/// The path of an attribute of `E` that holds a `T`. Generated: `player::number()`.
#[must_use = "a path does nothing by itself"]
pub struct Path<E, T> {
    path: expression::Path,
    of: PhantomData<fn() -> (E, T)>,
}

/// The size of an attribute: characters of a text, elements of a list or a set, entries of a map.
#[must_use = "a size does nothing by itself"]
pub struct Size<E> {
    path: expression::Path,
    of: PhantomData<fn() -> E>,
}

/// What must hold of a row of `E`.
#[must_use = "a condition does nothing until it is used"]
pub struct Condition<E> {
    tree: std::result::Result<expression::Condition, CodecError>,
    of: PhantomData<fn() -> E>,
}

/// What an attribute of type `T` can be compared with: a `T`, a text for a `String`, and the value
/// itself for an `Option`.
pub trait Comparand<T> {
    /// The value as an attribute.
    ///
    /// # Errors
    /// If it can't be encoded.
    fn value(&self) -> std::result::Result<AttributeValue, CodecError>;
}

impl<T: Serialize> Comparand<T> for T {
    fn value(&self) -> std::result::Result<AttributeValue, CodecError> {
        codec::to_value(self)
    }
}

impl<T: Serialize> Comparand<Option<T>> for T {
    fn value(&self) -> std::result::Result<AttributeValue, CodecError> {
        codec::to_value(self)
    }
}

impl Comparand<String> for &str {
    fn value(&self) -> std::result::Result<AttributeValue, CodecError> {
        Ok((*self).into())
    }
}

impl Comparand<Option<String>> for &str {
    fn value(&self) -> std::result::Result<AttributeValue, CodecError> {
        Ok((*self).into())
    }
}

impl<E: Entity, T> Path<E, T> {
    /// The path of an attribute, by its name in the table.
    pub fn new(attribute: &str) -> Self {
        Self { path: expression::Path::attribute(attribute), of: PhantomData }
    }

    /// Equal. An `Option` that is `None` equals an absent attribute.
    pub fn eq(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| match value {
            AttributeValue::Null => is_none(self.path),
            value => self.path.eq(value),
        })
    }

    /// Not equal.
    pub fn ne(self, value: impl Comparand<T>) -> Condition<E> {
        !self.eq(value)
    }

    /// Less.
    pub fn lt(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.path.lt(value))
    }

    /// Less or equal.
    pub fn le(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.path.le(value))
    }

    /// Greater.
    pub fn gt(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.path.gt(value))
    }

    /// Greater or equal.
    pub fn ge(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.path.ge(value))
    }

    /// From `low` to `high`, both included.
    pub fn between(self, low: impl Comparand<T>, high: impl Comparand<T>) -> Condition<E> {
        let ends = low.value().and_then(|low| Ok((low, high.value()?)));
        Condition::from_value(ends, |(low, high)| self.path.between(low, high))
    }

    /// One of 1 to 100 values.
    pub fn is_in<V: Comparand<T>>(self, values: impl IntoIterator<Item = V>) -> Condition<E> {
        let values = values.into_iter().map(|value| value.value());
        let values: std::result::Result<Vec<AttributeValue>, CodecError> = values.collect();
        Condition::from_value(values, |values| self.path.is_in(values))
    }

    /// The attribute is there.
    pub fn exists(self) -> Condition<E> {
        Condition::raw(self.path.exists())
    }

    /// The attribute is not there: an `Option` that is `None`.
    pub fn absent(self) -> Condition<E> {
        Condition::raw(self.path.not_exists())
    }

    /// A text that starts so.
    pub fn begins_with(self, prefix: &str) -> Condition<E> {
        Condition::raw(self.path.begins_with(prefix))
    }

    /// A text with this part in it, or a list or set with this element.
    pub fn contains(self, part: &(impl Serialize + ?Sized)) -> Condition<E> {
        Condition::from_value(codec::to_value(part), |part| self.path.contains(part))
    }

    /// How long a text is, or how many elements a list, set or map has.
    pub fn size(self) -> Size<E> {
        Size { path: self.path, of: PhantomData }
    }
}

/// There is no value: no attribute, or one that says so.
fn is_none(path: expression::Path) -> expression::Condition {
    path.clone().not_exists().or(path.eq(AttributeValue::Null))
}

impl<E: Entity> Size<E> {
    /// Equal.
    pub fn eq(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().eq(size))
    }

    /// Not equal.
    pub fn ne(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().ne(size))
    }

    /// Less.
    pub fn lt(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().lt(size))
    }

    /// Less or equal.
    pub fn le(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().le(size))
    }

    /// Greater.
    pub fn gt(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().gt(size))
    }

    /// Greater or equal.
    pub fn ge(self, size: u64) -> Condition<E> {
        Condition::raw(self.operand().ge(size))
    }

    /// From `low` to `high`, both included.
    pub fn between(self, low: u64, high: u64) -> Condition<E> {
        Condition::raw(self.operand().between(low, high))
    }

    fn operand(self) -> Operand {
        Operand::Size(self.path)
    }
}

impl<E: Entity> Condition<E> {
    /// A condition in DynamoDB's own terms, for what paths do not say.
    pub fn raw(tree: expression::Condition) -> Self {
        Self { tree: Ok(tree), of: PhantomData }
    }

    fn from_value<V>(
        value: std::result::Result<V, CodecError>,
        make: impl FnOnce(V) -> expression::Condition,
    ) -> Self {
        Self { tree: value.map(make), of: PhantomData }
    }

    /// Both hold.
    pub fn and(self, other: Self) -> Self {
        let tree = self.tree.and_then(|tree| Ok(tree.and(other.tree?)));
        Self { tree, of: PhantomData }
    }

    /// One of the two holds.
    pub fn or(self, other: Self) -> Self {
        let tree = self.tree.and_then(|tree| Ok(tree.or(other.tree?)));
        Self { tree, of: PhantomData }
    }

    /// The tree that backends take.
    ///
    /// # Errors
    /// If a value can't be encoded.
    pub fn into_tree(self) -> Result<expression::Condition> {
        self.tree.map_err(|error| Error::Encode { entity: E::META.name, error })
    }
}

/// `!condition` holds where the condition does not.
impl<E> ops::Not for Condition<E> {
    type Output = Self;

    fn not(self) -> Self {
        Self { tree: self.tree.map(|tree| !tree), of: PhantomData }
    }
}

impl<E> Clone for Condition<E> {
    fn clone(&self) -> Self {
        Self { tree: self.tree.clone(), of: PhantomData }
    }
}
