//! Rows of answers, which stay as the SDK made them until somebody wants their values.

use aws_sdk_dynamodb::types::AttributeValue as SdkValue;
use monotable_types::{AttributeValue, Item};

use super::value::{SdkItem, from_sdk};
use crate::backend::BackendError;

/// Digits of a whole number that needs no closer look.
const DIGITS_MAX: usize = 18;

/// A row whose values are all such as DynamoDB has.
#[derive(Clone, Debug)]
pub(in crate::backend) struct AnsweredRow(SdkItem);

impl AnsweredRow {
    pub(super) fn new(item: SdkItem) -> Result<Self, BackendError> {
        item.values().try_for_each(check)?;
        Ok(Self(item))
    }

    pub(in crate::backend) fn get(&self, name: &str) -> Option<AttributeValue> {
        self.0.get(name).cloned().map(translated)
    }

    pub(in crate::backend) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_s().ok().map(String::as_str)
    }

    pub(in crate::backend) fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        self.0.remove(name).map(translated)
    }

    pub(in crate::backend) fn into_item(self) -> Item {
        self.0.into_iter().map(|(name, value)| (name, translated(value))).collect()
    }

    /// Hands out the attributes that have these names, each with the position of its name.
    pub(in crate::backend) fn take(
        self,
        names: &[&str],
        mut found: impl FnMut(usize, AttributeValue),
    ) {
        for (known, value) in self.0 {
            if let Some(position) = names.iter().position(|name| *name == known) {
                found(position, translated(value));
            }
        }
    }
}

/// Refuses a value that can't be translated.
fn check(value: &SdkValue) -> Result<(), BackendError> {
    match value {
        SdkValue::S(_) | SdkValue::B(_) | SdkValue::Bool(_) | SdkValue::Null(_) => Ok(()),
        SdkValue::N(text) if is_whole_number(text) => Ok(()),
        SdkValue::L(elements) => elements.iter().try_for_each(check),
        SdkValue::M(entries) => entries.values().try_for_each(check),
        other => from_sdk(other.clone()).map(drop),
    }
}

fn is_whole_number(text: &str) -> bool {
    (1..=DIGITS_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The value of a row that was checked.
fn translated(value: SdkValue) -> AttributeValue {
    match from_sdk(value) {
        Ok(value) => value,
        Err(error) => unreachable!("the values of a row are checked when it comes: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use aws_sdk_dynamodb::primitives::Blob;
    use monotable_types::{item, list, map};

    use super::*;

    fn row(attributes: &[(&str, SdkValue)]) -> Result<AnsweredRow, BackendError> {
        let attributes = attributes.iter().cloned();
        AnsweredRow::new(attributes.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn n(text: &str) -> SdkValue {
        SdkValue::N(text.to_owned())
    }

    #[test]
    fn values_are_told_in_every_way_alike() {
        let row = row(&[
            ("bytes", SdkValue::B(Blob::new([1, 2]))),
            ("inner", SdkValue::M(HashMap::from([("n".to_owned(), n("1.50"))]))),
            ("list", SdkValue::L(vec![n("1"), SdkValue::Null(true)])),
            ("name", SdkValue::S("Ada".to_owned())),
            ("number", n("42")),
        ])
        .unwrap();
        let expected = item! {
            "bytes" => AttributeValue::B(vec![1, 2]),
            "inner" => map! { "n" => AttributeValue::N("1.5".parse().unwrap()) },
            "list" => list![1, AttributeValue::Null],
            "name" => "Ada",
            "number" => 42,
        };
        for (name, value) in &expected {
            assert_eq!(row.get(name).as_ref(), Some(value), "{name}");
        }
        assert_eq!((row.text("name"), row.text("number")), (Some("Ada"), None));
        let mut taken = vec![None; 3];
        row.clone().take(&["number", "missing", "list"], |at, value| taken[at] = Some(value));
        assert_eq!(taken, [Some(42.into()), None, Some(expected["list"].clone())]);
        assert_eq!(row.into_item(), expected);
    }

    #[test]
    fn what_no_dynamodb_answers_is_refused_when_it_comes() {
        let set = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        for value in [
            n(""),
            n("seven"),
            n("1e200"),
            SdkValue::Ns(set(&["1", "x"])),
            SdkValue::Ss(set(&["a", "a"])),
            SdkValue::Ss(Vec::new()),
            SdkValue::L(vec![n("1"), n("one")]),
            SdkValue::M(HashMap::from([("n".to_owned(), n("-"))])),
        ] {
            let refused = row(&[("value", value.clone())]);
            assert!(matches!(refused, Err(BackendError::Failed(_))), "{value:?}");
        }
    }
}
