//! Visitors of items, attribute by attribute, so that one writer supports stored and decoded items.
//!
//! This module does not know what a visitor produces, such as JSON.

use monotable_types::{AttributeValue, Item, Number};

/// Receives the attributes of an item in the order of their names, without anything being decoded
/// into a map. The item itself is not announced, only its contents.
///
/// Each value of an item or of a [`Container::Map`] follows its [`attribute`](Self::attribute);
/// elements of lists and sets come without a name, those of sets as strings, numbers or binaries.
///
/// ```
/// use monotable_engine::{Container, ItemVisitor, Number, item, list, visit_item};
///
/// #[derive(Default)]
/// struct Strings(Vec<String>);
///
/// impl ItemVisitor for Strings {
///     fn attribute(&mut self, _: &str) {}
///     fn string(&mut self, text: &str) {
///         self.0.push(text.to_owned());
///     }
///     fn number(&mut self, _: &Number) {}
///     fn binary(&mut self, _: &[u8]) {}
///     fn boolean(&mut self, _: bool) {}
///     fn null(&mut self) {}
///     fn begin(&mut self, _: Container) {}
///     fn end(&mut self, _: Container) {}
/// }
///
/// let mut strings = Strings::default();
/// visit_item(&item! { "PK" => "TEAM#1", "players" => list!["Ada", 7, "Grace"] }, &mut strings);
/// assert_eq!(strings.0, ["TEAM#1", "Ada", "Grace"]);
/// ```
pub trait ItemVisitor {
    /// Receives the name of the next value in an item or a map.
    fn attribute(&mut self, name: &str);
    /// Receives a string.
    fn string(&mut self, text: &str);
    /// Receives a number.
    fn number(&mut self, number: &Number);
    /// Receives a binary.
    fn binary(&mut self, bytes: &[u8]);
    /// Receives a Boolean.
    fn boolean(&mut self, value: bool);
    /// Receives a null.
    fn null(&mut self);
    /// Receives the start of a value with contents.
    fn begin(&mut self, container: Container);
    /// Receives its end.
    fn end(&mut self, container: Container);
}

/// The types of values that have contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// A map: names and values.
    Map,
    /// A list of values.
    List,
    /// A set of strings.
    StringSet,
    /// A set of numbers.
    NumberSet,
    /// A set of binaries.
    BinarySet,
}

/// Visits the attributes of a decoded item, exactly as [`ReadItem::visit`](crate::ReadItem::visit)
/// visits those of a stored one.
pub fn visit_item(item: &Item, visitor: &mut impl ItemVisitor) {
    for (name, value) in item {
        visitor.attribute(name);
        visit_value(value, visitor);
    }
}

/// Visits one decoded value.
pub fn visit_value(value: &AttributeValue, visitor: &mut impl ItemVisitor) {
    match value {
        AttributeValue::S(text) => visitor.string(text),
        AttributeValue::N(number) => visitor.number(number),
        AttributeValue::B(bytes) => visitor.binary(bytes),
        AttributeValue::Bool(value) => visitor.boolean(*value),
        AttributeValue::Null => visitor.null(),
        AttributeValue::M(map) => within(Container::Map, visitor, |visitor| {
            visit_item(map, visitor);
        }),
        AttributeValue::L(list) => within(Container::List, visitor, |visitor| {
            list.iter().for_each(|value| visit_value(value, visitor));
        }),
        AttributeValue::Ss(set) => within(Container::StringSet, visitor, |visitor| {
            set.iter().for_each(|text| visitor.string(text));
        }),
        AttributeValue::Ns(set) => within(Container::NumberSet, visitor, |visitor| {
            set.iter().for_each(|number| visitor.number(number));
        }),
        AttributeValue::Bs(set) => within(Container::BinarySet, visitor, |visitor| {
            set.iter().for_each(|bytes| visitor.binary(bytes));
        }),
    }
}

fn within<V: ItemVisitor>(container: Container, visitor: &mut V, contents: impl FnOnce(&mut V)) {
    visitor.begin(container);
    contents(visitor);
    visitor.end(container);
}
