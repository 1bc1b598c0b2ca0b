//! Rows of responses, which keep the SDK's form until their values are needed.

use aws_sdk_dynamodb::types::AttributeValue as SdkValue;
use monotable_types::{AttributeValue, Item};

use super::value::{SdkItem, from_sdk, item_from_sdk};
use crate::backend::BackendError;

/// A row of a response. A value that DynamoDB does not have is detected when it is read.
#[derive(Clone, Debug)]
pub(in crate::backend) struct ResponseRow(pub(super) SdkItem);

impl ResponseRow {
    /// Returns one attribute, if the row has it and it is a valid value of DynamoDB.
    pub(in crate::backend) fn get(&self, name: &str) -> Option<AttributeValue> {
        from_sdk(self.0.get(name)?.clone()).ok()
    }

    pub(in crate::backend) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_s().ok().map(String::as_str)
    }

    pub(in crate::backend) fn remove(&mut self, name: &str) -> Option<AttributeValue> {
        from_sdk(self.0.remove(name)?).ok()
    }

    pub(in crate::backend) fn into_item(self) -> Result<Item, BackendError> {
        item_from_sdk(self.0)
    }

    /// Takes the attributes with these names, each with the position of its name.
    pub(in crate::backend) fn take(
        &mut self,
        names: &[&str],
        found: &mut dyn FnMut(usize, AttributeValue),
    ) -> Result<(), BackendError> {
        for (position, name) in names.iter().enumerate() {
            match self.0.remove(*name) {
                None => {}
                // Most values are strings, which need no conversion.
                Some(SdkValue::S(text)) => found(position, AttributeValue::S(text)),
                Some(value) => found(position, from_sdk(value)?),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use aws_sdk_dynamodb::primitives::Blob;
    use monotable_types::{item, list, map};

    use super::*;

    fn row(attributes: &[(&str, SdkValue)]) -> ResponseRow {
        let attributes = attributes.iter().cloned();
        ResponseRow(attributes.map(|(name, value)| (name.to_owned(), value)).collect())
    }

    fn n(text: &str) -> SdkValue {
        SdkValue::N(text.to_owned())
    }

    #[test]
    fn every_way_to_read_a_value_gives_the_same() {
        let row = row(&[
            ("bytes", SdkValue::B(Blob::new([1, 2]))),
            ("inner", SdkValue::M(HashMap::from([("n".to_owned(), n("1.50"))]))),
            ("list", SdkValue::L(vec![n("1"), SdkValue::Null(true)])),
            ("name", SdkValue::S("Ada".to_owned())),
            ("number", n("42")),
        ]);
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
        let mut found = |at: usize, value| taken[at] = Some(value);
        row.clone().take(&["number", "missing", "list"], &mut found).unwrap();
        assert_eq!(taken, [Some(42.into()), None, Some(expected["list"].clone())]);
        assert_eq!(row.into_item().unwrap(), expected);
    }

    #[test]
    fn an_invalid_value_is_refused_when_it_is_read() {
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
            let row = row(&[("name", SdkValue::S("Ada".to_owned())), ("value", value.clone())]);
            let refused = row.clone().take(&["value"], &mut |_, _| ());
            assert!(matches!(refused, Err(BackendError::Failed(_))), "{value:?}");
            assert!(matches!(row.clone().into_item(), Err(BackendError::Failed(_))), "{value:?}");
            assert_eq!(row.get("value"), None);
            assert_eq!(row.get("name"), Some("Ada".into()));
        }
    }
}
