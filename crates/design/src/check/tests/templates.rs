//! K04 to K08 and K11: one template by itself.

use expect_test::expect;

use super::{check, fine};
use crate::check::{KeyUse, template};
use crate::fixtures::{DAY, Draft, ID, LOCAL_TIME, SIGNED, TEXT, U32, WORD, entity, player};

fn fields() -> Draft {
    entity(
        "Player",
        &[
            ("team_id", ID),
            ("name", TEXT),
            ("shirt", U32),
            ("delta", SIGNED),
            ("day", DAY),
            ("at", LOCAL_TIME),
            ("role", WORD),
        ],
    )
    .field("name", |field| field.is_immutable = true)
    .field("shirt", |field| field.is_immutable = true)
    .field("delta", |field| field.is_immutable = true)
    .field("day", |field| field.is_immutable = true)
    .field("at", |field| field.is_immutable = true)
}

fn sort(text: &'static str) -> Draft {
    fields().key("TEAM#{team_id}", text)
}

#[test]
fn k04_a_number_without_padding_does_not_sort() {
    check(
        template(sort("PLAYER#{shirt}").build(), KeyUse::Sort),
        expect![
            "[K04] `{shirt}` in the sort key of Player is a number written without padding; keys sort as text, where 10 comes before 9 and -1 before -2; write `{shirt:010}`"
        ],
    );
    fine(template(sort("PLAYER#{shirt}").allow("K04").build(), KeyUse::Sort));
    fine(template(sort("PLAYER#{shirt:010}").build(), KeyUse::Sort));
    fine(template(fields().key("SHIRT#{shirt}", "X").build(), KeyUse::Partition));
}

#[test]
fn k04_a_number_with_a_sign_never_sorts() {
    check(
        template(sort("PLAYER#{delta}").build(), KeyUse::Sort),
        expect![
            "[K04] `{delta}` in the sort key of Player is a number with a sign; keys sort as text, where 10 comes before 9 and -1 before -2; store a number without sign, such as the distance from the least value, and pad it"
        ],
    );
}

#[test]
fn k04_leaves_a_field_alone_in_an_index_to_the_table() {
    let alone = sort("X").index("BySize", &["{role}"], &["{shirt}"]).build();
    fine(template(alone, KeyUse::IndexSort { index: 0, attribute: 0 }));
    let rendered = sort("X").index("BySize", &["{role}"], &["S#{shirt}"]).build();
    let key = KeyUse::IndexSort { index: 0, attribute: 0 };
    check(
        template(rendered, key),
        expect![
            "[K04] `{shirt}` in the sort key for index BySize of Player is a number written without padding; keys sort as text, where 10 comes before 9 and -1 before -2; write `{shirt:010}`"
        ],
    );
}

#[test]
fn k05_padding_has_all_digits_of_the_type() {
    check(
        template(sort("PLAYER#{shirt:04}").build(), KeyUse::Sort),
        expect![
            "[K05] `{shirt:04}` in the sort key of Player has room for 4 digits, but u32 has up to 10; a greater number can't be written into the key; write `{shirt:010}`, or take a smaller type"
        ],
    );
    fine(template(sort("PLAYER#{shirt:04}").allow("K05").build(), KeyUse::Sort));
    fine(template(sort("PLAYER#{shirt:012}").build(), KeyUse::Sort));
}

#[test]
fn k06_a_field_does_not_contain_its_delimiter() {
    check(
        template(sort("PLAYER#{name}#{team_id}").build(), KeyUse::Sort),
        expect![
            "[K06] `{name}` in the sort key of Player may contain the `#` that follows it; two different rows can get the same key, and the key can't be read back; use a typed id, a word, a date or a padded number there, or move the field to the end"
        ],
    );
    fine(template(sort("PLAYER#{name}#{team_id}").allow("K06").build(), KeyUse::Sort));
    fine(template(sort("PLAYER#{team_id}#{name}").build(), KeyUse::Sort));
    check(
        template(sort("PLAYER#{team_id}-{name}").build(), KeyUse::Sort),
        expect![
            "[K06] `{team_id}` in the sort key of Player may contain the `-` that follows it; two different rows can get the same key, and the key can't be read back; use a typed id, a word, a date or a padded number there, or move the field to the end"
        ],
    );
    fine(template(sort("PLAYER#{day}-{name}").build(), KeyUse::Sort));
}

#[test]
fn k06_default_templates_of_unique_constraints_encode_free_text() {
    let constraint = KeyUse::UniquePartition { constraint: 0 };
    let unique =
        |partition| template(sort("X").unique("name", [partition, "UNIQUE"]).build(), constraint);
    fine(unique("UNIQUE#Player#full#{name}#{role}"));
    check(
        unique("NAME#{name}#{role}"),
        expect![
            "[K06] `{name}` in the unique constraint name of Player may contain the `#` that follows it; two different rows can get the same key, and the key can't be read back; use a typed id, a word, a date or a padded number there, or move the field to the end"
        ],
    );
}

#[test]
fn k06_fields_may_touch_only_after_a_fixed_width() {
    check(
        template(sort("PLAYER#{team_id}{name}").build(), KeyUse::Sort),
        expect![
            "[K06] `{team_id}` in the sort key of Player touches `{name}`; two different rows can get the same key, and the key can't be read back; put a delimiter between them"
        ],
    );
    fine(template(sort("PLAYER#{day}{name}").build(), KeyUse::Sort));
    fine(template(sort("PLAYER#{shirt:010}{name}").build(), KeyUse::Sort));
    let sharded = fields().key("ALL#{team_id}{shard}", "X").build();
    check(
        template(sharded, KeyUse::Partition),
        expect![
            "[K06] `{team_id}` in the partition key of Player touches `{shard}`; two different rows can get the same key, and the key can't be read back; put a delimiter between them"
        ],
    );
}

#[test]
fn k07_a_primary_key_does_not_change() {
    let moving = player().key("TEAM#{team_id}", "SHIRT#{shirt:010}");
    check(
        template(moving.clone().build(), KeyUse::Sort),
        expect![
            "[K07] `{shirt}` in the sort key of Player can change; a key is never updated in place: the row would have to be deleted and written again; mark the field `#[immutable]`, or build the key from ids"
        ],
    );
    fine(template(moving.clone().allow("K07").build(), KeyUse::Sort));
    fine(template(moving.field("shirt", |field| field.is_immutable = true).build(), KeyUse::Sort));
    let mut created = player().key("TEAM#{team_id}", "SHIRT#{shirt:010}");
    created.meta.created = Some(created.position("shirt"));
    fine(template(created.build(), KeyUse::Sort));
    let index = player().index("GSI1", &["SHIRT#{shirt:010}"], &["X"]).build();
    fine(template(index, KeyUse::IndexPartition { index: 0, attribute: 0 }));
}

#[test]
fn k07_the_field_that_decides_the_shard_is_immutable() {
    let mut sharded = player().key("PLAYERS#{shard}", "PLAYER#{player_id}");
    let by = sharded.position("shirt");
    sharded.meta.key.shards = Some(crate::meta::ShardMeta { count: 8, by });
    check(
        template(sharded.clone().build(), KeyUse::Partition),
        expect![
            "[K07] `{shard}` in the partition key of Player is decided by `shirt`, which can change; a key is never updated in place: the row would have to be deleted and written again; mark the field `#[immutable]`, or build the key from ids"
        ],
    );
    let by = sharded.position("player_id");
    sharded.meta.key.shards = Some(crate::meta::ShardMeta { count: 8, by });
    fine(template(sharded.build(), KeyUse::Partition));
}

#[test]
fn k08_times_in_keys_are_utc_with_a_fixed_width() {
    check(
        template(sort("GAME#{at}").build(), KeyUse::Sort),
        expect![
            "[K08] `{at}` in the sort key of Player is a time with an offset or a varying width; such texts do not sort by time, and one instant has several of them; use `Timestamp`, `EpochSeconds` or `Date`, which are in UTC with a fixed width"
        ],
    );
    fine(template(sort("GAME#{at}").allow("K08").build(), KeyUse::Sort));
    fine(template(sort("GAME#{day}").build(), KeyUse::Sort));
}

#[test]
fn k11_a_key_is_never_empty() {
    check(
        template(sort("{name}").build(), KeyUse::Sort),
        expect![[
            r#"[K11] "{name}" in the sort key of Player can be an empty text; DynamoDB refuses a row whose key is empty or missing; put a literal into the template, or use a type that is never empty"#
        ]],
    );
    fine(template(sort("{name}").allow("K11").build(), KeyUse::Sort));
    fine(template(sort("N#{name}").build(), KeyUse::Sort));
    fine(template(
        sort("{role}").field("role", |field| field.is_immutable = true).build(),
        KeyUse::Sort,
    ));
}

#[test]
fn the_keys_of_mirrors_and_constraints_have_names() {
    let draft = sort("X").unique("name", ["N#{name}{shirt}", "U"]);
    let draft = draft.mirror("Player", Some(["M#{name}#", "{shirt}"])).build();
    check(
        template(draft, KeyUse::UniquePartition { constraint: 0 }),
        expect![
            "[K06] `{name}` in the unique constraint name of Player touches `{shirt}`; two different rows can get the same key, and the key can't be read back; put a delimiter between them"
        ],
    );
    fine(template(draft, KeyUse::UniqueSort { constraint: 0 }));
    check(
        template(draft, KeyUse::MirrorPartition { mirror: 0 }),
        expect![
            "[K06] `{name}` in the partition key of a mirror of Player may contain the `#` that follows it; two different rows can get the same key, and the key can't be read back; use a typed id, a word, a date or a padded number there, or move the field to the end"
        ],
    );
    check(
        template(draft, KeyUse::MirrorSort { mirror: 0 }),
        expect![
            "[K04] `{shirt}` in the sort key of a mirror of Player is a number written without padding; keys sort as text, where 10 comes before 9 and -1 before -2; write `{shirt:010}`"
        ],
    );
}
