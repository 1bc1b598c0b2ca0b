//! Entities by themselves and in their table: K11, I01, I02, L01, L03, U03, D01, D02, W06.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{DAY, ID, TEXT, U32, WORD, allow, entity, index, player, table, team};
use crate::meta::{
    Codec, EntityIndexMeta, IndexMeta, Projection, ShardMeta, TableMeta, TypeAttribute,
};

#[test]
fn k11_parts_of_primary_keys_are_always_present() {
    let draft = || player().optional("player_id").key("TEAM#{team_id}", "PLAYER#{player_id}");
    check(
        check::entity_rules(draft().build()),
        expect![
            "[K11] `{player_id}` in the sort key of Player is Option<_> and may be absent; DynamoDB refuses a row whose key is empty or missing; make the field required"
        ],
    );
    fine(check::entity_rules(draft().allow("K11").build()));
    fine(check::entity_rules(player().build()));
    let unique = || team().optional("name").unique("name", ["N#{name}", "U"]);
    check(
        check::entity_rules(unique().build()),
        expect![
            "[K11] `{name}` in the unique constraint name of Team is Option<_> and may be absent; nothing can be kept unique without a value; mark the constraint `sparse`, if entities without the field are welcome"
        ],
    );
    let mut sparse = unique();
    let constraints = sparse.meta.unique.to_vec().leak();
    constraints[0].is_sparse = true;
    sparse.meta.unique = constraints;
    fine(check::entity_rules(sparse.build()));
}

#[test]
fn i02_an_optional_field_makes_an_index_sparse() {
    let draft = || player().optional("user_id");
    let keys = (["USER#{user_id}"], ["PLAYER#{player_id}"]);
    check(
        check::entity_rules(draft().index("GSI4", &keys.0, &keys.1).build()),
        expect![
            "[I02] `{user_id}` in the partition key for index GSI4 of Player is Option<_> and may be absent; a row without all key attributes is silently left out of the index; write `#[index(GSI4: sparse, ..)]` if such rows shall stay out of it"
        ],
    );
    fine(check::entity_rules(draft().index("GSI4", &keys.0, &keys.1).allow("I02").build()));
    fine(check::entity_rules(draft().index_with("GSI4", &keys.0, &keys.1, true).build()));
}

#[test]
fn l03_nothing_outlives_an_entity_that_expires() {
    let expiring = |mut draft: crate::fixtures::Draft| {
        draft.meta.ttl = Some(1);
        draft
    };
    let unique = || expiring(team().unique("name", ["N#{name}", "U"]));
    check(
        check::entity_rules(unique().build()),
        expect![
            "[L03] Team expires, but has a unique constraint; expiry deletes the row alone: its derived rows remain, and counters restart; delete such rows by a job instead, or let nothing depend on them"
        ],
    );
    fine(check::entity_rules(unique().allow("L03").build()));
    let mirrored = expiring(team().mirror("Team", Some(["T#{team_id}", "X"])));
    check(
        check::entity_rules(mirrored.build()),
        expect![
            "[L03] Team expires, but has a mirror; expiry deletes the row alone: its derived rows remain, and counters restart; delete such rows by a job instead, or let nothing depend on them"
        ],
    );
    let counted = expiring(player().field("shirt", |field| field.is_counter = true));
    check(
        check::entity_rules(counted.build()),
        expect![
            "[L03] Player expires, but has a counter; expiry deletes the row alone: its derived rows remain, and counters restart; delete such rows by a job instead, or let nothing depend on them"
        ],
    );
    fine(check::entity_rules(expiring(team()).build()));
}

#[test]
fn u03_a_unique_value_is_released() {
    let kept = || {
        let mut draft = team().unique("name", ["N#{name}", "U"]);
        let constraints = draft.meta.unique.to_vec().leak();
        constraints[0].is_released = false;
        draft.meta.unique = constraints;
        draft
    };
    check(
        check::entity_rules(kept().build()),
        expect![
            "[U03] `name` of Team is unique and `name` can change, but the old value is not released; the old value stays taken forever, although no row has it any more; release it on change, or mark the field `#[immutable]`"
        ],
    );
    fine(check::entity_rules(kept().allow("U03").build()));
    fine(check::entity_rules(kept().field("name", |field| field.is_immutable = true).build()));
    fine(check::entity_rules(team().unique("name", ["N#{name}", "U"]).build()));
}

#[test]
fn k11_an_entity_has_the_keys_of_its_table() {
    let alone = entity("Team", &[("team_id", ID)]).key("TEAM#{team_id}", "");
    let table = table(&[alone.clone().build()], &[], &[]);
    check(
        check::entity(&table, 0),
        expect![
            "[K11] Team has no sort key, but League has the sort key SK; DynamoDB refuses a row whose key is empty or missing; give the entity a template for it"
        ],
    );
    let mut simple = crate::fixtures::table(&[team().build()], &[], &[]);
    simple.sort_key = None;
    check(
        check::entity(&simple, 0),
        expect![[
            r#"[K11] Team has the sort key "METADATA", but League has none; rows that differ only there would get one key; declare the sort key of the table"#
        ]],
    );
    let mut simple = crate::fixtures::table(&[alone.build()], &[], &[]);
    simple.sort_key = None;
    fine(check::entity(&simple, 0));
}

#[test]
fn i01_an_index_is_declared_by_the_table() {
    let draft = || team().index("GSI9", &["TEAMS"], &["TEAM#{team_id}"]);
    check(
        check::entity(&table(&[draft().build()], &[], &[]), 0),
        expect![
            "[I01] Team writes keys of index GSI9, which League does not declare; nothing could ever read them; declare the index in the table, or remove `#[index(..)]` from the entity"
        ],
    );
    fine(check::entity(&table(&[draft().allow("I01").build()], &[], &[]), 0));
    fine(check::entity(&table(&[draft().build()], &[index("GSI9")], &[]), 0));
}

#[test]
fn i02_every_key_of_an_index_is_written() {
    let half = || team().index("GSI1", &["TEAMS"], &[]);
    check(
        check::entity(&table(&[half().build()], &[index("GSI1")], &[]), 0),
        expect![
            "[I02] Team does not write `GSI1SK`, a key of index GSI1; a row without all key attributes is silently left out of the index; write every key of it"
        ],
    );
    fine(check::entity(&table(&[half().allow("I02").build()], &[index("GSI1")], &[]), 0));
    let more = team().index("GSI1", &["TEAMS", "{team_id}"], &["TEAM#{team_id}"]);
    check(
        check::entity(&table(&[more.build()], &[index("GSI1")], &[]), 0),
        expect![
            "[I02] Team writes more keys than index GSI1 has; no pattern could read them; write exactly its keys"
        ],
    );
}

#[test]
fn k04_a_number_alone_is_native_only_under_its_own_name() {
    let draft = player().index("BySize", &["{team_id}"], &["{shirt}"]).build();
    check(
        check::entity(&table(&[draft], &[index("BySize")], &[]), 0),
        expect![
            "[K04] `{shirt}` in the sort key for index BySize of Player is a number written without padding; keys sort as text, where 10 comes before 9 and -1 before -2; write `{shirt:010}`"
        ],
    );
    let mut native = index("BySize");
    (native.partition, native.sort) = (&["team_id"], &["shirt"]);
    fine(check::entity(&table(&[draft], &[native], &[]), 0));
}

#[test]
fn d01_a_field_has_no_name_of_a_key() {
    let named = || entity("Team", &[("team_id", ID), ("PK", TEXT)]).key("TEAM#{team_id}", "META");
    check(
        check::entity(&table(&[named().build()], &[], &[]), 0),
        expect![
            "[D01] field `PK` of Team is written to `PK`, which is the partition key of League; one of the two values would replace the other; rename the attribute of the field"
        ],
    );
    fine(check::entity(&table(&[named().allow("D01").build()], &[], &[]), 0));
    let typed =
        entity("Team", &[("team_id", ID), ("ItemType", WORD)]).key("TEAM#{team_id}", "META");
    check(
        check::entity(&table(&[typed.build()], &[], &[]), 0),
        expect![
            "[D01] field `ItemType` of Team is written to `ItemType`, which is the type attribute of League; one of the two values would replace the other; rename the attribute of the field"
        ],
    );
    let taken = entity("Team", &[("team_id", ID), ("GSI1SK", TEXT)]).key("TEAM#{team_id}", "META");
    let taken = taken.index("GSI1", &["TEAMS"], &["TEAM#{team_id}"]).build();
    check(
        check::entity(&table(&[taken], &[index("GSI1")], &[]), 0),
        expect![
            "[D01] field `GSI1SK` of Team is written to `GSI1SK`, where its key for index GSI1 stands; one of the two values would replace the other; rename the attribute of the field"
        ],
    );
}

#[test]
fn d01_an_attribute_of_an_index_has_one_type() {
    let mut by_size = index("BySize");
    (by_size.partition, by_size.sort) = (&["team_id"], &["size"]);
    let number =
        entity("Team", &[("team_id", ID), ("size", U32)]).key("TEAM#{team_id}", "METADATA");
    let number = number.index("BySize", &["{team_id}"], &["{size}"]).build();
    let text =
        || entity("Shoe", &[("shoe_id", ID), ("size", TEXT)]).key("SHOE#{shoe_id}", "METADATA");
    let mixed = table(&[number, text().build()], &[by_size], &[]);
    fine(check::entity(&mixed, 0));
    check(
        check::entity(&mixed, 1),
        expect![
            "[D01] `size`, a key of index BySize, is a number in Team and a string in Shoe; DynamoDB refuses a key of another type, and readers can't know its meaning; rename the attribute of one of them, or give both the same type"
        ],
    );
    fine(check::entity(&table(&[number, text().allow("D01").build()], &[by_size], &[]), 1));
    let rendered = text().index("BySize", &["SHOES"], &["SIZE#{shoe_id}"]);
    let rendered = rendered.field("size", |field| field.attribute = "width").build();
    let mixed = table(&[number, rendered], &[by_size], &[]);
    check(
        check::entity(&mixed, 0),
        expect![
            "[D01] `size`, a key of index BySize, is a string in Shoe and a number in Team; DynamoDB refuses a key of another type, and readers can't know its meaning; rename the attribute of one of them, or give both the same type"
        ],
    );
    fine(check::entity(&mixed, 1));
}

#[test]
fn d01_an_included_attribute_has_one_type() {
    let mut including = index("GSI1");
    including.projection = Projection::Include(&["size"]);
    let number =
        entity("Team", &[("team_id", ID), ("size", U32)]).key("TEAM#{team_id}", "METADATA");
    let text = entity("Shoe", &[("shoe_id", ID), ("size", TEXT)]).key("SHOE#{shoe_id}", "METADATA");
    let mixed = table(&[number.build(), text.build()], &[including], &[]);
    check(
        check::entity(&mixed, 1),
        expect![
            "[D01] `size`, which index GSI1 carries, is a number in Team and a string in Shoe; DynamoDB refuses a key of another type, and readers can't know its meaning; rename the attribute of one of them, or give both the same type"
        ],
    );
}

#[test]
fn d01_an_entity_has_the_codec_of_its_table() {
    let mut enveloped = table(&[team().build()], &[], &[]);
    enveloped.codec = Some(Codec::Envelope { data: "data" });
    check(
        check::entity(&enveloped, 0),
        expect![
            "[D01] Team is written as plain attributes, but League asks for an envelope in `data`; readers of the table would not find the fields where they expect them; give the entity the codec of its table"
        ],
    );
    let mut draft = team();
    draft.meta.codec = Codec::Envelope { data: "data" };
    let mut enveloped = table(&[draft.build()], &[], &[]);
    enveloped.codec = Some(Codec::Envelope { data: "data" });
    fine(check::entity(&enveloped, 0));
}

#[test]
fn d02_type_names_are_different() {
    let mut other = entity("Club", &[("club_id", ID)]).key("CLUB#{club_id}", "METADATA");
    other.meta.type_name = "Team";
    let mut same = table(&[team().build(), other.clone().build()], &[], &[]);
    check(
        check::entity(&same, 1),
        expect![[
            r#"[D02] Team and Club both write "Team" to `ItemType`; rows of several entities are returned together, and their types would be guesses; give one of them another type name"#
        ]],
    );
    same.type_attribute = TypeAttribute::ByKey;
    fine(check::entity(&same, 1));
    fine(check::entity(&table(&[team().build(), other.allow("D02").build()], &[], &[]), 1));
}

#[test]
fn d01_the_type_attribute_is_not_a_field() {
    let with = |aliases: &'static [&'static str]| {
        let team = team().field("name", |field| field.aliases = aliases).build();
        check::entity(&table(&[team], &[], &[]), 0)
    };
    check(
        with(&["title", "ItemType"]),
        expect![
            "[D01] field `name` of Team is also read from `ItemType`, which is the type attribute of League; the type of a row would be taken for the value of the field; remove the alias, or name another type attribute"
        ],
    );
    fine(with(&["title"]));
}

#[test]
fn d01_keys_of_the_table_are_texts() {
    let with = |kind| {
        let order = entity("Order", &[("PK", kind), ("line", ID)]).key("{PK}", "LINE#{line}");
        check::entity(&table(&[order.build()], &[], &[]), 0)
    };
    check(
        with(U32),
        expect![
            "[D01] field `PK` of Order is a number and written to `PK`, which is the partition key of League; the key is a text, and DynamoDB refuses a row that has both; give the key an attribute of its own, such as `key(PK, SK)`, or use a typed id"
        ],
    );
    fine(with(ID));
}

#[test]
fn d02_structs_have_names_of_their_own() {
    let mut other = entity("Team", &[("club_id", ID)]).key("CLUB#{club_id}", "METADATA");
    other.meta.type_name = "Club";
    let same = table(&[team().build(), other.build()], &[], &[]);
    check(
        check::entity(&same, 1),
        expect![[
            r#"[D02] League has two entities Team; patterns, mirrors and documents know an entity by the name of its struct; rename one of the structs, and keep what its rows say with `#[entity(type = "…")]`"#
        ]],
    );
    fine(check::entity(&TableMeta { allows: allow("D02"), ..same }, 1));
}

#[test]
fn d01_an_index_of_types_has_the_type() {
    let by_type = IndexMeta { partition: &["ItemType"], sort: &["name"], ..index("ByType") };
    let with = |partition| {
        let team = team().index("ByType", &[partition], &["{name}"]).build();
        check::entity(&table(&[team], &[by_type], &[]), 0)
    };
    check(
        with("TEAMS"),
        expect![[
            r#"[D01] Team writes "Team" for its type and "TEAMS" for index ByType to `ItemType`; a row has the first of them there, so that the index never finds the other; write the first for the index, too, or give the index an attribute of its own"#
        ]],
    );
    fine(with("Team"));
}

#[test]
fn l01_the_expiry_is_in_the_ttl_attribute() {
    let draft = |attribute: &'static str| {
        let mut draft = entity("Invite", &[("code", ID), ("expires", U32)])
            .field("expires", |field| field.attribute = attribute)
            .key("INVITE#{code}", "META");
        draft.meta.ttl = Some(1);
        draft
    };
    check(
        check::entity(&table(&[draft("expires").build()], &[], &[]), 0),
        expect![
            "[L01] Invite writes its expiry to `expires`, but League expires rows by `ttl`; DynamoDB never deletes such a row, and reports nothing; rename the attribute to `ttl`"
        ],
    );
    fine(check::entity(&table(&[draft("expires").allow("L01").build()], &[], &[]), 0));
    fine(check::entity(&table(&[draft("ttl").build()], &[], &[]), 0));
    let mut none = table(&[draft("ttl").build()], &[], &[]);
    none.ttl_attribute = None;
    check(
        check::entity(&none, 0),
        expect![
            "[L01] Invite writes its expiry to `ttl`, but League has no ttl attribute; DynamoDB never deletes such a row, and reports nothing; add `ttl = ttl;` to the table"
        ],
    );
    let mut hidden = draft("ttl");
    hidden.meta.codec = Codec::Envelope { data: "data" };
    check(
        check::entity(&table(&[hidden.build()], &[], &[]), 0),
        expect![
            "[L01] Invite writes its expiry to `data`, but League expires rows by `ttl`; DynamoDB never deletes such a row, and reports nothing; keep it outside the envelope with the name `ttl`"
        ],
    );
}

#[test]
fn w06_copies_and_mirrors_have_their_source_in_the_table() {
    let copying = || player().copy("user_id", "Team", "name");
    check(
        check::entity(&table(&[copying().build()], &[], &[]), 0),
        expect![
            "[W06] field `user_id` of Player is a copy of `Team::name`, which is not in League; nothing keeps it consistent with its source; add the source to the entities of the table, or remove the copy"
        ],
    );
    fine(check::entity(&table(&[copying().allow("W06").build()], &[], &[]), 0));
    fine(check::entity(&table(&[copying().build(), team().build()], &[], &[]), 0));
    let mirrored = || team().mirror("TeamName", None);
    check(
        check::entity(&table(&[mirrored().build()], &[], &[]), 0),
        expect![
            "[W06] Team is mirrored by TeamName, which is not in League; nothing keeps it consistent with its source; add the source to the entities of the table, or remove the copy"
        ],
    );
    let name = entity("TeamName", &[("day", DAY)]).key("NAMES", "{day}").build();
    fine(check::entity(&table(&[mirrored().build(), name], &[], &[]), 0));
}

#[test]
fn w06_a_mirror_keeps_nothing_of_its_own() {
    let card = || entity("Card", &[("team_id", ID), ("likes", U32)]).key("CARD#{team_id}", "META");
    let mirrored = |card: crate::fixtures::Draft| {
        check::entity(&table(&[team().mirror("Card", None).build(), card.build()], &[], &[]), 0)
    };
    let unique = || card().unique("likes", ["LIKES#{likes}", "U"]);
    check(
        mirrored(unique()),
        expect![
            "[W06] Card is the mirror of Team and has a unique constraint of its own; a mirror is written as a whole with its source, and nothing keeps what only it has; remove it from the mirror, or declare it on the source"
        ],
    );
    check(
        mirrored(card().field("likes", |field| field.is_counter = true)),
        expect![
            "[W06] Card is the mirror of Team and has a counter of its own; a mirror is written as a whole with its source, and nothing keeps what only it has; remove it from the mirror, or declare it on the source"
        ],
    );
    let mut expiring = card().field("likes", |field| field.attribute = "ttl");
    expiring.meta.ttl = Some(1);
    check(
        mirrored(expiring),
        expect![
            "[W06] Card is the mirror of Team and has an expiry of its own; a mirror is written as a whole with its source, and nothing keeps what only it has; remove it from the mirror, or declare it on the source"
        ],
    );
    check(
        mirrored(card().mirror("Card", Some(["LIKED#{team_id}", "META"]))),
        expect![
            "[W06] Card is the mirror of Team and has a mirror of its own; a mirror is written as a whole with its source, and nothing keeps what only it has; remove it from the mirror, or declare it on the source"
        ],
    );
    fine(mirrored(unique().allow("W06")));
    let mut versioned = card();
    versioned.meta.version = Some(1);
    fine(mirrored(versioned));
}

#[test]
fn k11_a_mirror_with_an_absent_field_is_absent() {
    let mirrored = team().optional("name").mirror("Team", Some(["NAME#{name}", "META"]));
    fine(check::entity_rules(mirrored.build()));
}

#[test]
fn d01_indexes_that_share_an_attribute_share_its_template() {
    let mut other = index("GSI2");
    other.partition = &["GSI1PK"];
    let indexes = [index("GSI1"), other];
    let two = || team().index("GSI1", &["TEAMS"], &["A#{team_id}"]);
    let draft = || two().index("GSI2", &["CLUBS"], &["B#{team_id}"]);
    check(
        check::entity(&table(&[draft().build()], &indexes, &[]), 0),
        expect![[
            r#"[D01] Team writes "TEAMS" for index GSI1 and "CLUBS" for index GSI2 to `GSI1PK`; the second replaces the first, so that one index never finds the row; write one template for both, with the same shards, or give one of the indexes another attribute"#
        ]],
    );
    fine(check::entity(&table(&[draft().allow("D01").build()], &indexes, &[]), 0));
    let same = two().index("GSI2", &["TEAMS"], &["B#{team_id}"]);
    fine(check::entity(&table(&[same.build()], &indexes, &[]), 0));
}

#[test]
fn d01_a_row_lies_in_an_index_only_by_declaration() {
    let draft = |sort| {
        entity("Note", &[("id", ID), ("GSI1PK", TEXT), (sort, TEXT)]).key("NOTE#{id}", "META")
    };
    let with = |note: crate::fixtures::Draft| {
        check::entity(&table(&[note.build()], &[index("GSI1")], &[]), 0)
    };
    check(
        with(draft("GSI1SK")),
        expect![
            "[D01] field `GSI1SK` of Note is written to `GSI1SK`, a key of index GSI1, which the entity does not declare; its rows are in the index, and every reader of the index pays for them; declare `#[index(GSI1: ..)]`, or rename the attribute of the field"
        ],
    );
    fine(with(draft("GSI1SK").allow("D01")));
    fine(with(draft("text")));
    fine(with(draft("GSI1SK").index("GSI1", &["{GSI1PK}"], &["{GSI1SK}"])));
}

#[test]
fn d02_the_type_name_of_unique_constraints_is_reserved() {
    let mut draft = team();
    draft.meta.type_name = "UNIQUE";
    check(
        check::entity(&table(&[draft.clone().build()], &[], &[]), 0),
        expect![[
            r#"[D02] Team writes "UNIQUE" to `ItemType`, as the rows of unique constraints do; such a row would be read as the entity; give the entity another type name"#
        ]],
    );
    fine(check::entity(&table(&[draft.allow("D02").build()], &[], &[]), 0));
}

#[test]
fn l01_only_an_expiry_is_in_the_ttl_attribute() {
    let line = || entity("CacheLine", &[("id", ID), ("ttl", U32)]).key("CACHE#{id}", "META");
    check(
        check::entity(&table(&[line().build()], &[], &[]), 0),
        expect![
            "[L01] field `ttl` of CacheLine is written to `ttl`, by which League expires rows; its value would be taken for a time in epoch seconds, and the row for expired; mark the field `#[ttl]`, or rename its attribute"
        ],
    );
    fine(check::entity(&table(&[line().allow("L01").build()], &[], &[]), 0));
    let mut marked = line();
    marked.meta.ttl = Some(1);
    fine(check::entity(&table(&[marked.build()], &[], &[]), 0));
    let mut hidden = line();
    hidden.meta.codec = Codec::Envelope { data: "data" };
    fine(check::entity(&table(&[hidden.build()], &[], &[]), 0));
}

#[test]
fn d01_an_index_on_a_key_of_the_table_has_its_template() {
    let mut inverted = index("INV");
    (inverted.partition, inverted.sort) = (&["SK"], &["PK"]);
    let with = |draft: crate::fixtures::Draft| {
        check::entity(&table(&[draft.build()], &[inverted], &[]), 0)
    };
    check(
        with(player().index("INV", &["PL#{player_id}"], &["TEAM#{team_id}"])),
        expect![[
            r#"[D01] Player writes "PLAYER#{player_id}" for the sort key and "PL#{player_id}" for index INV to `SK`; a row has the first of them there, so that the index never finds the other; write the first for the index, too, or give the index an attribute of its own"#
        ]],
    );
    check(
        with(player().index("INV", &["PLAYER#{player_id}"], &["T#{team_id}"])),
        expect![[
            r#"[D01] Player writes "TEAM#{team_id}" for the partition key and "T#{team_id}" for index INV to `PK`; a row has the first of them there, so that the index never finds the other; write the first for the index, too, or give the index an attribute of its own"#
        ]],
    );
    fine(with(player().index("INV", &["PL#{player_id}"], &["T#{team_id}"]).allow("D01")));
    fine(with(player().index("INV", &["PLAYER#{player_id}"], &["TEAM#{team_id}"])));
}

#[test]
fn d01_indexes_that_share_an_attribute_have_the_same_shards() {
    let mut other = index("GSI2");
    other.partition = &["GSI1PK"];
    let with = |counts: [u16; 2]| {
        let mut draft = team().index("GSI1", &["ALL#{shard}"], &["A#{team_id}"]).index(
            "GSI2",
            &["ALL#{shard}"],
            &["B#{team_id}"],
        );
        let written = draft.meta.indexes.iter().zip(counts).map(|(written, count)| {
            EntityIndexMeta { shards: Some(ShardMeta { count, by: 0 }), ..*written }
        });
        draft.meta.indexes = written.collect::<Vec<_>>().leak();
        check::entity(&table(&[draft.build()], &[index("GSI1"), other], &[]), 0)
    };
    check(
        with([4, 8]),
        expect![[
            r#"[D01] Team writes "ALL#{shard}" for index GSI1 and "ALL#{shard}" for index GSI2 to `GSI1PK`; the second replaces the first, so that one index never finds the row; write one template for both, with the same shards, or give one of the indexes another attribute"#
        ]],
    );
    fine(with([4, 4]));
}
