//! What conditions and projections read from.
//!
//! The trait lets an engine hand over an item it has not decoded: only the attributes that an
//! expression names are ever asked for.

use std::borrow::Cow;

use monotable_types::{AttributeValue, Item};

/// Attributes by name. Implemented by [`Item`], which lends its values, and by whoever decodes an
/// attribute when it is asked for.
pub trait Attributes {
    /// The value of an attribute, or `None` when there is no such attribute.
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>>;

    /// Whether the attribute is there. Worth overriding where finding costs less than decoding.
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

/// No item at all, as a condition sees it when nothing is stored under the key.
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
