//! The change of one field in a partial update.

use serde::{Deserialize, Deserializer};

/// The change of a field in a partial update: none, removal, or a new value.
///
/// ```
/// use monotable_kit::Patch;
///
/// #[derive(serde::Deserialize)]
/// struct Rename {
///     #[serde(default)]
///     description: Patch<String>,
/// }
///
/// let read = |text| serde_json::from_str::<Rename>(text).map(|rename| rename.description);
/// assert_eq!(read("{}")?, Patch::Keep);
/// assert_eq!(read(r#"{"description": null}"#)?, Patch::Remove);
/// assert_eq!(read(r#"{"description": "Fridays"}"#)?, Patch::Set("Fridays".to_owned()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Patch<T> {
    /// The field is absent.
    #[default]
    Keep,
    /// The field is null.
    Remove,
    /// The field has a value.
    Set(T),
}

impl<T> Patch<T> {
    /// Changes an optional field.
    pub fn apply(self, field: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Remove => *field = None,
            Self::Set(value) => *field = Some(value),
        }
    }

    /// Returns the new value, if there is one.
    pub fn value(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Remove => None,
        }
    }

    /// Converts the new value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Remove => Patch::Remove,
            Self::Set(value) => Patch::Set(change(value)),
        }
    }
}

/// A field of a body that changes a field of a row: an `Option` with a value, a `Patch`, or a
/// value. `#[body(applies_to = Row)]` calls it for every field.
pub trait ApplyTo<Target> {
    /// Changes the field.
    fn apply_to(&self, target: &mut Target);
}

impl<T: Clone> ApplyTo<T> for T {
    fn apply_to(&self, target: &mut T) {
        target.clone_from(self);
    }
}

impl<T: Clone> ApplyTo<T> for Option<T> {
    fn apply_to(&self, target: &mut T) {
        if let Some(value) = self {
            target.clone_from(value);
        }
    }
}

impl<T: Clone> ApplyTo<Option<T>> for Patch<T> {
    fn apply_to(&self, target: &mut Option<T>) {
        self.clone().apply(target);
    }
}

/// Null sets the field to its default, such as an empty list.
impl<T: Clone + Default> ApplyTo<T> for Patch<T> {
    fn apply_to(&self, target: &mut T) {
        match self {
            Self::Keep => {}
            Self::Remove => *target = T::default(),
            Self::Set(value) => target.clone_from(value),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Option::deserialize(deserializer)? {
            None => Self::Remove,
            Some(value) => Self::Set(value),
        })
    }
}
