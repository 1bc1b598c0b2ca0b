//! Prints a request as AWS's Java code does in a message.

use std::collections::BTreeMap;

use monotable_engine::{Item, WriteRequest};
use monotable_types::AttributeValue;

/// The fields of AWS's class, all of which are printed.
const FIELDS: [&str; 16] = [
    "s",
    "n",
    "b",
    "iNT",
    "dECIMAL",
    "dOUBLE",
    "sS",
    "nS",
    "bS",
    "iNTSET",
    "dECIMALSET",
    "dOUBLESET",
    "m",
    "l",
    "nULL",
    "bOOL",
];

/// Prints the writes by table.
pub(super) fn requests(request_items: &BTreeMap<String, Vec<WriteRequest>>) -> String {
    map(request_items, |writes| list(writes, write))
}

fn write(write: &WriteRequest) -> String {
    const REST: &str = "workloadProfileName=null";
    match write {
        WriteRequest::Put(item) => {
            let item = attributes(item);
            format!("WriteRequest(putRequest=PutRequest(item={item}, {REST}), deleteRequest=null)")
        }
        WriteRequest::Delete(key) => {
            let key = attributes(key);
            format!("WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={key}, {REST}))")
        }
    }
}

fn attributes(item: &Item) -> String {
    map(item, value)
}

fn value(value: &AttributeValue) -> String {
    let (set_field, text) = match value {
        AttributeValue::S(text) => ("s", text.clone()),
        AttributeValue::N(number) => ("n", number.to_string()),
        AttributeValue::B(bytes) => ("b", buffer(bytes)),
        AttributeValue::Ss(set) => ("sS", list(set, String::clone)),
        AttributeValue::Ns(set) => ("nS", list(set, ToString::to_string)),
        AttributeValue::Bs(set) => ("bS", list(set, |bytes| buffer(bytes))),
        AttributeValue::M(entries) => ("m", attributes(entries)),
        AttributeValue::L(elements) => ("l", list(elements, self::value)),
        AttributeValue::Null => ("nULL", true.to_string()),
        AttributeValue::Bool(value) => ("bOOL", value.to_string()),
    };
    let fields = FIELDS.map(|field| {
        if field == set_field { format!("{field}={text}") } else { format!("{field}=null") }
    });
    format!("AttributeValue({})", fields.join(", "))
}

fn buffer(bytes: &[u8]) -> String {
    format!("java.nio.HeapByteBuffer[pos=0 lim={0} cap={0}]", bytes.len())
}

fn list<'a, T: 'a>(
    elements: impl IntoIterator<Item = &'a T>,
    print: impl Fn(&T) -> String,
) -> String {
    let elements: Vec<String> = elements.into_iter().map(print).collect();
    format!("[{}]", elements.join(", "))
}

fn map<T>(entries: &BTreeMap<String, T>, print: impl Fn(&T) -> String) -> String {
    let entries: Vec<String> =
        entries.iter().map(|(name, entry)| format!("{name}={}", print(entry))).collect();
    format!("{{{}}}", entries.join(", "))
}
