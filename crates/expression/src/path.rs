//! Document paths, such as `a.b[3].c`, as Rust values, and the lookup of the value at a path.
//!
//! A path is already resolved: its names are attribute names, never `#placeholders`. This module
//! does not use the grammars or conditions.

use std::borrow::Cow;
use std::fmt;

use monotable_types::{AttributeValue, Item};

use crate::Attributes;

/// The path from an item to one of its attributes, or to a part of one.
///
/// ```
/// use monotable_expression::Path;
/// use monotable_types::{item, list, map};
///
/// let path = Path::attribute("roster").index(1).key("name");
/// assert_eq!(path.to_string(), "roster[1].name");
///
/// let item = item! { "roster" => list![map! { "name" => "Ada" }, map! { "name" => "Bea" }] };
/// assert_eq!(path.resolve(&item).unwrap().as_s(), Some("Bea"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path {
    /// The name of the attribute.
    pub root: String,
    /// The steps into its value, outermost first.
    pub steps: Vec<Step>,
}

/// One step of a [`Path`] into a map or a list.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// `.name`: the entry of a map.
    Key(String),
    /// `[3]`: the element of a list, counted from 0.
    Index(usize),
}

impl Path {
    /// Returns the path of a whole attribute. The name is used unchanged: a dot in it is part of the name.
    pub fn attribute(name: impl Into<String>) -> Self {
        Self { root: name.into(), steps: Vec::new() }
    }

    /// Returns the path of an entry of the map at this path.
    #[must_use]
    pub fn key(mut self, name: impl Into<String>) -> Self {
        self.steps.push(Step::Key(name.into()));
        self
    }

    /// Returns the path of an element of the list at this path.
    #[must_use]
    pub fn index(mut self, index: usize) -> Self {
        self.steps.push(Step::Index(index));
        self
    }

    /// Returns whether the path names a whole attribute.
    pub fn is_attribute(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the value at this path, or `None` if the item lacks it.
    ///
    /// Nothing is copied when `item` lends its attributes.
    pub fn resolve<'a>(&self, item: &'a impl Attributes) -> Option<Cow<'a, AttributeValue>> {
        match item.attribute(&self.root)? {
            Cow::Borrowed(value) => descend(value, &self.steps).map(Cow::Borrowed),
            Cow::Owned(value) if self.steps.is_empty() => Some(Cow::Owned(value)),
            Cow::Owned(value) => descend_owned(value, &self.steps).map(Cow::Owned),
        }
    }

    /// Returns the value at this path in an item in memory.
    pub(crate) fn find<'a>(&self, item: &'a Item) -> Option<&'a AttributeValue> {
        descend(item.get(&self.root)?, &self.steps)
    }

    /// Returns the path as AWS's messages write it: `[a, b, [3]]`.
    pub(crate) fn elements(&self) -> String {
        let mut text = format!("[{}", self.root);
        for step in &self.steps {
            match step {
                Step::Key(name) => text.push_str(&format!(", {name}")),
                Step::Index(index) => text.push_str(&format!(", [{index}]")),
            }
        }
        text.push(']');
        text
    }
}

/// Follows `steps` from `value`.
pub(crate) fn descend<'a>(value: &'a AttributeValue, steps: &[Step]) -> Option<&'a AttributeValue> {
    steps.iter().try_fold(value, |value, step| match step {
        Step::Key(name) => value.as_m()?.get(name),
        Step::Index(index) => value.as_l()?.get(*index),
    })
}

/// Follows `steps` from an owned value, so the part is moved out instead of copied.
fn descend_owned(value: AttributeValue, steps: &[Step]) -> Option<AttributeValue> {
    steps.iter().try_fold(value, |value, step| match (value, step) {
        (AttributeValue::M(mut entries), Step::Key(name)) => entries.remove(name),
        (AttributeValue::L(mut elements), Step::Index(index)) => {
            (*index < elements.len()).then(|| elements.swap_remove(*index))
        }
        _ => None,
    })
}

/// The path as one would write it in an expression. Names that need a placeholder there are not
/// marked; print with [`Printer`](crate::Printer) to get text that parses.
impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.root)?;
        for step in &self.steps {
            match step {
                Step::Key(name) => write!(formatter, ".{name}")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
            }
        }
        Ok(())
    }
}

impl From<&str> for Path {
    fn from(name: &str) -> Self {
        Self::attribute(name)
    }
}

impl From<String> for Path {
    fn from(name: String) -> Self {
        Self::attribute(name)
    }
}

impl From<&Path> for Path {
    fn from(path: &Path) -> Self {
        path.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_types::{item, list, map};

    struct Decoded(Item);

    impl Attributes for Decoded {
        fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
            self.0.get(name).cloned().map(Cow::Owned)
        }
    }

    #[test]
    fn a_path_finds_the_same_value_in_lent_and_in_decoded_attributes() {
        let item = item! { "a" => map! { "b" => list![1, map! { "c" => "x" }] } };
        let decoded = Decoded(item.clone());
        let a = Path::attribute("a");
        for path in [
            a.clone(),
            a.clone().key("b"),
            a.clone().key("b").index(0),
            a.clone().key("b").index(1).key("c"),
            a.clone().key("b").index(2),
            a.clone().index(0),
            a.clone().key("b").key("c"),
            Path::attribute("none").key("b"),
        ] {
            assert_eq!(path.resolve(&item), path.resolve(&decoded), "{path}");
        }
    }

    #[test]
    fn a_dot_in_an_attribute_name_is_not_a_step() {
        let item = item! { "a.b" => 1, "a" => map! { "b" => 2 } };
        assert_eq!(Path::attribute("a.b").find(&item), Some(&1.into()));
        assert_eq!(Path::attribute("a").key("b").find(&item), Some(&2.into()));
    }

    #[test]
    fn messages_write_a_path_as_a_list_of_elements() {
        let path = Path::attribute("a").index(3).key("b");
        assert_eq!(path.elements(), "[a, [3], b]");
    }
}
