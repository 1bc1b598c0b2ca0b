//! Sizes of values and items as AWS counts them, for the item limit, page limits and capacity
//! units. They differ from the bytes that an item takes in our store.
//!
//! Source: "DynamoDB item sizes and formats" in the developer guide; for numbers see
//! [`Number::size_bytes`](crate::Number::size_bytes). The 100 bytes per item that AWS bills for
//! storage are not part of these sizes.

use crate::{AttributeValue, Item};

/// What a list or map costs whatever is in it.
const COLLECTION_BYTES: usize = 3;
/// What each element of a list and each pair of a map costs besides its contents.
const ELEMENT_BYTES: usize = 1;

/// Returns the size of an item: names and values of all its attributes.
///
/// ```
/// use monotable_types::{item, item_size_bytes};
///
/// // "PK" + "é" in UTF-8, "n" + one byte for the digits and one for the exponent.
/// assert_eq!(item_size_bytes(&item! { "PK" => "é", "n" => 42 }), 4 + 3);
/// ```
pub fn item_size_bytes(item: &Item) -> usize {
    item.iter().map(|(name, value)| attribute_size_bytes(name, value)).sum()
}

/// Returns the size of one attribute: its name in UTF-8 and its value.
pub fn attribute_size_bytes(name: &str, value: &AttributeValue) -> usize {
    name.len() + value_size_bytes(value)
}

/// Returns the size of a value without the name of its attribute.
pub fn value_size_bytes(value: &AttributeValue) -> usize {
    match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(number) => number.size_bytes(),
        AttributeValue::B(bytes) => bytes.len(),
        AttributeValue::Bool(_) | AttributeValue::Null => 1,
        AttributeValue::M(entries) => {
            let contents: usize = entries
                .iter()
                .map(|(name, entry)| ELEMENT_BYTES + attribute_size_bytes(name, entry))
                .sum();
            COLLECTION_BYTES + contents
        }
        AttributeValue::L(elements) => {
            let contents: usize =
                elements.iter().map(|element| ELEMENT_BYTES + value_size_bytes(element)).sum();
            COLLECTION_BYTES + contents
        }
        AttributeValue::Ss(elements) => elements.iter().map(String::len).sum(),
        AttributeValue::Ns(elements) => elements.iter().map(|number| number.size_bytes()).sum(),
        AttributeValue::Bs(elements) => elements.iter().map(Vec::len).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{list, map, set};

    fn check(value: impl Into<AttributeValue>, bytes: usize) {
        let value = value.into();
        assert_eq!(value_size_bytes(&value), bytes, "{value:?}");
    }

    #[test]
    fn scalars_count_their_bytes() {
        check("", 0);
        check("añ", 3);
        check(AttributeValue::B(vec![0; 7]), 7);
        check(true, 1);
        check(AttributeValue::Null, 1);
    }

    #[test]
    fn collections_cost_three_bytes_and_one_an_element() {
        check(list![], 3);
        check(map! {}, 3);
        check(list!["ab", true], 3 + (1 + 2) + (1 + 1));
        check(map! { "key" => "ab" }, 3 + 1 + 3 + 2);
        check(list![list![]], 3 + 1 + 3);
    }

    #[test]
    fn sets_cost_their_elements() {
        check(set!["ab", "c"], 3);
        check(set![1, 234], 2 + 3);
        check(set![b"abc"], 3);
    }
}
