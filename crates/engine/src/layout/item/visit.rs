//! Visits a stored item, straight from its bytes.

use monotable_types::limits;

use super::{Encoded, Malformed, read_bytes, read_number, read_sized, read_text, tag, take_byte};
use crate::visit::{Container, ItemVisitor};

impl Encoded<'_> {
    /// Visits all attributes. If the bytes are malformed, everything before that has been visited.
    pub(crate) fn visit(&self, visitor: &mut impl ItemVisitor) -> Result<(), Malformed> {
        visit_contents(Container::Map, self.attributes, 0, visitor)
    }
}

fn visit_value(
    input: &mut &[u8],
    depth: usize,
    visitor: &mut impl ItemVisitor,
) -> Result<(), Malformed> {
    if depth > limits::NESTING_DEPTH_MAX {
        return Err(Malformed("value is nested too deeply"));
    }
    let container = match take_byte(input)? {
        tag::STRING => return read_text(input).map(|text| visitor.string(text)),
        tag::NUMBER => return read_number(input).map(|number| visitor.number(&number)),
        tag::BINARY => return read_bytes(input).map(|bytes| visitor.binary(bytes)),
        tag::FALSE => {
            visitor.boolean(false);
            return Ok(());
        }
        tag::TRUE => {
            visitor.boolean(true);
            return Ok(());
        }
        tag::NULL => {
            visitor.null();
            return Ok(());
        }
        tag::MAP => Container::Map,
        tag::LIST => Container::List,
        tag::STRING_SET => Container::StringSet,
        tag::NUMBER_SET => Container::NumberSet,
        tag::BINARY_SET => Container::BinarySet,
        _ => return Err(Malformed("value of an unknown type")),
    };
    visitor.begin(container);
    visit_contents(container, read_sized(input)?, depth + 1, visitor)?;
    visitor.end(container);
    Ok(())
}

/// Visits the contents of a container, or of the item as if it were a map, `depth` levels down.
fn visit_contents(
    container: Container,
    mut contents: &[u8],
    depth: usize,
    visitor: &mut impl ItemVisitor,
) -> Result<(), Malformed> {
    while !contents.is_empty() {
        match container {
            Container::Map => {
                visitor.attribute(read_text(&mut contents)?);
                visit_value(&mut contents, depth, visitor)?;
            }
            Container::List => visit_value(&mut contents, depth, visitor)?,
            Container::StringSet => visitor.string(read_text(&mut contents)?),
            Container::NumberSet => visitor.number(&read_number(&mut contents)?),
            Container::BinarySet => visitor.binary(read_bytes(&mut contents)?),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use monotable_types::{AttributeValue as V, Item, Number, Set, item, list, map, set};
    use proptest::prelude::*;

    use super::*;
    use crate::layout::item::encode;
    use crate::visit::visit_item;

    /// Writes one character or word per event.
    #[derive(Default)]
    struct Notes(String);

    impl ItemVisitor for Notes {
        fn attribute(&mut self, name: &str) {
            self.0 += &format!("{name:?}: ");
        }
        fn string(&mut self, text: &str) {
            self.0 += &format!("{text:?} ");
        }
        fn number(&mut self, number: &Number) {
            self.0 += &format!("{number} ");
        }
        fn binary(&mut self, bytes: &[u8]) {
            self.0 += &format!("{bytes:02x?} ");
        }
        fn boolean(&mut self, value: bool) {
            self.0 += &format!("{value} ");
        }
        fn null(&mut self) {
            self.0 += "null ";
        }
        fn begin(&mut self, container: Container) {
            self.0 += &format!("{container:?}( ");
        }
        fn end(&mut self, container: Container) {
            self.0 += &format!("){container:?} ");
        }
    }

    fn of_stored(item: &Item) -> String {
        let mut notes = Notes::default();
        let bytes = encode(item);
        Encoded::parse(&bytes).and_then(|encoded| encoded.visit(&mut notes)).unwrap();
        notes.0
    }

    fn of_decoded(item: &Item) -> String {
        let mut notes = Notes::default();
        visit_item(item, &mut notes);
        notes.0
    }

    #[test]
    fn every_type_is_told() {
        let item = item! {
            "PK" => "TEAM#1",
            "binary" => V::B(vec![1, 255]),
            "list" => list!["a", 2, list![], V::Null],
            "map" => map! { "inner" => true, "other" => map! { "x" => -7 } },
            "numbers" => set![3, 1],
            "strings" => set!["b", "a"],
            "binaries" => V::Bs(Set::of(vec![2], [vec![1]])),
        };
        let told = of_stored(&item);
        expect![[r#""PK": "TEAM#1" "binaries": BinarySet( [01] [02] )BinarySet "binary": [01, ff] "list": List( "a" 2 List( )List null )List "map": Map( "inner": true "other": Map( "x": -7 )Map )Map "numbers": NumberSet( 1 3 )NumberSet "strings": StringSet( "a" "b" )StringSet "#]]
        .assert_eq(&told);
        assert_eq!(told, of_decoded(&item));
    }

    #[test]
    fn malformed_bytes_are_refused() {
        let whole = encode(&item! { "a" => list!["x", map! { "b" => set![1, 2] }] });
        for length in 3..whole.len() {
            let part = Encoded::parse(&whole[..length]).unwrap();
            assert!(part.visit(&mut Notes::default()).is_err(), "the first {length} bytes");
        }
    }

    fn any_value() -> impl Strategy<Value = V> {
        let number = (any::<i64>(), -20..20i32)
            .prop_map(|(digits, exponent)| format!("{digits}E{exponent}").parse().unwrap());
        let leaf = prop_oneof![
            any::<String>().prop_map(V::S),
            number.prop_map(V::N),
            any::<Vec<u8>>().prop_map(V::B),
            any::<bool>().prop_map(V::Bool),
            Just(V::Null),
            (any::<String>(), any::<String>())
                .prop_map(|(one, two)| { V::Ss(Set::of(format!("1{one}"), [format!("2{two}")])) }),
            any::<i64>().prop_map(|one| V::Ns(Set::of(one.into(), []))),
            any::<Vec<u8>>().prop_map(|one| V::Bs(Set::of(one, []))),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(V::L),
                prop::collection::btree_map(any::<String>(), inner, 0..4).prop_map(V::M),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_stored_item_is_told_as_its_decoded_form(
            item in prop::collection::btree_map(any::<String>(), any_value(), 0..6)
        ) {
            prop_assert_eq!(of_stored(&item), of_decoded(&item));
        }
    }
}
