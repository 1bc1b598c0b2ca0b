//! Placeholders for the tests of the grammars.

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, list, map, set};

use crate::Placeholders;

/// `#n` is `name`, `#s` is `status`; `:s`, `:n` and so on are values of the type they are named
/// after, `:z` is the string "z", `:five` the number 5.
pub(crate) struct Request {
    names: BTreeMap<String, String>,
    values: BTreeMap<String, AttributeValue>,
}

impl Default for Request {
    fn default() -> Self {
        let names = [("#n", "name"), ("#s", "status"), ("#a", "a"), ("#i", "[3]")];
        let values = [
            (":s", "a".into()),
            (":z", "z".into()),
            (":n", 1.into()),
            (":five", 5.into()),
            (":b", AttributeValue::B(vec![b'a'])),
            (":bz", AttributeValue::B(vec![b'z'])),
            (":bool", true.into()),
            (":null", AttributeValue::Null),
            (":ss", set!["a"].into()),
            (":ns", set![1].into()),
            (":bs", AttributeValue::Bs(set![b"a".to_vec()])),
            (":l", list![1]),
            (":m", map! { "a" => 1 }),
            (":type", "SS".into()),
        ];
        Self {
            names: names.map(|(key, name)| (key.into(), name.into())).into(),
            values: values.map(|(key, value)| (key.into(), value)).into(),
        }
    }
}

impl Request {
    pub(crate) fn placeholders(&self) -> Placeholders<'_> {
        Placeholders::new(Some(&self.names), Some(&self.values))
    }
}
