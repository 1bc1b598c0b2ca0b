//! I11 and P04 for indexes whose keys are several attributes, or numbers as they are.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{ID, Test, U32, allow, entity, index, key, pattern, table};
use crate::meta::{IndexMeta, PatternMeta, SortTest};

const BEGINS: Test = SortTest::BeginsWith;
const EQUALS: Test = SortTest::Equals;

#[test]
fn i11_keys_of_several_attributes_are_given_from_the_left() {
    let wide = IndexMeta {
        partition: &["country", "city"],
        sort: &["street", "number"],
        ..index("Place")
    };
    let house = entity("House", &[("country", ID), ("city", ID), ("street", ID), ("number", U32)])
        .key("HOUSE#{street}", "METADATA")
        .index("Place", &["{country}", "{city}"], &["{street}", "{number}"])
        .build();
    let places = table(&[house], &[wide], &[]);
    let read = |partition: &[&'static str], sort: Vec<SortTest>| PatternMeta {
        index: Some("Place"),
        partition: partition.iter().map(|text| key(text)).collect::<Vec<_>>().leak(),
        sort: sort.leak(),
        ..pattern("houses", "", None, &[house])
    };
    let partition = ["{country}", "{city}"];
    check(
        check::pattern(&places, &read(&partition[..1], vec![])),
        expect![
            "[I11] pattern houses does not give every attribute of the partition key of index Place; a query needs an equality for every partition attribute, then sort attributes from the left without a gap, and at most one range as the last of them; give the key attributes in that order"
        ],
    );
    let range = || vec![BEGINS(key("{text}")), EQUALS(key("{number}"))];
    check(
        check::pattern(&places, &read(&partition, range())),
        expect![
            "[I11] pattern houses has a range before the last condition on the sort key of index Place; a query needs an equality for every partition attribute, then sort attributes from the left without a gap, and at most one range as the last of them; give the key attributes in that order"
        ],
    );
    fine(check::pattern(
        &places,
        &PatternMeta { allows: allow("I11"), ..read(&partition, range()) },
    ));
    let number = |test| vec![EQUALS(key("{street}")), test];
    check(
        check::pattern(&places, &read(&partition, number(BEGINS(key("1"))))),
        expect![[
            r#"[I11] pattern houses asks what `number` begins with, a number in index Place; only texts have beginnings, and DynamoDB refuses the request; write the value, or a range such as `"{from}"..="{to}"`"#
        ]],
    );
    check(
        check::pattern(&places, &read(&partition, number(EQUALS(key("{text}"))))),
        expect![
            "[P04] `{text}` in pattern houses is a text, but `number` is a number in index Place; values of two types are never equal; give the argument the type of the field"
        ],
    );
    fine(check::pattern(&places, &read(&partition, number(EQUALS(key("{number}"))))));
    let many = vec![EQUALS(key("{street}")), EQUALS(key("{number}")), EQUALS(key("{text}"))];
    check(
        check::pattern(&places, &read(&partition, many)),
        expect![
            "[I11] pattern houses gives more than the sort key of index Place; a query needs an equality for every partition attribute, then sort attributes from the left without a gap, and at most one range as the last of them; give the key attributes in that order"
        ],
    );
    fine(check::pattern(&places, &read(&partition, vec![])));
    fine(check::pattern(
        &places,
        &read(&partition, vec![EQUALS(key("{street}")), SortTest::From(key("{number}"))]),
    ));
}
