//! Amazon Ion in its text form, as far as exports and imports use it: items to Ion, and Ion to items.

mod read;
mod write;

pub(crate) use read::{Parsed, parse_item};
pub(crate) use write::write_item;

/// The annotations of lists that are sets.
const STRING_SET: &str = "$dynamodb_SS";
const NUMBER_SET: &str = "$dynamodb_NS";
const BINARY_SET: &str = "$dynamodb_BS";

#[cfg(test)]
mod tests {
    use monotable_engine::{AttributeValue, Item, ReadItem, item, list, map, set};

    use super::*;
    use crate::codec::LineError;

    fn text(item: &Item) -> String {
        let mut out = Vec::new();
        write_item(&ReadItem::from(item.clone()), &mut out);
        String::from_utf8(out).unwrap()
    }

    fn parse(text: &str) -> Result<Item, LineError> {
        match parse_item(text.as_bytes(), true)? {
            Parsed::Item { item, rest } => {
                assert_eq!(rest, text.len());
                Ok(item)
            }
            Parsed::Unfit { why, .. } => Err(LineError::Item(why)),
            other => panic!("{other:?}"),
        }
    }

    fn number(text: &str) -> AttributeValue {
        AttributeValue::N(text.parse().unwrap())
    }

    #[test]
    fn items_are_written_as_aws_writes_them() {
        let item = item! {
            "Authors" => set!["A", "B"],
            "Id" => 103,
            "Price" => 2000,
            "a name" => list![true, AttributeValue::Null],
            "null" => map! { "x" => number("-1.50"), "y" => number("0") },
            "b" => AttributeValue::B(b"\x00\xff".to_vec()),
            "t" => "tab\t\"quote\" 'single' \\ \u{1} ä",
        };
        assert_eq!(
            text(&item),
            r#"{Authors:$dynamodb_SS::["A","B"],Id:103.,Price:2d3,'a name':[true,null],b:{{AP8=}},'null':{x:-1.5,y:0.},t:"tab\t\"quote\" 'single' \\ \x01 ä"}"#
        );
    }

    #[test]
    fn written_items_are_read_back() {
        let numbers =
            ["0", "-0.5", "1e125", "-1e-130", "12345678901234567890123456789012345678", "100"];
        for digits in numbers {
            let item = item! { "n" => number(digits), "s" => "x" };
            assert_eq!(parse(&format!("$ion_1_0 {{Item:{}}}", text(&item))), Ok(item), "{digits}");
        }
        let item = item! {
            "ns" => AttributeValue::Ns(monotable_engine::Set::new(vec!["1".parse().unwrap(), "2.5".parse().unwrap()]).unwrap()),
            "bs" => AttributeValue::Bs(monotable_engine::Set::new(vec![b"a".to_vec(), b"b".to_vec()]).unwrap()),
            "$5" => "a symbol that would be a number",
            "with 'quotes' \\ \n" => map! { "true" => false },
            "" => list![],
        };
        assert_eq!(parse(&format!("{{Item:{}}}", text(&item))), Ok(item));
    }

    #[test]
    fn other_ways_to_write_the_same_are_read() {
        let item = parse(
            "$ion_1_0 /* a comment */ { // another\n 'Item' : { \"id\": '''a''' '''b''', n: 1_000, d: 1.5d2, f: 2.5e0, \
             s: symbol, q: 'a b', e: \"\\u00e4\\x41\\\n\", z: null.string, l: [1, 2,], h: 0x1F } , Other: 1 }",
        );
        let expected = item! {
            "id" => "ab", "n" => 1000, "d" => 150, "f" => number("2.5"), "s" => "symbol", "q" => "a b",
            "e" => "äA", "z" => AttributeValue::Null, "l" => list![1, 2], "h" => 31,
        };
        assert_eq!(item, Ok(expected));
    }

    #[test]
    fn what_is_cut_off_needs_more_and_what_is_wrong_is_refused() {
        let whole = "$ion_1_0 {Item:{id:\"a\",n:1.5d3,b:{{AAA=}},l:[1.,{x:'y'}]}}";
        for length in 0..whole.len() {
            let parsed = parse_item(&whole.as_bytes()[..length], false);
            assert!(matches!(parsed, Ok(Parsed::More | Parsed::End)), "{length}: {parsed:?}");
        }
        for wrong in [
            "{Item:{id:2020-01-01T}}",
            "{Item:{id:nan}}",
            "{Item:{s:$dynamodb_SS::[1]}}",
            "{Item:{s:$dynamodb_SS::[]}}",
            "{Item:{s:{{\"clob\"}}}}",
        ] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
        let deep = format!("{{Item:{{a:{}{}}}}}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(matches!(parse(&deep), Err(LineError::Syntax(_))));
        for wrong in ["]", "{Item 1}", "{:1}", "{Item:{a:{{A}}}}", "{Item:{a:'\n'}}", "\u{e0}\u{1}"]
        {
            assert!(matches!(parse(wrong), Err(LineError::Syntax(_))), "{wrong}");
        }
    }
}
