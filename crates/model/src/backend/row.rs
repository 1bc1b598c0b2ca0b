//! A row as a backend returns it.

use std::borrow::Cow;

use monotable_types::{AttributeValue, Item};

use super::BackendError;
use crate::codec::{Attributes, CodecError};

/// A row that is decoded only as far as its attributes are read.
#[derive(Clone, Debug)]
pub struct Row(Form);

#[derive(Clone, Debug)]
enum Form {
    #[cfg(feature = "embedded")]
    Stored {
        row: monotable_engine::ReadItem,
        /// The attributes that were set aside.
        without: [Option<&'static str>; 2],
    },
    #[cfg(feature = "dynamodb")]
    Remote(super::dynamo::ResponseRow),
    Item(Item),
}

/// Attributes that were set aside, or the whole row if that is cheaper than taking them out.
pub(crate) enum Aside {
    #[cfg(feature = "embedded")]
    Whole(monotable_engine::ReadItem, [Option<&'static str>; 2]),
    Values([Option<AttributeValue>; 2]),
}

impl Row {
    /// Returns one attribute, if the row has it.
    pub fn get(&self, name: &str) -> Option<AttributeValue> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, .. } => row.get(name),
            #[cfg(feature = "dynamodb")]
            Form::Remote(row) => row.get(name),
            Form::Item(item) => item.get(name).cloned(),
        }
    }

    /// Returns the text of a string attribute.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, .. } => match row.get(name)? {
                AttributeValue::S(text) => Some(Cow::Owned(text)),
                _ => None,
            },
            #[cfg(feature = "dynamodb")]
            Form::Remote(row) => row.text(name).map(Cow::Borrowed),
            Form::Item(item) => item.get(name)?.as_s().map(Cow::Borrowed),
        }
    }

    /// Returns all attributes.
    ///
    /// # Errors
    ///
    /// [`BackendError::Failed`] for a value that DynamoDB does not have.
    pub fn into_item(self) -> Result<Item, BackendError> {
        Ok(match self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, without } => {
                let mut item = Item::from(row);
                for name in without.into_iter().flatten() {
                    item.remove(name);
                }
                item
            }
            #[cfg(feature = "dynamodb")]
            Form::Remote(row) => row.into_item()?,
            Form::Item(item) => item,
        })
    }

    /// Takes attributes out of the row.
    pub(crate) fn set_aside(&mut self, names: [Option<&'static str>; 2]) -> Aside {
        match &mut self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, without } => {
                *without = names;
                Aside::Whole(row.clone(), names)
            }
            #[cfg(feature = "dynamodb")]
            Form::Remote(row) => Aside::Values(names.map(|name| row.remove(name?))),
            Form::Item(item) => Aside::Values(names.map(|name| item.remove(name?))),
        }
    }
}

impl Aside {
    /// Returns the attributes that were set aside, in the order of their names.
    pub(crate) fn values(self) -> [Option<AttributeValue>; 2] {
        match self {
            #[cfg(feature = "embedded")]
            Self::Whole(row, names) => names.map(|name| row.get(name?)),
            Self::Values(values) => values,
        }
    }
}

impl Attributes for Row {
    fn take(
        &mut self,
        names: &[&str],
        found: &mut dyn FnMut(usize, AttributeValue),
    ) -> Result<(), CodecError> {
        match &mut self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, .. } => {
                super::embedded::take(row, names, found);
                Ok(())
            }
            #[cfg(feature = "dynamodb")]
            Form::Remote(row) => {
                row.take(names, found).map_err(|error| CodecError::unfit(error.to_string()))
            }
            Form::Item(item) => item.take(names, found),
        }
    }

    fn take_all(&mut self) -> Result<Item, CodecError> {
        let row = std::mem::replace(self, Self(Form::Item(Item::new())));
        row.into_item().map_err(|error| CodecError::unfit(error.to_string()))
    }
}

impl From<Item> for Row {
    fn from(item: Item) -> Self {
        Self(Form::Item(item))
    }
}

#[cfg(feature = "embedded")]
impl From<monotable_engine::ReadItem> for Row {
    fn from(row: monotable_engine::ReadItem) -> Self {
        Self(Form::Stored { row, without: [None; 2] })
    }
}

#[cfg(feature = "dynamodb")]
impl From<super::dynamo::ResponseRow> for Row {
    fn from(row: super::dynamo::ResponseRow) -> Self {
        Self(Form::Remote(row))
    }
}
