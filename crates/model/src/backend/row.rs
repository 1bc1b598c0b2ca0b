//! A row as a backend returns it.

use monotable_types::{AttributeValue, Item};

/// A row, decoded only as far as somebody looks into it.
#[derive(Clone, Debug)]
pub struct Row(Form);

#[derive(Clone, Debug)]
enum Form {
    #[cfg(feature = "embedded")]
    Stored(monotable_engine::ReadItem),
    Item(Item),
}

impl Row {
    /// One attribute, if the row has it.
    pub fn get(&self, name: &str) -> Option<AttributeValue> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored(row) => row.get(name),
            Form::Item(item) => item.get(name).cloned(),
        }
    }

    /// All attributes.
    pub fn into_item(self) -> Item {
        match self.0 {
            #[cfg(feature = "embedded")]
            Form::Stored(row) => row.into(),
            Form::Item(item) => item,
        }
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
        Self(Form::Stored(row))
    }
}
