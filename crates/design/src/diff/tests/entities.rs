//! Entities, apart from their fields.

use expect_test::expect;

use super::{check, entity};
use crate::ir::{Codec, EntityIndex, Key, Mirror, Shards, Unique};

#[test]
fn an_entity_that_is_new() {
    check(
        |design| {
            let mut coach = entity(design, "TeamName").clone();
            (coach.name, coach.type_name) = ("Coach".to_owned(), "Coach".to_owned());
            coach.key.sort = Some("COACH#{name}".to_owned());
            design.entities.push(coach);
        },
        expect![[r#"
            entity Coach is new
        "#]],
    );
}

#[test]
fn an_entity_that_is_gone() {
    check(
        |design| {
            design.entities.retain(|entity| entity.name != "TeamName");
            entity(design, "Team").mirrors.clear();
        },
        expect![[r#"
            Team is no longer written as TeamName
            entity TeamName is gone
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete every TeamName row, if they are no longer needed.
        "#]],
    );
}

#[test]
fn an_entity_that_is_gone_with_its_second_rows() {
    check(
        |design| drop(design.entities.remove(0)),
        expect![[r#"
            entity Team is gone
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete every Team row, and the rows of its unique constraints and mirrors, if they are no longer needed.
        "#]],
    );
}

#[test]
fn an_entity_with_another_name() {
    check(
        |design| {
            entity(design, "TeamName").name = "ClubName".to_owned();
            entity(design, "Team").mirrors[0].entity = "ClubName".to_owned();
            let game = entity(design, "Game");
            game.name = "Match".to_owned();
            game.mirrors[0].entity = "Match".to_owned();
        },
        expect![[r#"
            entity Game is called Match now
            entity TeamName is called ClubName now
        "#]],
    );
}

#[test]
fn another_type() {
    check(
        |design| entity(design, "Team").type_name = "CLUB".to_owned(),
        expect![[r#"
        the type of Team rows was `TEAM` and is `CLUB`
        --
        1. Migrate, since the type of Team rows was `TEAM` and is `CLUB`: rows with the old type are no longer read; keep the old type with `#[entity(type = "…")]`, or write the new one into every row before readers ask for it.
    "#]],
    );
    check(
        |design| {
            design.type_attribute = None;
            entity(design, "Team").type_name = "CLUB".to_owned();
        },
        expect![[r#"
            the type of a row was in `ItemType` and is in no attribute
            the type of Team rows was `TEAM` and is `CLUB`
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
fn another_codec() {
    check(
        |design| entity(design, "Team").codec = Codec::Envelope { data: "data".to_owned() },
        expect![[r#"
            the codec of Team was plain and is an envelope in `data`
            --
            1. Migrate, since the codec of Team was plain and is an envelope in `data`: rows of the old form can't be read in the new one; declare a new entity in addition to this one, copy every row, and then remove this one.
        "#]],
    );
}

#[test]
fn another_primary_key() {
    check(
        |design| entity(design, "Team").key.sort = Some("TEAM".to_owned()),
        expect![[r#"
            the key of Team was `TEAM#{team_id}` / `METADATA` and is `TEAM#{team_id}` / `TEAM`
            --
            1. Migrate, since the key of Team was `TEAM#{team_id}` / `METADATA` and is `TEAM#{team_id}` / `TEAM`: the key of a row can't be changed; declare a new entity with the new key beside this one, write both, copy every row, and remove this one then.
        "#]],
    );
    check(
        |design| {
            entity(design, "Player").key = Key {
                partition: "TEAM#{team_id}#{shard}".to_owned(),
                sort: Some("PLAYER#{player_id}".to_owned()),
                shards: Some(Shards { count: 8, by: "player_id".to_owned() }),
            };
        },
        expect![[r#"
            the key of Player was `TEAM#{team_id}` / `PLAYER#{player_id}` and is `TEAM#{team_id}#{shard}` / `PLAYER#{player_id}` over 8 partitions by `player_id`
            --
            1. Migrate, since the key of Player was `TEAM#{team_id}` / `PLAYER#{player_id}` and is `TEAM#{team_id}#{shard}` / `PLAYER#{player_id}` over 8 partitions by `player_id`: the key of a row can't be changed; declare a new entity with the new key beside this one, write both, copy every row, and remove this one then.
        "#]],
    );
}

#[test]
fn keys_for_an_index() {
    let keys = |index: &str, sort: &str| EntityIndex {
        index: index.to_owned(),
        partition: if index == "GSI4" { vec!["TEAMS".to_owned()] } else { Vec::new() },
        sort: vec![sort.to_owned()],
        is_sparse: false,
        shards: None,
    };
    check(
        |design| entity(design, "Team").indexes.push(keys("GSI4", "TEAM#{name}")),
        expect![[r#"
            Team newly writes the keys of index GSI4
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI4.
            3. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    // The attribute is a field that rows have already.
    check(
        |design| {
            design.indexes[1].sort = vec!["name".to_owned()];
            entity(design, "Team").indexes.push(keys("BySize", "{name}"));
        },
        expect![[r#"
            index BySize was local, partition key `PK`, sort key `shirt`, with keys and `ItemType`, `name`, and is local, partition key `PK`, sort key `name`, with keys and `ItemType`, `name`
            Team newly writes the keys of index BySize
            --
            1. Migrate, since index BySize was local, partition key `PK`, sort key `shirt`, with keys and `ItemType`, `name`, and is local, partition key `PK`, sort key `name`, with keys and `ItemType`, `name`: an index is never changed after it is created; create another table and copy every row.
        "#]],
    );
    check(
        |design| entity(design, "Player").indexes[0].sort = vec!["SHIRT#{shirt:010}".to_owned()],
        expect![[r#"
            the keys of Player for index GSI4 were `USER#{user_id}` / `PLAYER#{player_id}` (sparse) and are `USER#{user_id}` / `SHIRT#{shirt:010}` (sparse)
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI4.
            3. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| entity(design, "Player").indexes[0].is_sparse = false,
        expect![[r#"
            the keys of Player for index GSI4 were `USER#{user_id}` / `PLAYER#{player_id}` (sparse) and are `USER#{user_id}` / `PLAYER#{player_id}`
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI4.
            3. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| entity(design, "Player").indexes.clear(),
        expect![[r#"
            Player no longer writes the keys of index GSI4
            Player no longer writes the keys of index BySize
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Remove `GSI4PK`, `GSI4SK` from every Player row, if no longer needed.
        "#]],
    );
}

#[test]
fn an_index_that_is_replaced_by_another() {
    check(
        |design| {
            let mut replaced = design.indexes[0].clone();
            replaced.name = "GSI5".to_owned();
            replaced.partition = vec!["GSI5PK".to_owned()];
            design.indexes[0] = replaced;
            entity(design, "Player").indexes[0].index = "GSI5".to_owned();
        },
        expect![[r#"
            index GSI5 is new: global, partition key `GSI5PK`, sort key `GSI4SK`, with all attributes
            index GSI4 is gone
            Player newly writes the keys of index GSI5
            Player no longer writes the keys of index GSI4
            --
            1. Create the index GSI5 (global, partition key `GSI5PK`, sort key `GSI4SK`, with all attributes), and wait until it is active.
            2. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            3. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the keys of index GSI5.
            4. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            5. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            6. Delete the index GSI4, and wait until it is gone.
            7. Remove `GSI4PK` from every Player row, if no longer needed.
        "#]],
    );
}

#[test]
fn unique_constraints() {
    let shirt = || Unique {
        name: "team_shirt".to_owned(),
        fields: vec!["team_id".to_owned(), "shirt".to_owned()],
        is_sparse: false,
        partition: "UNIQUE#Player#team_shirt#{team_id}#{shirt}".to_owned(),
        sort: "UNIQUE".to_owned(),
        is_released: true,
    };
    check(
        |design| entity(design, "Player").unique.push(shirt()),
        expect![[r#"
            the unique constraint `team_shirt` of Player is new
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the rows of the unique constraint `team_shirt`.
            3. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| entity(design, "Team").unique[0].partition = "NAME#{name}".to_owned(),
        expect![[r#"
            the unique constraint `name` of Team was `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released, and is `name` over `name`, kept by `NAME#{name}` / `UNIQUE`, released
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the rows of the unique constraint `name`.
            3. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            5. Delete the rows of the unique constraint `name` of Team under `UNIQUE#Team#name#{name}` / `UNIQUE`, if they are no longer needed.
        "#]],
    );
    check(
        |design| entity(design, "Team").unique[0].name = "title".to_owned(),
        expect![[r#"
            the unique constraint `title` of Team was `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released, and is `title` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released
        "#]],
    );
    check(
        |design| entity(design, "Team").unique[0].is_sparse = true,
        expect![[r#"
            the unique constraint `name` of Team was `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released, and is `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released, sparse
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the rows of the unique constraint `name`.
            3. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| entity(design, "Team").unique[0].is_released = false,
        expect![[r#"
            the unique constraint `name` of Team was `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, released, and is `name` over `name`, kept by `UNIQUE#Team#name#{name}` / `UNIQUE`, never released
        "#]],
    );
    check(
        |design| entity(design, "Team").unique.clear(),
        expect![[r#"
            the unique constraint `name` of Team is gone
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete the rows of the unique constraint `name` of Team, if they are no longer needed.
        "#]],
    );
}

#[test]
fn derived_rows_of_an_entity() {
    let mirror = || {
        let sort = Some("METADATA".to_owned());
        let key = Key { partition: "PLAYER#{player_id}".to_owned(), sort, shards: None };
        Mirror { entity: "Player".to_owned(), key: Some(key) }
    };
    check(
        |design| entity(design, "Player").mirrors.push(mirror()),
        expect![[r#"
            Player is newly written as Player under `PLAYER#{player_id}` / `METADATA`
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the row written as Player under `PLAYER#{player_id}` / `METADATA`.
            3. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| entity(design, "Team").mirrors.clear(),
        expect![[r#"
            Team is no longer written as TeamName
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete the rows of Team written as TeamName, if they are no longer needed.
        "#]],
    );
    check(
        |design| entity(design, "Game").mirrors.clear(),
        expect![[r#"
            Game is no longer written as Game under `GAME#{game_id}` / `METADATA`
            --
            1. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            2. Delete the rows of Game written as Game under `GAME#{game_id}` / `METADATA`, if they are no longer needed.
        "#]],
    );
}

#[test]
fn another_role_of_a_field() {
    check(
        |design| {
            let player = entity(design, "Player");
            (player.version, player.updated) = (None, Some("shirt".to_owned()));
            entity(design, "Game").created = Some("start".to_owned());
            entity(design, "Game").ttl = Some("start".to_owned());
        },
        expect![[r#"
            the version of Player was `shirt` and is no field
            the time of the last change of Player was no field and is `shirt`
            the expiry of Game was no field and is `start`
            the time of creation of Game was no field and is `start`
        "#]],
    );
}
