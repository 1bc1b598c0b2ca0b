//! The list of all broken rules, and the same rules in a `const` evaluation.

use expect_test::expect;

use crate::check::{self, KeyUse, findings};
use crate::fixtures::{HERE, allow, index, pattern, player, table, team};
use crate::meta::{
    Codec, EntityMeta, KeyMeta, PatternMeta, PatternSetMeta, Segment, Shape, TableMeta, Template,
    TypeAttribute,
};
use crate::part::PartKind;

#[test]
fn every_broken_rule_is_listed_with_its_reason() {
    let player = player().key("TEAM#{team_id}", "{shirt}").allow("K04").build();
    let page = pattern("team_page", "TEAM#{team_id}", None, &[]);
    let page = PatternMeta { shape: Shape::All, allows: allow("P05"), ..page };
    let league = table(&[team().build(), player], &[index("GSI1")], &[page]);
    let lines: Vec<_> = findings(&league)
        .iter()
        .map(|finding| {
            let because = finding.because.unwrap_or("not allowed");
            format!("{}: {} ({because})\n", finding.subject, finding.message)
        })
        .collect();
    expect![[r#"
        entity Player: [K04] `{shirt}` in the sort key of Player is a number written without padding; keys sort as text, where 10 comes before 9 and -1 before -2; write `{shirt:010}` (the test wants it)
        entity Player: [K07] `{shirt}` in the sort key of Player can change; a key is never updated in place: the row would have to be deleted and written again; mark the field `#[immutable]`, or build the key from ids (not allowed)
        entity Player: [K03] Player has no literal first in "TEAM#{team_id}" / "{shirt}", where Team can lie in the same partition with "TEAM#{team_id}" / "METADATA"; nothing in the key keeps the entities apart; begin the template with a literal, such as the entity's name and `#` (not allowed)
        table League: [I03] index GSI1 of League is used by no pattern; every write pays for it and nothing reads it; remove the index, or declare the pattern that needs it (not allowed)
        pattern LeagueReads::team_page: [P05] pattern team_page returns all rows at once, however many there are; a collection grows until reading it takes many pages and too long; return `Rows` and page through them, or set their maximum number with `items_max` (the test wants it)
        pattern LeagueReads::team_page: [P03] pattern team_page also reads Team rows: "TEAM#{team_id}" / "METADATA" lies inside its key range; they are paid for, but are not of the types that the pattern returns; narrow the sort key, or add Team to the return type (not allowed)
        pattern LeagueReads::team_page: [P03] pattern team_page also reads Player rows: "TEAM#{team_id}" / "{shirt}" lies inside its key range; they are paid for, but are not of the types that the pattern returns; narrow the sort key, or add Player to the return type (not allowed)
    "#]].assert_eq(&lines.concat());
}

const TEAM_ID: Segment = Segment::Field {
    name: "team_id",
    position: 0,
    pad: 0,
    kind: PartKind::IDENTITY,
    is_optional: false,
};

const TEAM: EntityMeta = EntityMeta {
    name: "Team",
    doc: "",
    type_name: "TEAM",
    codec: Codec::Plain,
    fields: &[],
    key: KeyMeta {
        partition: Template {
            text: "TEAM#{team_id}",
            segments: &[Segment::Literal("TEAM#"), TEAM_ID],
        },
        sort: Some(Template { text: "METADATA", segments: &[Segment::Literal("METADATA")] }),
        shards: None,
    },
    indexes: &[],
    unique: &[],
    mirrors: &[],
    version: None,
    ttl: None,
    created: None,
    updated: None,
    rule: None,
    allows: &[],
    location: HERE,
};

const LEAGUE: TableMeta = TableMeta {
    name: "League",
    doc: "",
    table_name: "league",
    partition_key: "PK",
    sort_key: Some("SK"),
    type_attribute: TypeAttribute::ByKey,
    ttl_attribute: None,
    codec: None,
    indexes: &[],
    entities: &[&TEAM, &TEAM],
    shared_keys: &[],
    rules: &[],
    pattern_sets: &[&PatternSetMeta { name: "LeagueReads", doc: "", patterns: &[] }],
    targets: &[],
    allows: &[],
    location: HERE,
};

#[test]
fn the_compiler_finds_the_same() {
    const _: () = check::template(&TEAM, KeyUse::Partition).assert();
    const _: () = check::entity_rules(&TEAM).assert();
    const _: () = check::table(&LEAGUE).assert();
    const TWICE: check::Verdict = check::entity(&LEAGUE, 1);
    assert_eq!(TWICE.to_string(), check::entity(&LEAGUE, 1).to_string());
    assert_eq!(TWICE.rule().map(|rule| rule.code), Some("K01"));
}

#[test]
fn unreadable_declarations_break_no_rule() {
    let team: &EntityMeta = Box::leak(Box::new(EntityMeta::unreadable("Team")));
    let player = player().copy("user_id", "Team", "name").build();
    let get = pattern("team", "TEAM#{team_id}", None, &[team]);
    let roster = pattern("roster", "TEAM#{team_id}", None, &[player]);
    let league = table(&[team, player], &[], &[]);
    for verdict in [
        check::entity(&league, 0),
        check::entity(&league, 1),
        check::table(&league),
        check::pattern(&league, &get),
        check::pattern(&league, &roster),
    ] {
        super::fine(verdict);
    }
    let nowhere = TableMeta { partition_key: "", ..table(&[player], &[], &[]) };
    super::fine(check::pattern(&nowhere, &pattern("other", "NOTHING", None, &[player])));
}
