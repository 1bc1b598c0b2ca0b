//! The lines of data files: an item, or a change of an item.

use monotable_engine::{Item, ReadItem, item};

use super::ExportFormat;
use crate::codec::ItemCodec;
use crate::ion;

/// Writes lines in the format of an export.
pub(super) struct Lines<'a> {
    format: ExportFormat,
    codec: &'a dyn ItemCodec,
    line: Vec<u8>,
}

/// A change of an item.
pub(super) struct ChangeRecord {
    pub(super) time_ms: u64,
    pub(super) keys: Item,
    pub(super) old: Option<ReadItem>,
    pub(super) new: Option<ReadItem>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(format: ExportFormat, codec: &'a dyn ItemCodec) -> Self {
        Self { format, codec, line: Vec::new() }
    }

    /// Writes the line of a full export.
    pub(super) fn item(&mut self, item: &ReadItem) -> &[u8] {
        self.begin("");
        self.member("Item", item);
        self.end("")
    }

    /// Writes the line of an incremental export.
    pub(super) fn change(&mut self, change: ChangeRecord) -> &[u8] {
        let micros = item! { "WriteTimestampMicros" => change.time_ms * 1_000 };
        self.begin("{Record:");
        self.member("Keys", &ReadItem::from(change.keys));
        self.member("Metadata", &ReadItem::from(micros));
        if let Some(old) = &change.old {
            self.member("OldImage", old);
        }
        if let Some(new) = &change.new {
            self.member("NewImage", new);
        }
        self.end("}")
    }

    /// Begins a line. In Ion the record of a change is in a separate struct.
    fn begin(&mut self, ion_wrapper: &str) {
        self.line.clear();
        if self.format == ExportFormat::Ion {
            self.line.extend_from_slice(b"$ion_1_0 ");
            self.line.extend_from_slice(ion_wrapper.as_bytes());
        }
        self.line.push(b'{');
    }

    fn member(&mut self, name: &str, item: &ReadItem) {
        if self.line.last() != Some(&b'{') {
            self.line.push(b',');
        }
        match self.format {
            ExportFormat::DynamoDbJson => {
                self.line.extend_from_slice(format!("\"{name}\":").as_bytes());
                self.codec.write(item, &mut self.line);
            }
            ExportFormat::Ion => {
                self.line.extend_from_slice(format!("{name}:").as_bytes());
                ion::write_item(item, &mut self.line);
            }
        }
    }

    fn end(&mut self, ion_wrapper: &str) -> &[u8] {
        self.line.push(b'}');
        if self.format == ExportFormat::Ion {
            self.line.extend_from_slice(ion_wrapper.as_bytes());
        }
        self.line.push(b'\n');
        &self.line
    }
}
