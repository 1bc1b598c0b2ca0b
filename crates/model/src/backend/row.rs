//! A row as a backend returns it.

use std::borrow::Cow;

use monotable_types::{AttributeValue, Item};

use super::BackendError;
use crate::codec::{Attributes, CodecError};

/// A row, decoded only as far as somebody looks into it.
#[derive(Clone, Debug)]
pub struct Row(Form);

#[derive(Clone, Debug)]
enum Form {
    #[cfg(feature = "embedded")]
    Stored {
        row: monotable_engine::ReadItem,
        /// Attributes that were set aside.
        without: [Option<&'static str>; 2],
    },
    #[cfg(feature = "dynamodb")]
    Answered(super::dynamo::AnsweredRow),
    Item(Item),
}

/// Attributes that were set aside, or the whole row where that costs less than taking them out.
pub(crate) enum Aside {
    #[cfg(feature = "embedded")]
    Whole(monotable_engine::ReadItem, [Option<&'static str>; 2]),
    Values([Option<AttributeValue>; 2]),
}

impl Row {
    /// One attribute, if the row has it.
    pub fn get(&self, name: &str) -> Option<AttributeValue> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, .. } => row.get(name),
            #[cfg(feature = "dynamodb")]
            Form::Answered(row) => row.get(name),
            Form::Item(item) => item.get(name).cloned(),
        }
    }

    /// The text of an attribute that is a string.
    pub(crate) fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored { row, .. } => match row.get(name)? {
                AttributeValue::S(text) => Some(Cow::Owned(text)),
                _ => None,
            },
            #[cfg(feature = "dynamodb")]
            Form::Answered(row) => row.text(name).map(Cow::Borrowed),
            Form::Item(item) => item.get(name)?.as_s().map(Cow::Borrowed),
        }
    }

    /// All attributes.
    ///
    /// # Errors
    /// [`BackendError::Failed`] for a value that no store with DynamoDB's semantics has.
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
            Form::Answered(row) => row.into_item()?,
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
            Form::Answered(row) => Aside::Values(names.map(|name| row.remove(name?))),
            Form::Item(item) => Aside::Values(names.map(|name| item.remove(name?))),
        }
    }
}

impl Aside {
    /// What was set aside, each where its name stood.
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
            Form::Answered(row) => {
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
impl From<super::dynamo::AnsweredRow> for Row {
    fn from(row: super::dynamo::AnsweredRow) -> Self {
        Self(Form::Answered(row))
    }
}
