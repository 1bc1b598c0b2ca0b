//! Items in the files of exports and imports: DynamoDB's JSON, one item per line.

use monotable_engine::{Item, ReadItem};
use monotable_lifecycle::{ItemCodec, LineError};

use crate::error::{Failure, Result};
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::value::{Attributes, write_read_item};

/// Reads and writes items in the form of requests and responses.
#[derive(Clone, Copy, Debug, Default)]
pub struct ItemLines;

impl ItemCodec for ItemLines {
    fn write(&self, item: &ReadItem, out: &mut Vec<u8>) {
        write_read_item(&mut Writer::new(out), item);
    }

    fn read(&self, line: &[u8]) -> Result<Item, LineError> {
        match read(line) {
            Ok(Some(item)) => Ok(item),
            Ok(None) => Err(LineError::Syntax("The line has no member Item".to_owned())),
            Err(failure @ Failure::Serialization(_)) => Err(LineError::Syntax(
                failure.message().unwrap_or_else(|| "The line is not JSON".to_owned()),
            )),
            Err(failure) => Err(LineError::Item(failure.message().unwrap_or_default())),
        }
    }
}

fn read(line: &[u8]) -> Result<Option<Item>> {
    let mut item = None;
    let mut reader = Reader::new(line)?;
    reader.structure("Line", Holder::Member, |reader, name| {
        match name {
            "Item" => item = Attributes::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    })?;
    reader.end()?;
    item.map(|item| item.checked(Layer::Older)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_the_round_trip() {
        let line = br#"{"Item":{"id":{"S":"a\"b"},"n":{"N":"-1.50"},"s":{"NS":["1","2"]},"m":{"M":{"b":{"B":"AA=="}}}}}"#;
        let item = ItemLines.read(line).unwrap();
        let mut out = Vec::new();
        ItemLines.write(&ReadItem::from(item.clone()), &mut out);
        let again = [&b"{\"Item\":"[..], &out, b"}"].concat();
        assert_eq!(ItemLines.read(&again), Ok(item));
    }

    #[test]
    fn invalid_lines_are_reported() {
        for line in
            ["", "x", "{}", r#"{"Item":[]}"#, r#"{"Item":{}} 1"#, r#"{"Item":{"a":{"S":1}}}"#]
        {
            let result = ItemLines.read(line.as_bytes());
            assert!(matches!(result, Err(LineError::Syntax(_))), "{line}: {result:?}");
        }
        for line in [r#"{"Item":{"a":{}}}"#, r#"{"Item":{"a":{"N":"x"}}}"#] {
            let result = ItemLines.read(line.as_bytes());
            assert!(matches!(result, Err(LineError::Item(_))), "{line}: {result:?}");
        }
    }
}
