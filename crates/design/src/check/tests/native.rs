//! I11, P04 and D01 for indexes whose keys are several attributes, or numbers as they are, and for codecs.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{ID, TEXT, Test, U32, allow, entity, index, key, pattern, table};
use crate::meta::{Codec, IndexMeta, PatternMeta, SortTest};

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
            r#"[I11] pattern houses tests what `number` begins with, a number in index Place; only texts have beginnings, and DynamoDB refuses the request; write the value, or a range such as `"{from}"..="{to}"`"#
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

#[test]
fn d01_attributes_of_a_codec_have_names_of_their_own() {
    let game = |codec| {
        let mut game = entity("Game", &[("id", ID), ("data", TEXT), ("runs", U32)]);
        game.meta.codec = codec;
        let game = game.field("data", |field| field.is_top_level = true);
        game.key("GAME#{id}", "METADATA").build()
    };
    let by_runs = IndexMeta { partition: &["id"], sort: &["runs"], ..index("ByRuns") };
    let with = |codec| check::entity(&table(&[game(codec)], &[by_runs], &[]), 0);
    check(
        with(Codec::Envelope { data: "data" }),
        expect![
            "[D01] Game keeps its fields in `data`, which is field `data`; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    check(
        with(Codec::Envelope { data: "PK" }),
        expect![
            "[D01] Game keeps its fields in `PK`, which is the partition key of League; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    check(
        with(Codec::Envelope { data: "ItemType" }),
        expect![
            "[D01] Game keeps its fields in `ItemType`, which is the type attribute of League; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    check(
        with(Codec::Envelope { data: "id" }),
        expect![
            "[D01] Game keeps its fields in `id`, which is a key of index ByRuns; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    check(
        with(Codec::Envelope { data: "json" }),
        expect![
            "[D01] `runs`, a key of index ByRuns, is the number `runs` of Game, which its codec keeps elsewhere; its rows have a text there, and DynamoDB refuses a key of another type; keep the field beside the envelope with `#[top]`, or name another attribute for the index"
        ],
    );
    fine(check::entity(&table(&[game(Codec::Envelope { data: "json" })], &[], &[]), 0));
    let value = IndexMeta { partition: &["v"], sort: &["meta"], ..index("ByValue") };
    check(
        check::entity(&table(&[game(Codec::ValueRow)], &[value], &[]), 0),
        expect![
            "[D01] Game keeps its fields in `v`, which is a key of index ByValue; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    fine(check::entity(&table(&[game(Codec::ValueRow)], &[], &[]), 0));
}
