//! The table, its indexes and its patterns.

use expect_test::expect;

use super::{between, check};
use crate::Design;
use crate::fixtures::example;
use crate::ir::{Index, IndexKind, Projection};

fn index(name: &str) -> Index {
    Index {
        name: name.to_owned(),
        kind: IndexKind::Global,
        partition: vec![format!("{name}PK")],
        sort: vec![format!("{name}SK")],
        projection: Projection::All,
        allows: Vec::new(),
    }
}

#[test]
fn nothing_changed() {
    check(|_| {}, expect![""]);
}

#[test]
fn the_name_of_the_table() {
    check(
        |design| design.table_name = "liga".to_owned(),
        expect![[r#"
        the table's name was `league-{environment}` and is `liga`
        --
        1. Migrate, since the table's name was `league-{environment}` and is `liga`: a table can't be renamed; keep the name, or create the other table and copy every row.
    "#]],
    );
}

#[test]
fn the_key_of_the_table() {
    check(
        |design| design.sort_key = None,
        expect![[r#"
        the table's key was `PK`, `SK` and is `PK`
        --
        1. Migrate, since the table's key was `PK`, `SK` and is `PK`: the key of a table is fixed when it is created; keep the names, or create another table and copy every row.
    "#]],
    );
}

#[test]
fn the_type_of_rows_in_another_attribute() {
    check(
        |design| design.type_attribute = Some("type".to_owned()),
        expect![[r#"
            the type of a row was in `ItemType` and is in `type`
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the type of the row to `type`.
            3. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the type of the row to `type`.
            4. Backfill Game with `store.backfill::<Game>(cursor, rows)` until there is no next cursor: it writes the type of the row to `type`.
            5. Backfill TeamName with `store.backfill::<TeamName>(cursor, rows)` until there is no next cursor: it writes the type of the row to `type`.
            6. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            7. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            8. Verify Game: a second backfill repairs nothing, finds no conflict and passes over no row.
            9. Verify TeamName: a second backfill repairs nothing, finds no conflict and passes over no row.
            10. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            11. Remove `ItemType` from every Team row, if no longer needed.
            12. Remove `ItemType` from every Player row, if no longer needed.
            13. Remove `ItemType` from every Game row, if no longer needed.
            14. Remove `ItemType` from every TeamName row, if no longer needed.
        "#]],
    );
}

#[test]
fn the_type_of_rows_by_their_keys() {
    check(
        |design| design.type_attribute = None,
        expect![[r#"
            the type of a row was in `ItemType` and is in no attribute
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Remove `ItemType` from every Team row, if no longer needed.
            3. Remove `ItemType` from every Player row, if no longer needed.
            4. Remove `ItemType` from every Game row, if no longer needed.
            5. Remove `ItemType` from every TeamName row, if no longer needed.
        "#]],
    );
}

#[test]
fn the_expiry() {
    check(
        |design| design.ttl_attribute = Some("expires".to_owned()),
        expect![[r#"
        the expiry of a row was in `ttl` and is in `expires`
        --
        1. Stop the expiry by `ttl`, and let rows expire by `expires` an hour later: DynamoDB takes one such change an hour.
    "#]],
    );
    check(
        |design| design.ttl_attribute = None,
        expect![[r#"
            the expiry of a row was in `ttl` and is in no attribute
            --
            1. Stop the expiry by `ttl`: rows stay until they are deleted.
        "#]],
    );
}

#[test]
fn the_first_expiry() {
    let newer = Design::of(&example());
    let older = Design { ttl_attribute: None, ..newer.clone() };
    between(
        &older,
        &newer,
        expect![[r#"
        the expiry of a row was in no attribute and is in `ttl`
        --
        1. Let rows expire by `ttl`, when no row has a wrong time there.
    "#]],
    );
}

#[test]
fn the_order_of_a_projection_and_the_shared_key_are_irrelevant() {
    check(
        |design| {
            let names = ["name".to_owned(), "ItemType".to_owned()];
            design.indexes[1].projection = Projection::Include(names.to_vec());
            design.indexes[1].partition.clear();
        },
        expect![""],
    );
}

#[test]
fn new_indexes_one_after_the_other() {
    check(
        |design| design.indexes.extend([index("GSI5"), index("GSI6")]),
        expect![[r#"
            index GSI5 is new: global, partition key `GSI5PK`, sort key `GSI5SK`, with all attributes
            index GSI6 is new: global, partition key `GSI6PK`, sort key `GSI6SK`, with all attributes
            --
            1. Create the index GSI5 (global, partition key `GSI5PK`, sort key `GSI5SK`, with all attributes), and wait until it is active.
            2. Create the index GSI6 (global, partition key `GSI6PK`, sort key `GSI6SK`, with all attributes), and wait until it is active.
            3. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn a_new_local_index() {
    check(
        |design| {
            let mut by_name = index("ByName");
            (by_name.kind, by_name.partition) = (IndexKind::Local, Vec::new());
            by_name.projection = Projection::KeysOnly;
            design.indexes.push(by_name);
        },
        expect![[r#"
            index ByName is new: local, sort key `ByNameSK`, with keys only
            --
            1. Migrate, since index ByName is new: local, sort key `ByNameSK`, with keys only: a local index is created with its table only; declare a global index, or create another table and copy every row.
        "#]],
    );
}

#[test]
fn an_index_that_is_gone() {
    check(
        |design| drop(design.indexes.remove(0)),
        expect![[r#"
            index GSI4 is gone
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete the index GSI4, and wait until it is gone.
        "#]],
    );
    check(
        |design| drop(design.indexes.remove(1)),
        expect![[r#"
        index BySize is gone
        --
        1. Migrate, since index BySize is gone: a local index goes with its table only; leave it, or create another table and copy every row.
    "#]],
    );
}

#[test]
fn the_key_or_the_projection_of_an_index() {
    check(
        |design| design.indexes[0].sort.push("name".to_owned()),
        expect![[r#"
        index GSI4 was global, partition key `GSI4PK`, sort key `GSI4SK`, with all attributes, and is global, partition key `GSI4PK`, sort key `GSI4SK`, `name`, with all attributes
        --
        1. Migrate, since index GSI4 was global, partition key `GSI4PK`, sort key `GSI4SK`, with all attributes, and is global, partition key `GSI4PK`, sort key `GSI4SK`, `name`, with all attributes: an index is never changed after it is created; declare it under another name and leave the old one until nothing reads it.
    "#]],
    );
    check(
        |design| design.indexes[0].projection = Projection::KeysOnly,
        expect![[r#"
        index GSI4 was global, partition key `GSI4PK`, sort key `GSI4SK`, with all attributes, and is global, partition key `GSI4PK`, sort key `GSI4SK`, with keys only
        --
        1. Migrate, since index GSI4 was global, partition key `GSI4PK`, sort key `GSI4SK`, with all attributes, and is global, partition key `GSI4PK`, sort key `GSI4SK`, with keys only: an index is never changed after it is created; declare it under another name and leave the old one until nothing reads it.
    "#]],
    );
    check(
        |design| design.indexes[1].sort = vec!["name".to_owned()],
        expect![[r#"
        index BySize was local, partition key `PK`, sort key `shirt`, with keys and `ItemType`, `name`, and is local, partition key `PK`, sort key `name`, with keys and `ItemType`, `name`
        --
        1. Migrate, since index BySize was local, partition key `PK`, sort key `shirt`, with keys and `ItemType`, `name`, and is local, partition key `PK`, sort key `name`, with keys and `ItemType`, `name`: an index is never changed after it is created; create another table and copy every row.
    "#]],
    );
}

#[test]
fn changed_patterns_are_reported_and_need_no_step() {
    check(
        |design| {
            let patterns = &mut design.pattern_sets[0].patterns;
            patterns[0].is_consistent = true;
            patterns[1].doc = "Told in other words.".to_owned();
            patterns[2].name = "games".to_owned();
        },
        expect![[r#"
            pattern LeagueReads::games is new
            pattern LeagueReads::team has other arguments, another request or another result
            pattern LeagueReads::season is gone
        "#]],
    );
}
