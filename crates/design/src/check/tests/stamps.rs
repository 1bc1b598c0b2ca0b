//! Stamps next to fields, and in the attributes of a codec: D01, L01.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{Draft, index, table, team};
use crate::meta::{Codec, IndexMeta, Projection, TableMeta};
use crate::stamp::Stamp;

fn versioned() -> Draft {
    team().stamp(Stamp::Version, "ver")
}

#[test]
fn d01_a_stamp_has_a_name_and_an_attribute_of_its_own() {
    fine(check::entity_rules(versioned().build()));
    let named = || versioned().field("name", |field| field.name = "version");
    check(
        check::entity_rules(named().build()),
        expect![[
            r#"[D01] `version` of Team has the name of a stamp; templates, conditions and documents could mean either of them; rename the field, and keep its attribute with `#[serde(rename = "…")]`"#
        ]],
    );
    fine(check::entity_rules(named().allow("D01").build()));
    let written = versioned().field("name", |field| field.attribute = "ver");
    check(
        check::entity_rules(written.build()),
        expect![
            "[D01] `name` of Team and its stamp `version` are both the attribute `ver`; one of the two values would replace the other; rename the attribute of the field, or remove the field and use the stamp"
        ],
    );
    let formerly = versioned().field("name", |field| field.aliases = &["ver"]);
    check(
        check::entity_rules(formerly.build()),
        expect![
            "[D01] `name` of Team and its stamp `version` are both the attribute `ver`; one of the two values would replace the other; rename the attribute of the field, or remove the field and use the stamp"
        ],
    );
    let aliased = versioned().field("version", |field| field.aliases = &["revision", "name"]);
    check(
        check::entity_rules(aliased.build()),
        expect![
            "[D01] `name` of Team and its stamp `version` are both the attribute `name`; one of the two values would replace the other; rename the attribute of the field, or remove the field and use the stamp"
        ],
    );
}

#[test]
fn l01_a_row_expires_once() {
    let expiring = || team().stamp(Stamp::Expires, "ttl");
    fine(check::entity_rules(expiring().build()));
    let mut twice = expiring();
    twice.meta.ttl = Some(1);
    check(
        check::entity_rules(twice.build()),
        expect![
            "[L01] `name` of Team is an expiry in addition to that of its stamps; a row expires once, and one of the two values would be ignored; remove the field, or choose stamps without `expires`"
        ],
    );
}

#[test]
fn l01_the_expiry_is_in_the_ttl_attribute() {
    for codec in [Codec::Plain, Codec::ValueRow] {
        let kept = |attribute| {
            let mut draft = team().stamp(Stamp::Expires, attribute);
            draft.meta.codec = codec;
            table(&[draft.build()], &[], &[])
        };
        fine(check::entity(&kept("ttl"), 0));
        assert!(!check::entity(&kept("ends"), 0).is_fine());
    }
}

#[test]
fn d01_stamps_of_a_value_row_leave_its_attributes_alone() {
    let value_row = |stamp, attribute| {
        let mut draft = team().stamp(stamp, attribute);
        draft.meta.codec = Codec::ValueRow;
        table(&[draft.build()], &[], &[])
    };
    fine(check::entity(&value_row(Stamp::Version, "ver"), 0));
    fine(check::entity(&value_row(Stamp::Version, "revision"), 0));
    check(
        check::entity(&value_row(Stamp::Created, "meta"), 0),
        expect![
            "[D01] Team keeps its fields in `meta`, which is its stamp `created`; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    check(
        check::entity(&value_row(Stamp::Created, "ver"), 0),
        expect![
            "[D01] Team keeps its fields in `ver`, which is its stamp `created`; one of the two values would replace the other; name another attribute for one of them"
        ],
    );
    let key = TableMeta { sort_key: Some("when"), ..value_row(Stamp::Created, "when") };
    check(
        check::entity(&key, 0),
        expect![
            "[D01] field `created` of Team is written to `when`, which is the sort key of League; one of the two values would replace the other; rename the attribute of the field"
        ],
    );
}

#[test]
fn a_stamp_that_an_index_does_not_carry_makes_its_rows_incomplete() {
    let entity = versioned().index("GSI1", &["NAME#{name}"], &["{team_id}"]).build();
    let missing = |attributes| {
        let projection = Projection::Include(attributes);
        let index = IndexMeta { projection, ..index("GSI1") };
        let table = table(&[entity], &[index], &[]);
        super::super::attributes::missing_attribute(&table, &index, entity)
    };
    assert_eq!(missing(&["team_id", "name"]), Some("ver"));
    assert_eq!(missing(&["team_id", "name", "ver"]), None);
}
