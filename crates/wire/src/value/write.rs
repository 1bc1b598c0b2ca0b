//! Writes attribute values as JSON, from the stored form or from values in memory.

use monotable_engine::{Container, ItemVisitor, ReadItem, visit_item};
use monotable_types::{Item, Number};

use crate::json::Writer;

/// Writes `{"name": value, …}` from values in memory.
pub(crate) fn write_item(json: &mut Writer<'_>, item: &Item) {
    json.begin_object();
    visit_item(item, &mut Values { json, in_set: false });
    json.end_object();
}

/// Writes `{"name": value, …}` straight from the stored form.
pub(crate) fn write_read_item(json: &mut Writer<'_>, item: &ReadItem) {
    json.begin_object();
    item.visit(&mut Values { json, in_set: false });
    json.end_object();
}

/// Writes the visited values as JSON.
struct Values<'a, 'b> {
    json: &'a mut Writer<'b>,
    /// Whether the value is an element of a set, which has no data type of its own.
    in_set: bool,
}

impl Values<'_, '_> {
    fn scalar(&mut self, datatype: &str, write: impl FnOnce(&mut Writer<'_>)) {
        if self.in_set {
            return write(self.json);
        }
        self.json.begin_object();
        self.json.name(datatype);
        write(self.json);
        self.json.end_object();
    }
}

impl ItemVisitor for Values<'_, '_> {
    fn attribute(&mut self, name: &str) {
        self.json.name(name);
    }

    fn string(&mut self, text: &str) {
        self.scalar("S", |json| json.string(text));
    }

    fn number(&mut self, number: &Number) {
        self.scalar("N", |json| json.plain(format_args!("{number}")));
    }

    fn binary(&mut self, bytes: &[u8]) {
        self.scalar("B", |json| json.base64(bytes));
    }

    fn boolean(&mut self, value: bool) {
        self.scalar("BOOL", |json| json.boolean(value));
    }

    fn null(&mut self) {
        self.scalar("NULL", |json| json.boolean(true));
    }

    fn begin(&mut self, container: Container) {
        self.json.begin_object();
        self.json.name(match container {
            Container::Map => "M",
            Container::List => "L",
            Container::StringSet => "SS",
            Container::NumberSet => "NS",
            Container::BinarySet => "BS",
        });
        match container {
            Container::Map => self.json.begin_object(),
            Container::List => self.json.begin_array(),
            Container::StringSet | Container::NumberSet | Container::BinarySet => {
                self.in_set = true;
                self.json.begin_array();
            }
        }
    }

    fn end(&mut self, container: Container) {
        self.in_set = false;
        match container {
            Container::Map => self.json.end_object(),
            _ => self.json.end_array(),
        }
        self.json.end_object();
    }
}
