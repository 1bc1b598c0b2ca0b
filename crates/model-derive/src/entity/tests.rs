//! Declarations and their results: the setters of updates, and the messages of errors.

use expect_test::{Expect, expect};
use syn::DeriveInput;

use super::model::Entity;
use super::setters::{Setter, setters};
use crate::diagnostics::Errors;

fn parse(declaration: &str) -> DeriveInput {
    syn::parse_str(declaration).unwrap()
}

/// The functions of an update, with the fields that they set.
fn check_setters(declaration: &str, expected: Expect) {
    let mut errors = Errors::default();
    let entity = Entity::read(&parse(declaration), &mut errors).unwrap();
    assert!(errors.is_empty(), "{}", errors.into_tokens());
    let name = |position: u16| entity.fields[usize::from(position)].name.clone();
    let setters = setters(&entity).into_iter().map(|setter| match setter {
        Setter::Field(position) => name(position),
        Setter::Counter(position) => format!("add {}", name(position)),
        Setter::Parts(positions) => {
            let names: Vec<String> = positions.into_iter().map(name).collect();
            format!("parts {}", names.join(" and "))
        }
    });
    expected.assert_eq(&setters.collect::<Vec<_>>().join(", "));
}

/// The messages of a declaration's errors, one a line.
fn check_errors(declaration: &str, expected: Expect) {
    let mut errors = Errors::default();
    let _ = Entity::read(&parse(declaration), &mut errors);
    expected.assert_eq(&errors.messages().join("\n"));
}

#[test]
fn fields_outside_every_key_are_set_one_by_one() {
    check_setters(
        r##"
        #[entity(allow(D04, because = "what is cached is not stored"))]
        #[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
        #[unique(email)]
        struct Player {
            team_id: TeamId,
            player_id: PlayerId,
            email: String,
            number: Option<u8>,
            #[immutable] joined: Date,
            #[counter] goals: u64,
            #[copy(Team.name)] team_name: String,
            #[serde(with = "hex")] badge: Badge,
            #[serde(skip)] cached: u8,
            #[version] ver: u64,
            #[ttl] expires: Option<EpochSeconds>,
            #[created] created_at: Timestamp,
            #[updated] updated_at: Timestamp,
        }"##,
        expect!["number, add goals, team_name, badge, expires"],
    );
}

#[test]
fn fields_of_one_index_key_are_set_together() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "STATUS#{status}#{tier}", sk = "DUE#{due}")]
        #[index(GSI2: pk = "OWNER#{owner}", sk = "{id}")]
        struct Task { id: TaskId, status: Status, owner: UserId, tier: Tier, due: Date }"##,
        expect!["parts status and tier, parts owner, parts due"],
    );
}

#[test]
fn keys_that_share_a_field_tie_all_their_fields() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "{status}", sk = "{due}#{status}")]
        #[index(GSI2: pk = "{due}#{owner}")]
        struct Task { id: TaskId, owner: UserId, status: Status, due: Date }"##,
        expect!["parts owner and status and due"],
    );
}

#[test]
fn a_sparse_index_is_entered_and_left_as_a_whole() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: sparse, pk = "OWNER#{owner}", sk = "{due}")]
        struct Task { id: TaskId, owner: Option<UserId>, due: Date }"##,
        expect!["parts owner and due"],
    );
}

#[test]
fn the_field_that_decides_on_a_shard_is_part_of_the_key() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "{status}#{shard}", sk = "{id}", shards = 4, by = owner)]
        #[index(GSI2: pk = "ALL#{shard}", sk = "{id}", shards = 4, by = id)]
        struct Task { id: TaskId, owner: UserId, status: Status }"##,
        expect!["parts owner and status"],
    );
}

#[test]
fn a_key_with_an_unknown_part_has_no_setter() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "{status}", sk = "{start}#{rank}")]
        struct Task { id: TaskId, status: Status, #[immutable] start: Date, rank: Word }"##,
        expect!["parts status"],
    );
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "TASKS", sk = "{updated_at}")]
        struct Task { id: TaskId, title: String, #[updated] updated_at: Timestamp }"##,
        expect!["title"],
    );
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "TASKS", sk = "{status}#{updated_at}")]
        struct Task { id: TaskId, title: String, status: Status, #[updated] updated_at: Timestamp }"##,
        expect![""],
    );
}

#[test]
fn a_mirror_leaves_nothing_to_set_blindly() {
    check_setters(
        r##"
        #[key(pk = "TEAM#{id}", sk = "METADATA")]
        #[mirror(pk = "SLUG#{slug}", sk = "TEAM")]
        struct Team { id: TeamId, slug: Slug, slogan: String, #[counter] wins: u64 }"##,
        expect![""],
    );
}

#[test]
fn only_attributes_of_their_own_are_set() {
    check_setters(
        r##"
        #[entity(codec = envelope("data"))]
        #[key(pk = "GAME#{id}", sk = "METADATA")]
        struct Game {
            id: GameId, venue: String, #[top] status: Status, #[counter] goals: u64,
            #[ttl] ends: Option<EpochSeconds>, #[version] ver: u64,
        }"##,
        expect!["status, add goals, ends"],
    );
    check_setters(
        r##"
        #[entity(codec = value_row)]
        #[key(pk = "CELL#{id}", sk = "v")]
        struct Cell {
            #[key_only] id: CellId, #[value] text: String, #[ttl] ends: Option<EpochSeconds>,
            #[version] ver: u64,
        }"##,
        expect!["ends"],
    );
    check_setters(
        r##"
        #[entity(codec = value_row)]
        #[key(pk = "COUNT#{id}", sk = "v")]
        struct Count { #[key_only] id: CellId, #[value] #[counter] number: u64 }"##,
        expect!["add number"],
    );
}

#[test]
fn stamps_are_not_set_but_for_the_expiry() {
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "TASKS", sk = "{created}")]
        #[index(GSI2: pk = "RECENT", sk = "{updated}")]
        struct Task { id: TaskId, title: String, #[stamps] #[serde(skip)] stamps: Stamps }"##,
        expect!["title, expires"],
    );
    check_setters(
        r##"
        #[entity(codec = value_row)]
        #[key(pk = "CELL#{id}", sk = "v")]
        struct Cell { #[key_only] id: CellId, text: String, #[stamps] #[serde(skip)] kept: Lease }"##,
        expect!["expires"],
    );
    // What a stamp decides together with a field can't be set without the stamp.
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "TASKS", sk = "{status}#{created}")]
        struct Task { id: TaskId, title: String, status: Status, #[stamps] #[serde(skip)] stamps: Stamps }"##,
        expect!["title, expires"],
    );
    check_setters(
        r##"
        #[key(pk = "TASK#{id}")]
        #[index(GSI1: pk = "TASKS", sk = "{status}#{updated}")]
        struct Task { id: TaskId, title: String, status: Status, #[stamps] #[serde(skip)] stamps: Stamps }"##,
        expect![""],
    );
}

#[test]
fn stamps_are_one_field_that_serde_skips() {
    check_errors(
        r##"
        #[key(pk = "TASK#{id}", sk = "{created}")]
        #[index(GSI1: pk = "TASKS#{shard}", sk = "{version}", shards = 2, by = updated)]
        #[unique(created)]
        struct Task {
            id: TaskId,
            #[version] ver: u64,
            #[created] at: Timestamp,
            #[stamps] stamps: Stamps,
            #[stamps] #[serde(skip)] more: Stamps,
        }"##,
        expect![[r#"
            a second `#[stamps]`: an entity has one
            [T001] `Task` has no field `updated`
            [T001] `Task` has no field `created`
            `{created}` in the sort key of `Task` is a stamp, which the layer sets when it writes the row, so that nobody knows the key before; use a field of your own, such as `#[immutable] started_at: Timestamp`
            `{version}` in the sort key for index GSI1 of `Task` is the version, which changes on the server without being read, so that the key would go stale; take it out of the template, or use a field that is set by `edit`
            `stamps` is written under the names that the table gives it, and not by serde: write `#[stamps] #[serde(skip)] stamps: Stamps`
            `#[version]` beside `#[stamps]`: what the layer keeps with a row is in one place; remove `ver`, and name its attribute in the `table!`: `stamps Stamps(version = ver, …);`
            `#[created]` beside `#[stamps]`: what the layer keeps with a row is in one place; remove `at`, and name its attribute in the `table!`: `stamps Stamps(created = at, …);`"#]],
    );
    check_errors(
        r##"
        #[key(pk = "TASK#{id}")]
        struct Task { id: TaskId, #[stamps] #[ttl] #[serde(skip)] stamps: Stamps }"##,
        expect!["`stamps` can't be `#[stamps]` and `#[ttl]`"],
    );
}

#[test]
fn functions_of_an_update_do_not_share_a_name() {
    check_errors(
        r##"
        #[key(pk = "TASK#{id}")]
        struct Task { id: TaskId, when: Date, #[counter] steps: u64, add_steps: u64 }"##,
        expect![[r#"
            an update of `Task` would have two functions `when`; rename the field, and keep the attribute with `#[serde(rename = "…")]`
            an update of `Task` would have two functions `add_steps`; rename the field, and keep the attribute with `#[serde(rename = "…")]`"#]],
    );
}

#[test]
fn paths_have_a_name_that_rust_takes() {
    for (name, paths) in [("TeamMember", "team_member"), ("Match", "match_"), ("Str", "str_")] {
        let declaration = format!("#[key(pk = \"X\")] struct {name} {{ id: TeamId }}");
        let entity = Entity::read(&parse(&declaration), &mut Errors::default()).unwrap();
        assert_eq!(entity.module, paths);
    }
}

#[test]
fn all_mistakes_are_reported_at_once() {
    check_errors(
        r##"
        #[entity(colour = "red", codec = zip)]
        #[key(pk = "TEAM#{teamid}", sk = "PLAYER#{number}#{name:4}")]
        #[index(pk = "X")]
        #[unique]
        struct Player { #[version] #[version] team_id: TeamId, #[key] number: Option<u8> }"##,
        expect![[r#"
            `colour` is unknown here: there are `type`, `codec`, `module`, `rule`, `crate` and `allow(…)`
            `:4` in `PLAYER#{number}#{name:4}` is not a padding: write `:0` and 1 to 38 digits, such as `:04`
            an index has a name: write `#[index(GSI1: pk = "…", sk = "…")]`
            expected attribute arguments in parentheses: #[unique(...)]
            `#[version]` is given twice
            `#[key]` belongs on the struct, not on a field"#]],
    );
    check_errors(
        r##"
        #[key(pk = "TEAM#{teamid}", sk = "PLAYER#{number}#{score}#{extra}")]
        #[index(GSI1: unique, pk = "X#{shard}", sk = "{goals}")]
        #[index(GSI1: pk = "X", sk = "{ver}", shards = 3, by = name)]
        #[unique(nmae)]
        #[unique(number, pk = "N#{team_id}", sk = "{shard}")]
        struct Player {
            team_id: TeamId, name: String, number: Option<u8>, score: f64,
            #[serde(flatten)] extra: Extra,
            #[counter] goals: f32, #[version] ver: u32, #[version] #[ttl] other: u64,
            #[top] top: u8, #[value] value: u8, #[key_only] lost: u8,
            #[serde(rename = "name")] again: String,
        }"##,
        expect![[r#"
            [T001] the partition key of `Player` uses `{teamid}`, but the struct has no such field; did you mean `team_id`?
            [D04] the sort key of `Player` uses `{extra}`, which has `#[serde(flatten)]`; the attribute is never written, or under a name that no key and no pattern knows; let serde write the field, or use another one
            [T001] `Player` has no field `nmae`; did you mean `name`?
            [K11] `{number}` in the sort key of `Player` is an `Option`, so that the key may be absent; DynamoDB refuses a row whose key is empty or missing; take the `Option` away, or build the key from another field
            `{shard}` needs to know how many there are and what decides: add `shards = 8, by = field`
            a spread partition has its number in the key: write `{shard}` into `pk`, such as "GAMES#{shard}"
            `{shard}` spreads partitions: it can stand in `pk` only, and in no unique constraint
            [K04] `{score}` in the sort key of `Player` is an `f64`, and texts of floats do not sort; keys sort as text, where 10 comes before 9 and -1 before -2; store a whole number without sign, such as cents or thousandths, and pad it
            [K04] `{goals}` in the sort key for index GSI1 of `Player` is an `f32`, and texts of floats do not sort; keys sort as text, where 10 comes before 9 and -1 before -2; store a whole number without sign, such as cents or thousandths, and pad it
            `{goals}` in the sort key for index GSI1 of `Player` is a counter, which changes on the server without being read, so that the key would go stale; take it out of the template, or use a field that is set by `edit`
            `{ver}` in the sort key for index GSI1 of `Player` is the version, which changes on the server without being read, so that the key would go stale; take it out of the template, or use a field that is set by `edit`
            [U02] index GSI1 of `Player` can't keep values unique; between the read and the write another writer can take the value; declare `#[unique(..)]`, which takes the value in the same transaction
            the keys of index GSI1 are declared twice
            `number` is in neither template of the unique constraint `number`, so that other values of it would be refused too; write `{number}` into `pk` or `sk`
            the template of the unique constraint `number` uses `{team_id}`, which is none of its fields; name it in `#[unique(team_id, …)]`
            a second `#[version]`: an entity has one
            `other` can't be `#[version]` and `#[ttl]`
            `#[top]` puts a field beside the `data` of an envelope: add `#[entity(codec = envelope("data"))]`, or remove it
            `#[value]` makes a field the `v` of a value row: add `#[entity(codec = value_row)]`, or remove it
            `lost` is written in the key only, but no template of the key has it, so that it would be lost; use it in `#[key]`, or remove `#[key_only]`
            a `#[counter]` is a whole number: make it a `u64` or an `i64`
            a `#[version]` counts changes from 1: make it a `u64`
            [D04] `extra` of `Player` has `#[serde(flatten)]` among plain attributes; it would read the type and the index keys of a row as values of its own, and write old ones back; remove `flatten`, or keep the entity as a document with `#[entity(codec = envelope("data"))]`
            [D01] `name` and `again` of `Player` are both the attribute `name`; DynamoDB refuses a key of another type, and readers can't know its meaning; rename one of them"#]],
    );
}

#[test]
fn old_names_mean_one_field() {
    check_errors(
        r##"
        #[key(pk = "NOTE#{id}")]
        struct Note {
            id: NoteId,
            #[serde(alias = "content", alias = "body")] text: String,
            #[serde(alias = "text")] title: String,
            #[counter] #[serde(alias = "reads")] views: u64,
        }"##,
        expect![[r#"
            [D01] `text` and `title` of `Note` are both the attribute `text`; DynamoDB refuses a key of another type, and readers can't know its meaning; rename one of them
            `views` is added to without being read, so that what old rows count as `reads` would be lost; rename the attribute in all rows first, and remove the alias"#]],
    );
}

#[test]
fn serde_must_write_the_fields_that_the_model_needs() {
    check_errors(
        r##"
        #[key(pk = "TEAM#{team_id}", sk = "METADATA")]
        #[index(GSI1: sparse, pk = "{owner}", sk = "{rank}")]
        #[unique(name)]
        struct Team {
            #[serde(skip_serializing)] team_id: TeamId,
            #[serde(with = "text")] name: String,
            #[serde(skip_serializing_if = "Option::is_none")] owner: Option<UserId>,
            #[serde(serialize_with = "monotable::model::codec::or_null")] rank: Rank,
            #[serde(rename(serialize = "a", deserialize = "b"))] other: String,
            #[version] #[serde(skip)] ver: u64,
            #[ttl] #[serde(serialize_with = "seconds")] ends: Option<EpochSeconds>,
            #[serde(with = "hex")] free: Vec<u8>,
            #[serde(skip)] cached: u8,
            #[serde(flatten)] rest: BTreeMap<String, String>,
            #[serde(skip_serializing)] secret: Option<String>,
            #[serde(skip_deserializing)] shown: Option<String>,
            #[serde(skip_serializing_if = "Vec::is_empty")] tags: Vec<String>,
            #[serde(default, skip_serializing_if = "Vec::is_empty")] marks: Vec<String>,
        }"##,
        expect![[r#"
            [D04] this is written under another name than it is read by; what was written is never read; give `rename` one name for both
            [D04] a `#[version]` field has `#[serde(skip)]`; the attribute is never written, or under a name that no key and no pattern knows; let serde write the field
            [D04] `cached` of `Team` has `#[serde(skip)]`; what is created or edited there is not what is read back; remove `skip`, or keep the value outside the entity
            [D04] `rest` of `Team` has `#[serde(flatten)]` among plain attributes; it would read the type and the index keys of a row as values of its own, and write old ones back; remove `flatten`, or keep the entity as a document with `#[entity(codec = envelope("data"))]`
            [D04] `team_id` is a part of the primary key and has `#[serde(skip_serializing)]`; the attribute is never written, or under a name that no key and no pattern knows; remove `skip_serializing`
            [D04] `name` is unique and has `#[serde(with)]`; the attribute is never written, or under a name that no key and no pattern knows; remove `with`
            [D04] `rank` is a part of an index key and has `#[serde(serialize_with)]`; the attribute is never written, or under a name that no key and no pattern knows; remove `serialize_with`
            [D04] `ends` is the expiry and has `#[serde(serialize_with)]`; the attribute is never written, or under a name that no key and no pattern knows; remove `serialize_with`
            [D04] `secret` of `Team` has `#[serde(skip_serializing)]`; what is created or edited there is not what is read back; remove `skip_serializing`, or keep the value outside the entity
            [D04] `shown` of `Team` has `#[serde(skip_deserializing)]`; what is created or edited there is not what is read back; remove `skip_deserializing`, or keep the value outside the entity
            [D04] `tags` of `Team` has `#[serde(skip_serializing_if)]` and no default; a row without the attribute could never be read; add `#[serde(default)]`"#]],
    );
    check_errors(
        r##"
        #[serde(from = "Raw")]
        #[key(pk = "TEAM#{team_id}")]
        struct Team { team_id: TeamId }"##,
        expect![
            "[D04] `#[serde(from)]` on an entity makes serde write something else than its fields; the attribute is never written, or under a name that no key and no pattern knows; remove it, or convert before the entity is made"
        ],
    );
}

#[test]
fn d04_rows_have_more_than_the_fields() {
    check_errors(
        r##"
        #[serde(deny_unknown_fields)]
        #[key(pk = "TEAM#{team_id}", sk = "METADATA")]
        struct Team { team_id: TeamId }"##,
        expect![
            "[D04] `#[serde(deny_unknown_fields)]` on an entity refuses every row; rows also have their keys and their type, which are no fields; remove it"
        ],
    );
}

#[test]
fn w02_rows_created_by_an_update_are_readable() {
    check_errors(
        r##"
        #[entity(allow(W02, because = "the first visit makes the row"))]
        #[key(pk = "VISITS#{team_id}", sk = "METADATA")]
        struct Visits {
            team_id: TeamId,
            #[counter] count: u64,
            #[version] ver: u64,
            #[updated] at: Timestamp,
            last: Option<UserId>,
            #[serde(default)] tags: Vec<String>,
            rate: f64,
        }"##,
        expect![
            "[W02] a row created by an update would lack `rate` and could never be read; `Visits` allows `or_create`, which sets only some fields; make the field an `Option`, give it `#[serde(default)]`, or remove `allow(W02)`"
        ],
    );
}

#[test]
fn an_entity_is_a_struct_with_named_fields_and_a_key() {
    check_errors(
        "struct Team { id: TeamId }",
        expect![[
            r#"`Team` has no key: add `#[key(pk = "…", sk = "…")]`, a template with a literal and the fields that identify it"#
        ]],
    );
    check_errors(
        "#[key(pk = \"X\")] struct Team(TeamId);",
        expect![
            "an entity has named fields, because they become attributes: write `struct Team { team_id: TeamId, … }`"
        ],
    );
    check_errors(
        "#[key(pk = \"X\")] enum Team { A }",
        expect![
            "an entity is a struct; for rows of several shapes write one struct each and let a pattern return them together"
        ],
    );
    check_errors(
        "#[key(pk = \"X\")] struct Team<T> { id: T }",
        expect![
            "an entity has no parameters: its rows look the same for everybody; write one struct for each type of row"
        ],
    );
    check_errors(
        "#[key(sk = \"X\")] struct Team { id: TeamId }",
        expect![[r#"a key needs a partition key: write `pk = "TEAM#{team_id}"`"#]],
    );
    check_errors(
        "#[key(pk = \"\")] struct Team { id: TeamId }",
        expect![[
            r#"[K11] this key template is empty; DynamoDB refuses a row whose key is empty or missing; write a literal, such as "METADATA""#
        ]],
    );
    check_errors(
        "#[key(pk = \"X\")] #[key(pk = \"Y\")] struct Team { id: TeamId }",
        expect![
            "a second `#[key]`: an entity has one; use `#[index]` for an index and `#[mirror]` for a second row"
        ],
    );
}

#[test]
fn raw_identifiers_are_ordinary_names() {
    let declaration = r##"
        #[key(pk = "S#{shard}", sk = "T#{type}", shards = 4, by = r#type)]
        #[index(GSI1: sparse, pk = "W#{where}", sk = "T#{type}")]
        #[unique(r#ref)]
        struct r#Loop {
            r#type: TypeId,
            r#where: Option<PlaceId>,
            r#ref: String,
            #[copy(Other.r#fn)]
            r#fn: String,
        }
        "##;
    check_errors(declaration, expect![[""]]);
    let entity = Entity::read(&parse(declaration), &mut Errors::default()).unwrap();
    assert_eq!((entity.type_name.as_str(), entity.module == "loop_"), ("Loop", true));
    assert_eq!(entity.unique[0].name, "ref");
    check_setters(declaration, expect!["parts where, fn"]);
}

#[test]
fn a_field_with_an_error_of_serde_is_there_for_templates() {
    check_errors(
        r##"
        #[key(pk = "TEAM#{team_id}", sk = "NAME#{name}")]
        struct Team {
            team_id: TeamId,
            #[immutable]
            #[serde(rename(serialize = "a", deserialize = "b"))]
            name: String,
        }
        "##,
        expect![
            "[D04] this is written under another name than it is read by; what was written is never read; give `rename` one name for both"
        ],
    );
}
