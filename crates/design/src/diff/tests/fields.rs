//! Fields of entities.

use expect_test::expect;

use super::{between, check, entity, field};
use crate::Design;
use crate::fixtures::example;
use crate::ir::{Codec, CopyOf, Field, Form, WireType};

#[test]
fn a_field_that_is_new() {
    check(
        |design| {
            let mut motto = field(design, "Team", "name").clone();
            (motto.name, motto.attribute) = ("motto".to_owned(), "motto".to_owned());
            let mut city = motto.clone();
            (city.name, city.attribute) = ("city".to_owned(), "city".to_owned());
            city.is_required = false;
            entity(design, "Team").fields.extend([motto, city]);
        },
        expect![[r#"
            `motto` of Team is new and required
            `city` of Team is new
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Rewrite every Team row: rows may lack `motto`, so let it have a `#[serde(default)]` until all have it.
            3. Verify Team: every row has `motto`.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn a_version_that_is_new_is_read_as_none() {
    check(
        |design| {
            let mut version = field(design, "Player", "shirt").clone();
            (version.name, version.attribute) = ("version".to_owned(), "version".to_owned());
            let game = entity(design, "Game");
            game.fields.push(version);
            game.version = Some("version".to_owned());
        },
        expect![[r#"
            the version of Game was no field and is `version`
            `version` of Game is new
        "#]],
    );
}

#[test]
fn a_field_that_is_gone() {
    check(
        |design| {
            let player = entity(design, "Player");
            player.fields.pop();
            player.indexes.pop();
        },
        expect![[r#"
            Player no longer writes the keys of index BySize
            `shirt` of Player is gone
            --
            1. Let the older design read Player rows of the newer one, and deploy it: give `shirt` a `#[serde(default)]`.
            2. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            3. Remove `shirt` from every Player row, if no longer needed.
        "#]],
    );
}

#[test]
fn a_field_with_another_name_and_the_same_type_may_be_renamed() {
    check(
        |design| {
            let name = field(design, "Team", "name");
            (name.name, name.attribute) = ("title".to_owned(), "title".to_owned());
            name.is_required = false;
            entity(design, "Team").unique.clear();
        },
        expect![[r#"
            the unique constraint `name` of Team is gone
            `title` of Team is new
            `name` of Team is gone; new with the same type: `title`
            --
            1. Migrate, since `name` of Team is gone; new with the same type: `title`: a value under the old name is not found; if this is a rename, declare `#[serde(alias = "name")]` on `title`; if not, remove `name` from every Team row when nobody needs it any more.
            2. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            3. Delete the rows of the unique constraint `name` of Team, if they are no longer needed.
        "#]],
    );
    check(
        |design| {
            let mut motto = field(design, "Team", "name").clone();
            (motto.name, motto.attribute) = ("motto".to_owned(), "motto".to_owned());
            let team = entity(design, "Team");
            team.fields.retain(|field| field.name != "name");
            team.unique.clear();
            let title = (motto.clone(), "title".to_owned());
            team.fields
                .extend([motto, Field { name: title.1.clone(), attribute: title.1, ..title.0 }]);
        },
        expect![[r#"
            the unique constraint `name` of Team is gone
            `motto` of Team is new and required
            `title` of Team is new and required
            `name` of Team is gone; new with the same type: `motto`, `title`
            --
            1. Migrate, since `name` of Team is gone; new with the same type: `motto`, `title`: a value under the old name is not found; if this is a rename, declare `#[serde(alias = "name")]` on `motto` or `title`; if not, remove `name` from every Team row when nobody needs it any more.
            2. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            3. Rewrite every Team row: rows may lack `motto`, so let it have a `#[serde(default)]` until all have it; rows may lack `title`, so let it have a `#[serde(default)]` until all have it.
            4. Verify Team: every row has `motto`; every row has `title`.
            5. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            6. Delete the rows of the unique constraint `name` of Team, if they are no longer needed.
        "#]],
    );
}

#[test]
fn attributes_that_are_still_written_are_not_removed() {
    check(
        |design| {
            let id = entity(design, "Player").fields.remove(1);
            design.type_attribute = Some(id.attribute);
        },
        expect![[r#"
            the type of a row was in `ItemType` and is in `player_id`
            `player_id` of Player is gone
            --
            1. Let the older design read Player rows of the newer one, and deploy it: give `player_id` a `#[serde(default)]`.
            2. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            3. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes the type of the row to `player_id`.
            4. Backfill Player with `store.backfill::<Player>(cursor, rows)` until there is no next cursor: it writes the type of the row to `player_id`.
            5. Backfill Game with `store.backfill::<Game>(cursor, rows)` until there is no next cursor: it writes the type of the row to `player_id`.
            6. Backfill TeamName with `store.backfill::<TeamName>(cursor, rows)` until there is no next cursor: it writes the type of the row to `player_id`.
            7. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            8. Verify Player: a second backfill repairs nothing, finds no conflict and passes over no row.
            9. Verify Game: a second backfill repairs nothing, finds no conflict and passes over no row.
            10. Verify TeamName: a second backfill repairs nothing, finds no conflict and passes over no row.
            11. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            12. Remove `ItemType` from every Team row, if no longer needed.
            13. Remove `ItemType` from every Player row, if no longer needed.
            14. Remove `ItemType` from every Game row, if no longer needed.
            15. Remove `ItemType` from every TeamName row, if no longer needed.
        "#]],
    );
}

#[test]
fn a_field_with_another_name_in_rust_is_the_same_in_templates() {
    check(
        |design| {
            field(design, "Player", "player_id").name = "id".to_owned();
            let player = entity(design, "Player");
            player.key.sort = Some("PLAYER#{id}".to_owned());
            player.indexes[0].sort = vec!["PLAYER#{id}".to_owned()];
            field(design, "Team", "name").name = "title".to_owned();
            let team = entity(design, "Team");
            team.unique[0].fields = vec!["title".to_owned()];
            team.unique[0].partition = "UNIQUE#Team#name#{title}".to_owned();
        },
        expect![[r#"
            `title` of Team was called `name` in Rust
            `id` of Player was called `player_id` in Rust
        "#]],
    );
}

#[test]
fn another_attribute() {
    check(
        |design| field(design, "Team", "name").attribute = "title".to_owned(),
        expect![[r#"
            `name` of Team was `name` and is `title`; rows with the old name are not read
            --
            1. Migrate, since `name` of Team was `name` and is `title`; rows with the old name are not read: a value under the old name is not found; declare `#[serde(alias = "name")]` on the field.
        "#]],
    );
    check(
        |design| {
            let name = field(design, "Team", "name");
            name.attribute = "title".to_owned();
            name.aliases = vec!["name".to_owned(), "label".to_owned()];
        },
        expect![[r#"
            `name` of Team was `name` and is `title`; rows with the old name are read
            `name` of Team is also read from `label`
            --
            1. Let the older design read Team rows of the newer one, and deploy it: give `name` a `#[serde(alias = "title")]`.
            2. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            3. Rewrite every Team row: filters and indexes see `title` only, and rows have `name`.
            4. Verify Team: no row has `name`.
            5. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn another_name_in_rust_and_in_rows_is_known_by_the_alias() {
    check(
        |design| {
            let name = field(design, "TeamName", "name");
            (name.name, name.attribute) = ("title".to_owned(), "title".to_owned());
            name.aliases = vec!["name".to_owned()];
            entity(design, "TeamName").key.sort = Some("NAME#{title}".to_owned());
        },
        expect![[r#"
            `title` of TeamName was called `name` in Rust
            `title` of TeamName was `name` and is `title`; rows with the old name are read
        "#]],
    );
}

#[test]
fn a_name_inside_an_envelope_is_read_by_its_alias_and_seen_by_nothing_else() {
    let mut older = Design::of(&example());
    entity(&mut older, "Team").codec = Codec::Envelope { data: "data".to_owned() };
    let mut newer = older.clone();
    let name = field(&mut newer, "Team", "name");
    (name.attribute, name.aliases) = ("title".to_owned(), vec!["name".to_owned()]);
    between(
        &older,
        &newer,
        expect![[r#"
            `name` of Team was `name` and is `title`; rows with the old name are read
            --
            1. Let the older design read Team rows of the newer one, and deploy it: give `name` a `#[serde(alias = "title")]`.
        "#]],
    );
}

#[test]
fn a_field_that_was_in_the_key_only() {
    check(
        |design| field(design, "TeamName", "name").is_key_only = false,
        expect![[r#"
            `name` of TeamName was in the key only and is where the codec puts fields
            --
            1. Migrate, since `name` of TeamName was in the key only and is where the codec puts fields: rows have it where the newer design does not look; add a field in the new location, fill it, and then remove this one.
        "#]],
    );
}

#[test]
fn an_alias_that_is_gone() {
    let mut older = Design::of(&example());
    let newer = older.clone();
    field(&mut older, "Team", "name").aliases = vec!["label".to_owned()];
    between(
        &older,
        &newer,
        expect![[r#"
            `name` of Team is no longer read from `label`
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Rewrite every Team row: rows may still have `name` as `label`, so keep the alias until none has.
            3. Verify Team: no row has `label`.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn another_type() {
    check(
        |design| {
            let shirt = field(design, "Player", "shirt");
            (shirt.rust_type, shirt.wire_type) = ("Shirt".to_owned(), WireType::S);
        },
        expect![[r#"
            the type of `shirt` of Player was `u32` (a number) and is `Shirt` (a string)
            --
            1. Migrate, since the type of `shirt` of Player was `u32` (a number) and is `Shirt` (a string): rows have a number there, and the newer design reads a string; add a field of the new type, fill it, and then remove this one.
        "#]],
    );
    check(
        |design| field(design, "Player", "shirt").rust_type = "u8".to_owned(),
        expect![[r#"
            the type of `shirt` of Player was `u32` (a number) and is `u8` (a number)
            --
            1. Verify Player: every row can be read with `shirt` as `u8`.
            2. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
    check(
        |design| field(design, "Player", "shirt").wire_type = WireType::Unknown,
        expect![[r#"
            the type of `shirt` of Player was `u32` (a number) and is `u32`
            --
            1. Verify Player: every row can be read with `shirt` as `u32`.
            2. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn whether_it_may_be_absent() {
    check(
        |design| {
            let name = field(design, "Team", "name");
            (name.rust_type, name.is_required) = ("Option<String>".to_owned(), false);
            field(design, "Player", "user_id").is_required = true;
        },
        expect![[r#"
            `name` of Team is no longer required
            `user_id` of Player is required
            --
            1. Let the older design read Team rows of the newer one, and deploy it: give `name` a `#[serde(default)]`.
            2. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            3. Rewrite every Player row: rows may lack `user_id`, so let it have a `#[serde(default)]` until all have it.
            4. Verify Player: every row has `user_id`.
            5. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
        "#]],
    );
}

#[test]
fn another_place() {
    check(
        |design| field(design, "Player", "player_id").is_key_only = true,
        expect![[r#"
            `player_id` of Player was where the codec puts fields and is in the key only
            --
            1. Let the older design read Player rows of the newer one, and deploy it: give `player_id` a `#[serde(default)]`.
            2. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            3. Remove `player_id` from every Player row, if no longer needed.
        "#]],
    );
    check(
        |design| {
            field(design, "Player", "team_id").is_top_level = true;
            field(design, "Player", "shirt").is_value = true;
        },
        expect![[r#"
            `team_id` of Player was where the codec puts fields and is outside the `data` of the envelope
            `shirt` of Player was where the codec puts fields and is the whole value of the row
            --
            1. Migrate, since `team_id` of Player was where the codec puts fields and is outside the `data` of the envelope: rows have it where the newer design does not look; add a field in the new location, fill it, and then remove this one.
            2. Migrate, since `shirt` of Player was where the codec puts fields and is the whole value of the row: rows have it where the newer design does not look; add a field in the new location, fill it, and then remove this one.
        "#]],
    );
}

#[test]
fn another_source() {
    check(
        |design| {
            field(design, "Player", "user_id").copy_of = None;
            let (entity, source) = ("Team".to_owned(), "name".to_owned());
            field(design, "TeamName", "name").copy_of = Some(CopyOf { entity, field: source });
        },
        expect![[r#"
            `user_id` of Player was a copy of `name` of Team and is no copy
            `name` of TeamName was no copy and is a copy of `name` of Team
        "#]],
    );
}

#[test]
fn another_text_in_keys() {
    check(
        |design| {
            let part = field(design, "Game", "start").key_part.as_mut().expect("a key part");
            (part.form, part.width) = (Form::Instant, Some(24));
        },
        expect![[r#"
            in keys `start` of Game was a day of 10 bytes and is an instant of 24 bytes
            --
            1. Migrate, since in keys `start` of Game was a day of 10 bytes and is an instant of 24 bytes: it is part of the primary key, and the key of a row can't be changed; declare a new entity with the new key beside this one, write both, copy every row, and remove this one then.
        "#]],
    );
    check(
        |design| {
            let part = field(design, "Team", "name").key_part.as_mut().expect("a key part");
            part.form = Form::Word;
        },
        expect![[r#"
            in keys `name` of Team was text and is a word
            --
            1. Deploy the newer design to everything that writes, and let nothing rely on what is new until the rows are ready.
            2. Backfill Team with `store.backfill::<Team>(cursor, rows)` until there is no next cursor: it writes every key that holds `name`.
            3. Verify Team: a second backfill repairs nothing, finds no conflict and passes over no row.
            4. Deploy the newer design to everything that reads, and wait until nothing of the older one runs.
            5. Delete the rows of the unique constraint `name` of Team that hold the old text of `name`, if they are no longer needed.
        "#]],
    );
}
