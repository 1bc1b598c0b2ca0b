//! Writes members of a response, name and value together: the counterpart of
//! [`field`](crate::field).

use crate::json::Writer;

const MILLISECONDS: f64 = 1000.0;

impl Writer<'_> {
    pub(crate) fn text_member(&mut self, name: &str, text: &str) {
        self.name(name);
        self.string(text);
    }

    /// Writes a text, if it is there.
    pub(crate) fn optional_text_member(&mut self, name: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text_member(name, text);
        }
    }

    pub(crate) fn integer_member(&mut self, name: &str, number: impl itoa::Integer) {
        self.name(name);
        self.integer(number);
    }

    pub(crate) fn boolean_member(&mut self, name: &str, value: bool) {
        self.name(name);
        self.boolean(value);
    }

    /// Writes a number, if it is there.
    pub(crate) fn optional_integer_member(&mut self, name: &str, number: Option<u64>) {
        if let Some(number) = number {
            self.integer_member(name, number);
        }
    }

    /// Writes a JSON document as it was sent.
    pub(crate) fn raw_member(&mut self, name: &str, document: Option<&str>) {
        if let Some(document) = document {
            self.name(name);
            self.raw(document);
        }
    }

    /// Writes a time, if it is there.
    pub(crate) fn optional_moment_member(&mut self, name: &str, moment_ms: Option<u64>) {
        if let Some(moment_ms) = moment_ms {
            self.moment_member(name, moment_ms);
        }
    }

    /// Writes a time as AWS does: in seconds with a fraction.
    pub(crate) fn moment_member(&mut self, name: &str, moment_ms: u64) {
        self.name(name);
        self.decimal(moment_ms as f64 / MILLISECONDS);
    }

    pub(crate) fn object_member(&mut self, name: &str, members: impl FnOnce(&mut Self)) {
        self.name(name);
        self.begin_object();
        members(self);
        self.end_object();
    }

    /// Writes an array with one value for each element.
    pub(crate) fn array_member<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.name(name);
        self.begin_array();
        elements.into_iter().for_each(|element| write(self, element));
        self.end_array();
    }

    /// Writes an array with one object for each element.
    pub(crate) fn objects_member<T>(
        &mut self,
        name: &str,
        elements: impl IntoIterator<Item = T>,
        mut members: impl FnMut(&mut Self, T),
    ) {
        self.array_member(name, elements, |json, element| {
            json.begin_object();
            members(json, element);
            json.end_object();
        });
    }

    /// Writes an empty array, for resources that this server does not support.
    pub(crate) fn empty_array_member(&mut self, name: &str) {
        self.name(name);
        self.begin_array();
        self.end_array();
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn members_are_written_in_order() {
        let mut out = Vec::new();
        let mut json = Writer::new(&mut out);
        json.begin_object();
        json.text_member("Text", "a\"b");
        json.optional_text_member("Absent", None);
        json.integer_member("Integer", 7);
        json.boolean_member("Boolean", true);
        json.moment_member("Whole", 1_791_500_851_000);
        json.moment_member("Fraction", 1_791_500_851_275);
        json.object_member("Object", |json| json.integer_member("Inner", 1));
        json.objects_member("Objects", [1, 2], |json, number| json.integer_member("N", number));
        json.empty_array_member("Empty");
        json.end_object();
        let expected = expect![[
            r#"{"Text":"a\"b","Integer":7,"Boolean":true,"Whole":1791500851.0,"Fraction":1791500851.275,"Object":{"Inner":1},"Objects":[{"N":1},{"N":2}],"Empty":[]}"#
        ]];
        expected.assert_eq(&String::from_utf8(out).unwrap());
    }
}
