//! The interface to DynamoDB's JSON, which the layer above implements.

use monotable_engine::{Item, ReadItem};

/// Reads and writes items in the format `DYNAMODB_JSON`.
pub trait ItemCodec: Send + Sync {
    /// Appends an item as an object of typed values.
    fn write(&self, item: &ReadItem, out: &mut Vec<u8>);

    /// Reads a line `{"Item":{…}}`.
    ///
    /// # Errors
    /// Returns an error that describes the line.
    fn read(&self, line: &[u8]) -> Result<Item, LineError>;
}

/// An error in a line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// The format is wrong, so the rest of the same object can't be read either.
    Syntax(String),
    /// The format is right, but the value is not an item.
    Item(String),
}

impl LineError {
    /// Returns the description.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Syntax(text) | Self::Item(text) => text,
        }
    }
}
