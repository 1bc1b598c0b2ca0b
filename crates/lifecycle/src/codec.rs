//! The seam to DynamoDB's JSON, which the layer above knows.

use monotable_engine::{Item, ReadItem};

/// Reads and writes items in the format `DYNAMODB_JSON`.
pub trait ItemCodec: Send + Sync {
    /// Appends an item as an object of typed values.
    fn write(&self, item: &ReadItem, out: &mut Vec<u8>);

    /// Reads a line `{"Item":{…}}`.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn read(&self, line: &[u8]) -> Result<Item, LineError>;
}

/// What is wrong with a line of input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LineError {
    /// It is not of the format, so what follows in the same object can't be read either.
    Syntax(String),
    /// It is of the format, but not an item.
    Item(String),
}

impl LineError {
    /// What is wrong.
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Syntax(text) | Self::Item(text) => text,
        }
    }
}
