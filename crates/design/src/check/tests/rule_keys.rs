//! K01, K02, K03 and others: rule keys that conflict with entities and with each other.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{ID, TEXT, U32, allow, entity, index, pattern, player, rule, table, team};
use crate::meta::{EntityMeta, RuleKind, RuleMeta, SortTest, TableMeta};

fn active_game(sort: &'static str) -> &'static RuleMeta {
    rule(RuleKind::Guard, entity("ActiveGame", &[("team_id", ID)]).key("TEAM#{team_id}", sort))
}

fn with(entities: &[&'static EntityMeta], rules: &'static [&'static RuleMeta]) -> TableMeta {
    TableMeta { rules, ..table(entities, &[], &[]) }
}

fn keep(rules: &[&'static RuleMeta]) -> &'static [&'static RuleMeta] {
    Vec::leak(rules.to_vec())
}

#[test]
fn k01_a_rule_has_other_keys_than_entities() {
    fine(check::rule(&with(&[team().build()], keep(&[active_game("ACTIVE_GAME")])), 0));
    let clash = keep(&[active_game("METADATA")]);
    check(
        check::rule(&with(&[team().build()], clash), 0),
        expect![[
            r#"[K01] Team and the rule key ActiveGame can produce the same primary key: "TEAM#{team_id}" / "METADATA" overlaps "TEAM#{team_id}" / "METADATA"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    let allowed = TableMeta { allows: allow("K01"), ..with(&[team().build()], clash) };
    fine(check::rule(&allowed, 0));
    fine(check::rule(&with(&[team().allow("K01").build()], clash), 0));
}

#[test]
fn k01_counts_the_rows_of_constraints_and_mirrors() {
    let unique = team().unique("name", ["NAME#{name}", "UNIQUE"]).build();
    let name = entity("Name", &[("name", TEXT)]).key("NAME#{name}", "UNIQUE");
    check(
        check::rule(&with(&[unique], keep(&[rule(RuleKind::Guard, name.clone())])), 0),
        expect![[
            r#"[K01] the unique constraint name of Team and the rule key Name can produce the same primary key: "NAME#{name}" / "UNIQUE" overlaps "NAME#{name}" / "UNIQUE"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    let mirrored = player().mirror("Player", Some(["NAME#{player_id}", "UNIQUE"])).build();
    let verdict = check::rule(&with(&[mirrored], keep(&[rule(RuleKind::Guard, name)])), 0);
    assert_eq!(verdict.rule().map(|rule| rule.code), Some("K01"));
}

#[test]
fn k01_two_rules_have_different_keys() {
    let count = entity("Games", &[("team_id", ID)]).key("TEAM#{team_id}", "ACTIVE_GAME");
    let clash = keep(&[active_game("ACTIVE_GAME"), rule(RuleKind::Counter, count)]);
    fine(check::rule(&with(&[team().build()], clash), 0));
    check(
        check::rule(&with(&[team().build()], clash), 1),
        expect![[
            r#"[K01] the rule key ActiveGame and the rule key Games can produce the same primary key: "TEAM#{team_id}" / "ACTIVE_GAME" overlaps "TEAM#{team_id}" / "ACTIVE_GAME"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
}

#[test]
fn k01_a_snapshot_does_not_have_the_key_of_an_event() {
    let log = |snapshot| {
        let log = entity("Plays", &[("game_id", ID), ("seq", U32)])
            .key("PLAYS#{game_id}", "LOG#{seq:06}")
            .mirror("Plays", Some(["PLAYS#{game_id}", snapshot]));
        keep(&[rule(RuleKind::Log, log)])
    };
    fine(check::rule(&with(&[team().build()], log("STATE")), 0));
    check(
        check::rule(&with(&[team().build()], log("LOG#000000")), 0),
        expect![[
            r#"[K01] the rule key Plays and the rule key Plays can produce the same primary key: "PLAYS#{game_id}" / "LOG#{seq:06}" overlaps "PLAYS#{game_id}" / "LOG#000000"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
}

#[test]
fn k02_a_rule_does_not_begin_like_an_entity_that_a_pattern_reads() {
    let one = player().build();
    let places = entity("PlayerPlaces", &[("team_id", ID), ("season_id", ID)])
        .key("TEAM#{team_id}", "PLAYER#PLACES#{season_id}");
    let places = rule(RuleKind::Counter, places);
    let roster = |returns: &[&'static EntityMeta]| {
        pattern("roster", "TEAM#{team_id}", Some((SortTest::BeginsWith, "PLAYER#")), returns)
    };
    let league = TableMeta { rules: keep(&[places]), ..table(&[one], &[], &[roster(&[one])]) };
    check(
        check::rule(&league, 0),
        expect![[
            r#"[K02] the sort key "PLAYER#PLACES#{season_id}" of the rule key PlayerPlaces begins like "PLAYER#{player_id}" of Player in the same partition, and pattern roster does not return both; `begins_with` on the shorter literal finds both; end the shorter literal with a delimiter that the longer one lacks there, or return both entities"#
        ]],
    );
    fine(check::rule(&with(&[one], keep(&[places])), 0));
}

#[test]
fn k03_a_rule_with_any_key_is_found() {
    let draft = entity("Values", &[("pk", TEXT), ("sk", TEXT)]).key("{pk}", "{sk}");
    let values = rule(RuleKind::Record, draft.clone().allow("K01"));
    check(
        check::rule(&with(&[team().build()], keep(&[values])), 0),
        expect![[
            r#"[K03] the rule key Values has no literal first in "{pk}" / "{sk}", where Team can lie in the same partition with "TEAM#{team_id}" / "METADATA"; nothing in the key keeps the entities apart; begin the template with a literal, such as the entity's name and `#`"#
        ]],
    );
    let mut both = draft;
    both.meta.allows = Vec::leak([allow("K01"), allow("K03")].concat());
    let values = rule(RuleKind::Record, both);
    let note = entity("Note", &[("team_id", ID), ("note_id", ID)]).key("N#{team_id}", "{note_id}");
    fine(check::rule(&with(&[team().build(), note.build()], keep(&[values])), 0));
    let shared = check::SharedKeys::<1>::of(&[team().build()], keep(&[values]), &[]);
    assert_eq!(shared.entities().len(), 1);
}

#[test]
fn an_entity_reads_the_rows_of_its_rule() {
    let active = active_game("ACTIVE_GAME");
    let mut reader =
        entity("Playing", &[("team_id", ID), ("game_id", ID)]).key("TEAM#{team_id}", "ACTIVE_GAME");
    reader.meta.rule = Some(active);
    let reader = reader.build();
    let playing =
        pattern("playing", "TEAM#{team_id}", Some((SortTest::BeginsWith, "ACTIVE")), &[reader]);
    let league = TableMeta { rules: keep(&[active]), ..table(&[reader], &[], &[playing]) };
    fine(check::entity(&league, 0));
    fine(check::rule(&league, 0));
    check(
        check::entity(&with(&[reader], &[]), 0),
        expect![
            "[W06] Playing reads the rows of the rule key ActiveGame, which is not in League; nothing writes such rows; add it to `rules(…)` of the `table!`"
        ],
    );
    let moved = keep(&[active_game("GAME")]);
    let mut reader = *reader;
    reader.rule = Some(moved[0]);
    check(
        check::entity(&with(&[Box::leak(Box::new(reader))], moved), 0),
        expect![
            "[W06] Playing reads the rows of the rule key ActiveGame, which have other keys; it would never find one of them; give both the same templates"
        ],
    );
}

#[test]
fn d02_rule_keys_and_entities_have_different_names() {
    let draft = entity("Team", &[("team_id", ID)]).key("GUARD#{team_id}", "GUARD");
    check(
        check::rule(&with(&[team().build()], keep(&[rule(RuleKind::Guard, draft)])), 0),
        expect![
            "[D02] League has two declarations Team; documents and messages know entities and rule keys by the names of their structs; rename one of the structs"
        ],
    );
}

#[test]
fn d01_rules_write_no_key_attribute() {
    let mut active = *active_game("ACTIVE_GAME");
    active.attributes.value = "GSI1PK";
    let mut gsi1 = index("GSI1");
    gsi1.partition = &["GSI1PK"];
    let league = TableMeta {
        rules: keep(&[Box::leak(Box::new(active))]),
        ..table(&[team().build()], &[gsi1], &[])
    };
    check(
        check::rule(&league, 0),
        expect![
            "[D01] the rule key ActiveGame writes `GSI1PK`, which is a key of an index of League; DynamoDB refuses a key of another type, and readers can't know its meaning; name another attribute"
        ],
    );
    // A guard has no lease.
    let mut active = *active_game("ACTIVE_GAME");
    active.attributes.lease = "PK";
    fine(check::rule(&with(&[team().build()], keep(&[Box::leak(Box::new(active))])), 0));
}

#[test]
fn rule_keys_are_among_the_findings() {
    let league = with(&[team().build()], keep(&[active_game("METADATA")]));
    let findings = check::findings(&league);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].subject, "rule key ActiveGame");
}
