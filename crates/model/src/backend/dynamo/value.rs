//! Converts attribute values from and to the SDK's types.

use std::collections::HashMap;
use std::fmt::Display;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue as SdkValue;
use monotable_types::{AttributeValue, Item, Number, Set};

use super::response_row::ResponseRow;
use crate::backend::{BackendError, Row};

/// An item in the SDK's form.
pub(super) type SdkItem = HashMap<String, SdkValue>;

pub(super) fn to_sdk(value: AttributeValue) -> SdkValue {
    match value {
        AttributeValue::S(text) => SdkValue::S(text),
        AttributeValue::N(number) => SdkValue::N(digits(number)),
        AttributeValue::B(bytes) => SdkValue::B(Blob::new(bytes)),
        AttributeValue::Bool(boolean) => SdkValue::Bool(boolean),
        AttributeValue::Null => SdkValue::Null(true),
        AttributeValue::M(entries) => SdkValue::M(item_to_sdk(entries)),
        AttributeValue::L(elements) => SdkValue::L(elements.into_iter().map(to_sdk).collect()),
        AttributeValue::Ss(set) => SdkValue::Ss(set.into_vec()),
        AttributeValue::Ns(set) => SdkValue::Ns(set.iter().copied().map(digits).collect()),
        AttributeValue::Bs(set) => {
            SdkValue::Bs(set.into_vec().into_iter().map(Blob::new).collect())
        }
    }
}

/// Returns the text of a number. Most are small integers and need no formatting.
fn digits(number: Number) -> String {
    match number.to_i64() {
        Some(integer) => itoa::Buffer::new().format(integer).to_owned(),
        None => number.to_string(),
    }
}

pub(super) fn item_to_sdk(item: Item) -> SdkItem {
    item.into_iter().map(|(name, value)| (name, to_sdk(value))).collect()
}

/// Converts a value of a response. An invalid value is a failure of the backend.
pub(super) fn from_sdk(value: SdkValue) -> Result<AttributeValue, BackendError> {
    Ok(match value {
        SdkValue::S(text) => AttributeValue::S(text),
        SdkValue::N(text) => AttributeValue::N(text.parse().map_err(malformed)?),
        SdkValue::B(blob) => AttributeValue::B(blob.into_inner()),
        SdkValue::Bool(boolean) => AttributeValue::Bool(boolean),
        SdkValue::Null(_) => AttributeValue::Null,
        SdkValue::M(entries) => AttributeValue::M(item_from_sdk(entries)?),
        SdkValue::L(elements) => {
            AttributeValue::L(elements.into_iter().map(from_sdk).collect::<Result<_, _>>()?)
        }
        SdkValue::Ss(texts) => AttributeValue::Ss(Set::new(texts).map_err(malformed)?),
        SdkValue::Ns(texts) => {
            let numbers = texts.iter().map(|text| text.parse()).collect::<Result<Vec<_>, _>>();
            AttributeValue::Ns(Set::new(numbers.map_err(malformed)?).map_err(malformed)?)
        }
        SdkValue::Bs(blobs) => {
            let elements: Vec<_> = blobs.into_iter().map(Blob::into_inner).collect();
            AttributeValue::Bs(Set::new(elements).map_err(malformed)?)
        }
        // The SDK's enum may grow.
        unknown => return Err(malformed(format!("a value of an unknown type, {unknown:?}"))),
    })
}

pub(super) fn item_from_sdk(item: SdkItem) -> Result<Item, BackendError> {
    item.into_iter().map(|(name, value)| Ok((name, from_sdk(value)?))).collect()
}

pub(super) fn row_from_sdk(item: SdkItem) -> Row {
    ResponseRow(item).into()
}

pub(super) fn malformed(problem: impl Display) -> BackendError {
    BackendError::Failed(format!("the response is not valid for DynamoDB: {problem}"))
}
