//! K01, K02, K03: entities that get in each other's way.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{ID, TEXT, allow, entity, index, pattern, player, table, team};
use crate::meta::{EntityMeta, SortTest};

#[test]
fn k01_two_entities_have_different_keys() {
    let coach = || {
        entity("Coach", &[("team_id", ID), ("name", TEXT)]).key("TEAM#{team_id}", "PLAYER#{name}")
    };
    let clash = table(&[team().build(), player().build(), coach().build()], &[], &[]);
    fine(check::entity(&clash, 1));
    check(
        check::entity(&clash, 2),
        expect![[
            r#"[K01] Player and Coach can produce the same primary key: "TEAM#{team_id}" / "PLAYER#{player_id}" overlaps "TEAM#{team_id}" / "PLAYER#{name}"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    fine(check::entity(&table(&[player().build(), coach().allow("K01").build()], &[], &[]), 1));
    fine(check::entity(&table(&[player().allow("K01").build(), coach().build()], &[], &[]), 1));
    let apart = coach().key("TEAM#{team_id}", "COACH#{name}").build();
    fine(check::entity(&table(&[player().build(), apart], &[], &[]), 1));
}

#[test]
fn k01_free_text_can_swallow_a_delimiter() {
    let note = entity("Note", &[("text", TEXT)]).key("TEAM#{text}", "NOTE#{text}").build();
    let deep = entity("Page", &[("team_id", ID), ("page_id", ID)])
        .key("TEAM#{team_id}#PAGES", "NOTE#{page_id}")
        .build();
    check(
        check::entity(&table(&[note, deep], &[], &[]), 1),
        expect![[
            r#"[K01] Note and Page can produce the same primary key: "TEAM#{text}" / "NOTE#{text}" overlaps "TEAM#{team_id}#PAGES" / "NOTE#{page_id}"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    let typed = entity("Note", &[("text", ID)]).key("TEAM#{text}", "NOTE#{text}").build();
    fine(check::entity(&table(&[typed, deep], &[], &[]), 1));
}

#[test]
fn k01_counts_the_rows_of_constraints_and_mirrors() {
    let unique = team().unique("name", ["TEAM#{name}", "METADATA"]).build();
    check(
        check::entity(&table(&[unique], &[], &[]), 0),
        expect![[
            r#"[K01] Team and the unique constraint name of Team can produce the same primary key: "TEAM#{team_id}" / "METADATA" overlaps "TEAM#{name}" / "METADATA"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    let mirrored = player().mirror("Player", Some(["PLAYER#{player_id}", "METADATA"])).build();
    let other =
        entity("Profile", &[("player_id", ID)]).key("PLAYER#{player_id}", "METADATA").build();
    check(
        check::entity(&table(&[mirrored, other], &[], &[]), 1),
        expect![[
            r#"[K01] Player and Profile can produce the same primary key: "PLAYER#{player_id}" / "METADATA" overlaps "PLAYER#{player_id}" / "METADATA"; one row would silently replace the other; give one of them a literal of its own in the partition key or the sort key"#
        ]],
    );
    fine(check::entity(&table(&[mirrored, team().build()], &[], &[]), 1));
}

#[test]
fn k02_literals_must_not_be_prefixes_of_others() {
    let stats = || {
        entity("Stats", &[("team_id", ID), ("stats_id", ID)])
            .key("TEAM#{team_id}", "PLAYER#STATS#{stats_id}")
    };
    let (one, other) = (player().build(), stats().build());
    let roster = |returns: &[&'static EntityMeta]| {
        pattern("roster", "TEAM#{team_id}", Some((SortTest::BeginsWith, "PLAYER#")), returns)
    };
    check(
        check::entity(&table(&[one, other], &[], &[roster(&[one])]), 1),
        expect![[
            r#"[K02] the sort key "PLAYER#STATS#{stats_id}" of Stats begins like "PLAYER#{player_id}" of Player in the same partition, and pattern roster does not return both; `begins_with` on the shorter literal finds both; end the shorter literal with a delimiter that the longer one lacks there, or return both entities"#
        ]],
    );
    fine(check::entity(&table(&[one, other], &[], &[roster(&[one, other])]), 1));
    fine(check::entity(&table(&[one, other], &[], &[]), 1));
    let allowed = stats().allow("K02").build();
    fine(check::entity(&table(&[one, allowed], &[], &[roster(&[one])]), 1));
    let narrow = Some((SortTest::BeginsWith as fn(_) -> _, "PLAYER#STATS#"));
    let narrow = pattern("stats", "TEAM#{team_id}", narrow, &[other]);
    fine(check::entity(&table(&[one, other], &[], &[narrow]), 1));
}

#[test]
fn k03_shared_partitions_have_literals_first() {
    let open =
        || entity("Note", &[("team_id", ID), ("note_id", ID)]).key("TEAM#{team_id}", "{note_id}");
    let shared = table(&[open().build(), player().build()], &[], &[]);
    check(
        check::entity(&shared, 0),
        expect![[
            r#"[K03] Note has no literal first in "TEAM#{team_id}" / "{note_id}", where Player can lie in the same partition with "TEAM#{team_id}" / "PLAYER#{player_id}"; nothing in the key keeps the entities apart; begin the template with a literal, such as the entity's name and `#`"#
        ]],
    );
    fine(check::entity(&table(&[open().allow("K03").build(), player().build()], &[], &[]), 0));
    let alone = open().key("NOTES#{team_id}", "{note_id}").build();
    fine(check::entity(&table(&[alone, player().build()], &[], &[]), 0));
}

#[test]
fn k03_applies_to_indexes_but_not_to_native_keys() {
    let games = entity("Game", &[("day", TEXT), ("game_id", ID)]).key("GAME#{game_id}", "METADATA");
    let games = games.index("GSI1", &["ALL"], &["{day}"]).build();
    let teams = team().index("GSI1", &["ALL"], &["TEAM#{team_id}"]).build();
    check(
        check::entity(&table(&[games, teams], &[index("GSI1")], &[]), 0),
        expect![[
            r#"[K03] Game has no literal first in "ALL" / "{day}" of index GSI1, where Team can lie in the same partition with "ALL" / "TEAM#{team_id}"; nothing in the key keeps the entities apart; begin the template with a literal, such as the entity's name and `#`"#
        ]],
    );
    let mut native = index("GSI1");
    native.sort = &["day"];
    fine(check::entity(&table(&[games, teams], &[native], &[]), 0));
}

#[test]
fn entities_that_share_keys_by_permission_are_known_to_the_compiler() {
    let coach = || {
        entity("Coach", &[("team_id", ID), ("name", TEXT)]).key("TEAM#{team_id}", "PLAYER#{name}")
    };
    let names = |entities: &[&'static EntityMeta], allows| {
        let shared = check::SharedKeys::<3>::of(entities, &[], allows);
        shared.entities().iter().map(|entity| entity.name).collect::<Vec<_>>()
    };
    let apart = [team().build(), player().build()];
    assert_eq!(names(&apart, allow("K01")), [""; 0]);
    let shared = [team().build(), player().build(), coach().allow("K01").build()];
    assert_eq!(names(&shared, &[]), ["Player", "Coach"]);
    let shared = [team().build(), player().build(), coach().build()];
    assert_eq!(names(&shared, allow("K01")), ["Player", "Coach"]);
    let sentinel = team().unique("name", ["TEAM#{name}", "METADATA"]).allow("K01").build();
    assert_eq!(names(&[sentinel], &[]), ["Team"]);
}
