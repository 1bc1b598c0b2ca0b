//! The source of attributes for conditions and projections.
//!
//! The trait lets an engine pass an item that it has not decoded: expressions only read the
//! attributes that they name.

use std::borrow::Cow;

use monotable_types::{AttributeValue, Item};

/// Attributes by name. Implemented by [`Item`], which lends its values, and by types that decode
/// attributes on demand.
pub trait Attributes {
    /// Returns the value of an attribute, or `None` if it does not exist.
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>>;

    /// Returns whether the attribute exists. Override this where finding costs less than decoding.
    fn has_attribute(&self, name: &str) -> bool {
        self.attribute(name).is_some()
    }
}

impl Attributes for Item {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.get(name).map(Cow::Borrowed)
    }

    fn has_attribute(&self, name: &str) -> bool {
        self.contains_key(name)
    }
}

/// A missing item, which a condition sees when nothing is stored under the key.
impl<T: Attributes> Attributes for Option<T> {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.as_ref()?.attribute(name)
    }

    fn has_attribute(&self, name: &str) -> bool {
        self.as_ref().is_some_and(|item| item.has_attribute(name))
    }
}

impl<T: Attributes + ?Sized> Attributes for &T {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        (**self).attribute(name)
    }

    fn has_attribute(&self, name: &str) -> bool {
        (**self).has_attribute(name)
    }
}
