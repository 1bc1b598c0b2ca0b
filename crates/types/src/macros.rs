//! Macros that write items, maps, lists, sets and numbers as literals.
//!
//! They only call public constructors and `From`, so callers can build the same values by hand.

/// Builds an [`Item`](crate::Item) from `name => value` pairs; each value is anything that
/// converts into an [`AttributeValue`](crate::AttributeValue).
///
/// ```
/// use monotable_types::{AttributeValue, item};
///
/// let item = item! { "PK" => "TEAM#1", "wins" => 3, "logo" => AttributeValue::B(vec![1, 2]) };
/// assert_eq!(item["PK"].as_s(), Some("TEAM#1"));
/// ```
#[macro_export]
macro_rules! item {
    ($($name:expr => $value:expr),* $(,)?) => {
        <$crate::Item as ::core::convert::From<_>>::from([
            $((
                ::std::string::String::from($name),
                <$crate::AttributeValue as ::core::convert::From<_>>::from($value),
            )),*
        ])
    };
}

/// Builds an [`AttributeValue::M`](crate::AttributeValue::M), with the syntax of
/// [`item!`](crate::item).
///
/// ```
/// use monotable_types::{item, map};
///
/// let item = item! { "address" => map! { "city" => "Bern", "zip" => 3000 } };
/// assert_eq!(item["address"].as_m().unwrap()["city"].as_s(), Some("Bern"));
/// ```
#[macro_export]
macro_rules! map {
    ($($name:expr => $value:expr),* $(,)?) => {
        $crate::AttributeValue::M($crate::item! { $($name => $value),* })
    };
}

/// Builds an [`AttributeValue::L`](crate::AttributeValue::L) of elements that may differ in type.
///
/// ```
/// use monotable_types::list;
///
/// assert_eq!(list!["a", 1, true, list![]].as_l().unwrap().len(), 4);
/// ```
#[macro_export]
macro_rules! list {
    ($($value:expr),* $(,)?) => {
        $crate::AttributeValue::L(::std::vec![
            $(<$crate::AttributeValue as ::core::convert::From<_>>::from($value)),*
        ])
    };
}

/// Builds a [`Set`](crate::Set) of strings, numbers or binaries, which converts into the
/// attribute value of that type. At least one element is needed; repeated elements collapse.
///
/// ```
/// use monotable_types::{AttributeValue, set};
///
/// assert_eq!(set!["b", "a"].as_slice(), ["a", "b"]);
/// assert_eq!(AttributeValue::from(set![3, 1]).type_name().to_string(), "NS");
/// ```
#[macro_export]
macro_rules! set {
    ($first:expr $(, $rest:expr)* $(,)?) => {
        $crate::Set::of(
            $crate::IntoSetElement::into_set_element($first),
            [$($crate::IntoSetElement::into_set_element($rest)),*],
        )
    };
}

/// Makes a [`Number`](crate::Number) from text that is checked at compile time.
///
/// ```
/// use monotable_types::{item, number};
///
/// let item = item! { "price" => number!("12.50") };
/// assert_eq!(item["price"].as_n().unwrap().to_string(), "12.5");
/// ```
///
/// ```compile_fail
/// let nonsense = monotable_types::number!("12,50");
/// ```
#[macro_export]
macro_rules! number {
    ($text:expr) => {
        const { $crate::Number::from_literal($text) }
    };
}
