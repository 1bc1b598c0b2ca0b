//! P04: reads by the value of a unique constraint.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{ID, TEXT, U32, entity, key, pattern, table, team};
use crate::meta::{ArgumentMeta, EntityMeta, Operation, PatternMeta, Segment, Shape, UniqueValue};

/// Returns a pattern that gets the owner of a value, with arguments of these names.
fn owner(
    constraint: &'static str,
    arguments: &[(&'static str, &'static str)],
    returned: &'static EntityMeta,
) -> PatternMeta {
    let declared = arguments
        .iter()
        .map(|&(name, rust_type)| ArgumentMeta { name, rust_type, filter: None })
        .collect::<Vec<_>>();
    let fields = arguments
        .iter()
        .map(|&(name, _)| key(String::leak(format!("{{{name}}}"))))
        .collect::<Vec<_>>();
    PatternMeta {
        operation: Operation::Get,
        shape: Shape::One,
        arguments: declared.leak(),
        unique: Some(UniqueValue { constraint, fields: fields.leak() }),
        is_consistent: true,
        ..pattern("owner", "", None, &[returned])
    }
}

fn badge() -> &'static EntityMeta {
    entity("Badge", &[("badge_id", ID), ("text", TEXT), ("number", U32)])
        .key("BADGE#{badge_id}", "BADGE")
        .unique("number", ["UNIQUE#{number:05}", "UNIQUE"])
        .build()
}

#[test]
fn p04_the_owner_of_a_value_is_found_by_its_constraint() {
    let badge = badge();
    let league = table(&[badge], &[], &[]);
    fine(check::pattern(&league, &owner("number", &[("number", "u32")], badge)));
    check(
        check::pattern(&league, &owner("text", &[("text", "&str")], badge)),
        expect![
            "[P04] pattern owner gets Badge by `text`, which is not a unique constraint of Badge; no row identifies the owner of such a value; declare `#[unique(…)]` on the entity, or name one that it has"
        ],
    );
    check(
        check::pattern(&league, &owner("number", &[("shirt", "u32")], badge)),
        expect![
            "[P04] pattern owner has no argument `number`, a field of the unique constraint `number`; the owner of a value is found by the whole of it; take one argument for each of its fields, of the same name"
        ],
    );
    check(
        check::pattern(&league, &owner("number", &[("number", "u32"), ("text", "&str")], badge)),
        expect![
            "[P04] pattern owner has more arguments than the unique constraint `number` of Badge; an argument that is not part of the value finds nothing; take one argument for each of its fields"
        ],
    );
    check(
        check::pattern(
            &table(&[team().build()], &[], &[]),
            &owner("number", &[("number", "u32")], badge),
        ),
        expect![
            "[P04] pattern owner returns Badge, which is not an entity of League; the table has no rows of it; add it to the entities of the table"
        ],
    );
}

#[test]
fn p04_a_unique_value_is_of_the_type_of_its_field() {
    let badge = badge();
    let mut by_day = owner("number", &[("number", "Date")], badge);
    let Some(unique) = &mut by_day.unique else { unreachable!() };
    let mut day = key("{day}");
    let Some(Segment::Field { kind, .. }) = day.segments.first() else { unreachable!() };
    let segment =
        Segment::Field { name: "number", position: 0, pad: 0, kind: *kind, is_optional: false };
    day.segments = vec![segment].leak();
    unique.fields = vec![day].leak();
    check(
        check::pattern(&table(&[badge], &[], &[]), &by_day),
        expect![
            "[P04] `{number}` in pattern owner is a day, but `{number}` in the key of Badge is a number; their texts are never equal, so the pattern finds nothing; give the argument the type of the field"
        ],
    );
}
