//! Permissions that permit nothing.

use expect_test::{Expect, expect};

use crate::check::unneeded_allows;
use crate::fixtures::{Draft, allow, example, index, pattern, player, table, team};
use crate::meta::{Allow, PatternMeta, Shape, TableMeta};

#[track_caller]
fn check(table: &TableMeta, expected: Expect) {
    let lines: Vec<_> =
        unneeded_allows(table).iter().map(|unneeded| format!("{unneeded}\n")).collect();
    expected.assert_eq(&lines.concat());
}

/// Returns an entity with several permissions.
fn allowing(mut draft: Draft, rules: &[&'static str]) -> Draft {
    let allows: Vec<_> = rules.iter().flat_map(|rule| allow(rule)).copied().collect();
    draft.meta.allows = Vec::leak(allows);
    draft
}

#[test]
fn a_permission_for_a_broken_rule_is_needed() {
    let player = player().key("TEAM#{team_id}", "P#{shirt:04}");
    check(
        &table(&[allowing(player, &["K05", "K07", "K04"]).build()], &[], &[]),
        expect![[r#"
            entity Player allows K04, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}

#[test]
fn of_two_permissions_for_the_same_one_is_needed() {
    let mut gsi1 = index("GSI1");
    gsi1.allows = allow("I03");
    let table = TableMeta { allows: allow("I03"), ..table(&[team().build()], &[gsi1], &[]) };
    check(
        &table,
        expect![[r#"
            table League allows I03, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}

#[test]
fn a_permission_of_the_other_entity_or_of_the_table_is_needed() {
    let one = || player().key("TEAM#{team_id}", "{player_id}");
    let mut other = team();
    (other.meta.name, other.meta.type_name) = ("Other", "Other");
    let tables = [
        table(&[team().allow("K01").build(), other.clone().build()], &[], &[]),
        TableMeta { allows: allow("K03"), ..table(&[team().build(), one().build()], &[], &[]) },
    ];
    tables.iter().for_each(|table| check(table, expect![""]));
}

#[test]
fn permissions_where_no_rule_applies() {
    let team = team().allow("P05").build();
    let roster = pattern("roster", "TEAM#{team_id}", None, &[team]);
    let roster = PatternMeta { shape: Shape::All, allows: allow("K05"), ..roster };
    let mut gsi1 = index("GSI1");
    gsi1.allows = allow("W02");
    check(
        &TableMeta { allows: allow("X99"), ..table(&[team], &[gsi1], &[roster]) },
        expect![[r#"
            entity Team allows P05, but nothing breaks that rule; remove the `allow`
            index GSI1 allows W02, but nothing breaks that rule; remove the `allow`
            table League allows X99, but nothing breaks that rule; remove the `allow`
            pattern LeagueReads::roster allows K05, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}

#[test]
fn declarations_outside_the_table_are_not_judged() {
    let rules = ["W01", "W02", "W03", "D04"];
    let mut versioned = allowing(player(), &rules);
    versioned.meta.version = Some(versioned.position("shirt"));
    check(
        &table(&[versioned.build()], &[], &[]),
        expect![[r#"
            entity Player allows W03, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}

#[test]
fn a_permission_without_a_reason_permits_nothing() {
    let mut player = player().key("TEAM#{team_id}", "P#{shirt:04}");
    player.meta.allows = &[Allow { rule: "K05", because: "" }];
    check(
        &table(&[player.build()], &[], &[]),
        expect![[r#"
            entity Player allows K05, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}

#[test]
fn the_running_example_has_one() {
    check(
        &example(),
        expect![[r#"
            entity Game allows K05, but nothing breaks that rule; remove the `allow`
            rule key Plays allows K05, but nothing breaks that rule; remove the `allow`
        "#]],
    );
}
