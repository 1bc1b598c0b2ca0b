//! Typed conditions: paths of an entity's attributes, and comparisons of them.
//!
//! Values are encoded by serde like the fields themselves. A value that cannot be encoded makes the
//! condition fail when it is used, so that building a condition needs no `?`.

use std::fmt;
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
///
/// A row that has the attribute under a previous name (`#[serde(alias = "…")]`) is tested under
/// that name.
#[must_use = "a path does nothing by itself"]
pub struct Path<E, T> {
    names: Names,
    of: PhantomData<fn() -> (E, T)>,
}

/// An attribute, with its previous names.
#[derive(Clone, Debug)]
struct Names {
    path: expression::Path,
    aliases: &'static [&'static str],
}

/// The size of an attribute: characters of a string, elements of a list or a set, entries of a map.
#[must_use = "a size does nothing by itself"]
pub struct Size<E> {
    names: Names,
    of: PhantomData<fn() -> E>,
}

/// A condition on a row of `E`.
#[must_use = "a condition does nothing until it is used"]
pub struct Condition<E> {
    tree: Result<expression::Condition>,
    of: PhantomData<fn() -> E>,
}

/// Values that an attribute of type `T` can be compared with: a `T`, a string slice for a `String`,
/// and the inner value for an `Option`.
pub trait Comparand<T> {
    /// Returns the value as an attribute.
    ///
    /// # Errors
    ///
    /// The value cannot be encoded.
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
    /// Makes the path of an attribute, by its name in the table.
    pub fn new(attribute: &str) -> Self {
        let path = expression::Path::attribute(attribute);
        Self { names: Names { path, aliases: aliases::<E>(attribute) }, of: PhantomData }
    }

    /// Holds if the attribute equals the value. An `Option` that is `None` equals an absent
    /// attribute.
    pub fn eq(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| match value {
            AttributeValue::Null => self.names.test(is_none),
            value => self.names.test(|path| path.eq(value.clone())),
        })
    }

    /// Holds if the attribute does not equal the value.
    pub fn ne(self, value: impl Comparand<T>) -> Condition<E> {
        !self.eq(value)
    }

    /// Holds if the attribute is less than the value.
    pub fn lt(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.names.test(|path| path.lt(value.clone())))
    }

    /// Holds if the attribute is less than or equal to the value.
    pub fn le(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.names.test(|path| path.le(value.clone())))
    }

    /// Holds if the attribute is greater than the value.
    pub fn gt(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.names.test(|path| path.gt(value.clone())))
    }

    /// Holds if the attribute is greater than or equal to the value.
    pub fn ge(self, value: impl Comparand<T>) -> Condition<E> {
        Condition::from_value(value.value(), |value| self.names.test(|path| path.ge(value.clone())))
    }

    /// Holds if the attribute is between `low` and `high`, both included.
    pub fn between(self, low: impl Comparand<T>, high: impl Comparand<T>) -> Condition<E> {
        let ends = low.value().and_then(|low| Ok((low, high.value()?)));
        Condition::from_value(ends, |(low, high)| {
            self.names.test(|path| path.between(low.clone(), high.clone()))
        })
    }

    /// Holds if the attribute equals one of 1 to 100 values.
    pub fn is_in<V: Comparand<T>>(self, values: impl IntoIterator<Item = V>) -> Condition<E> {
        let values = values.into_iter().map(|value| value.value());
        let values: std::result::Result<Vec<AttributeValue>, CodecError> = values.collect();
        Condition::from_value(values, |values| self.names.test(|path| path.is_in(values.clone())))
    }

    /// Holds if the attribute exists.
    pub fn exists(self) -> Condition<E> {
        Condition::raw(self.names.test(expression::Path::exists))
    }

    /// Holds if the attribute does not exist: its `Option` is `None`.
    pub fn absent(self) -> Condition<E> {
        Condition::raw(self.names.test(expression::Path::not_exists))
    }

    /// Holds if the attribute is a string that begins with the prefix.
    pub fn begins_with(self, prefix: &str) -> Condition<E> {
        Condition::raw(self.names.test(|path| path.begins_with(prefix)))
    }

    /// Holds if the attribute is a string that contains this part, or a list or set that contains
    /// this element.
    pub fn contains(self, part: &(impl Serialize + ?Sized)) -> Condition<E> {
        Condition::from_value(codec::to_value(part), |part| {
            self.names.test(|path| path.contains(part.clone()))
        })
    }

    /// Returns the size of a string, list, set or map, for comparisons.
    pub fn size(self) -> Size<E> {
        Size { names: self.names, of: PhantomData }
    }
}

impl Names {
    /// Tests the attribute: under its current name, or under the first previous name that a row
    /// without it has.
    fn test(
        self,
        test: impl Fn(expression::Path) -> expression::Condition,
    ) -> expression::Condition {
        let Some((last, before)) = self.aliases.split_last() else { return test(self.path) };
        let older = before.iter().rev().map(|alias| expression::Path::attribute(*alias));
        let names = older.chain([self.path]);
        names.fold(test(expression::Path::attribute(*last)), |older, name| {
            let own = name.clone().exists().and(test(name.clone()));
            own.or(name.not_exists().and(older))
        })
    }
}

/// Returns the previous names of an attribute.
fn aliases<E: Entity>(attribute: &str) -> &'static [&'static str] {
    let mut positions = (0..).zip(E::META.fields).map(|(position, _)| position);
    let position =
        positions.find(|position| codec::attribute_of(E::META, *position) == Some(attribute));
    position.map_or(&[], |position| codec::aliases_of(E::META, position))
}

impl<E, T> fmt::Debug for Path<E, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Path").field(&self.names).finish()
    }
}

impl<E> fmt::Debug for Size<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Size").field(&self.names).finish()
    }
}

impl<E> fmt::Debug for Condition<E> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tree {
            Ok(tree) => formatter.debug_tuple("Condition").field(tree).finish(),
            Err(error) => formatter.debug_tuple("Condition").field(error).finish(),
        }
    }
}

/// Tests that the attribute does not exist or is NULL.
fn is_none(path: expression::Path) -> expression::Condition {
    path.clone().not_exists().or(path.eq(AttributeValue::Null))
}

impl<E: Entity> Size<E> {
    /// Holds if the size equals the value.
    pub fn eq(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.eq(size))
    }

    /// Holds if the size does not equal the value.
    pub fn ne(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.ne(size))
    }

    /// Holds if the size is less than the value.
    pub fn lt(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.lt(size))
    }

    /// Holds if the size is less than or equal to the value.
    pub fn le(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.le(size))
    }

    /// Holds if the size is greater than the value.
    pub fn gt(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.gt(size))
    }

    /// Holds if the size is greater than or equal to the value.
    pub fn ge(self, size: u64) -> Condition<E> {
        self.test(|operand| operand.ge(size))
    }

    /// Holds if the size is between `low` and `high`, both included.
    pub fn between(self, low: u64, high: u64) -> Condition<E> {
        self.test(|operand| operand.between(low, high))
    }

    fn test(self, test: impl Fn(Operand) -> expression::Condition) -> Condition<E> {
        Condition::raw(self.names.test(|path| test(Operand::Size(path))))
    }
}

impl<E: Entity> Condition<E> {
    /// Makes a condition from an expression tree, for tests that typed paths do not offer.
    pub fn raw(tree: expression::Condition) -> Self {
        Self { tree: Ok(tree), of: PhantomData }
    }

    fn from_value<V>(
        value: std::result::Result<V, CodecError>,
        make: impl FnOnce(V) -> expression::Condition,
    ) -> Self {
        let tree = value.map(make).map_err(|error| Error::Encode { entity: E::META.name, error });
        Self::of(tree)
    }

    /// Makes a condition that may be an error, because a value in it cannot be encoded.
    pub(crate) fn of(tree: Result<expression::Condition>) -> Self {
        Self { tree, of: PhantomData }
    }

    /// Holds if both conditions hold.
    pub fn and(self, other: Self) -> Self {
        let tree = self.tree.and_then(|tree| Ok(tree.and(other.tree?)));
        Self { tree, of: PhantomData }
    }

    /// Holds if at least one of the conditions holds.
    pub fn or(self, other: Self) -> Self {
        let tree = self.tree.and_then(|tree| Ok(tree.or(other.tree?)));
        Self { tree, of: PhantomData }
    }

    /// Returns the expression tree for backends.
    ///
    /// # Errors
    ///
    /// A value cannot be encoded.
    pub fn into_tree(self) -> Result<expression::Condition> {
        self.tree
    }
}

/// `!condition` holds if the condition does not.
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
