//! I01, I07, I08, I11, P01, P03, P04, P05, P10: one access pattern.

use expect_test::expect;

use super::{check, fine};
use crate::check;
use crate::fixtures::{
    ID, TEXT, Test, U32, allow, entity, filter, game, index, key, pattern, player, table, team,
};
use crate::meta::{
    ArgumentMeta, Codec, EntityMeta, IndexKind, IndexMeta, Operation, PatternMeta, PresenceTest,
    Projection, Shape, ShardMeta, SortTest, TableMeta, Template,
};

const BEGINS: Test = SortTest::BeginsWith;
const EQUALS: Test = SortTest::Equals;

fn league() -> (TableMeta, [&'static EntityMeta; 3]) {
    let player = player().optional("user_id");
    let keys = (["USER#{user_id}"], ["PLAYER#{player_id}"]);
    let player = player.index_with("GSI4", &keys.0, &keys.1, true).build();
    let entities = [team().build(), player, game().build()];
    (table(&entities, &[index("GSI4")], &[]), entities)
}

#[test]
fn the_example_keeps_every_rule() {
    let (league, [team, player, game]) = league();
    fine(check::pattern(
        &league,
        &pattern("team_page", "TEAM#{team_id}", None, &[team, player, game]),
    ));
    fine(check::pattern(
        &league,
        &pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[player]),
    ));
    let players_of = pattern("players_of", "USER#{user_id}", Some((BEGINS, "PLAYER#")), &[player]);
    fine(check::pattern(&league, &PatternMeta { index: Some("GSI4"), ..players_of }));
}

#[test]
fn i01_a_returned_entity_writes_the_index() {
    let (league, [team, ..]) = league();
    let lost = pattern("player_by_id", "USER#{user_id}", None, &[team]);
    let lost = PatternMeta { index: Some("GSI4"), allows: allow("P03"), ..lost };
    check(
        check::pattern(&league, &lost),
        expect![
            "[I01] pattern player_by_id returns Team, but Team never writes the keys of index GSI4; a row that does not write the keys of an index is never found there; declare the keys with `#[index(..)]` on the entity, or read the table instead"
        ],
    );
    fine(check::pattern(&TableMeta { allows: allow("I01"), ..league }, &lost));
    let unknown = PatternMeta { index: Some("GSI9"), ..lost };
    check(
        check::pattern(&league, &unknown),
        expect![
            "[I01] pattern player_by_id reads index GSI9, which League does not declare; DynamoDB refuses a request for an index that does not exist; declare the index in the table, or correct its name"
        ],
    );
}

#[test]
fn i07_an_index_projects_what_its_readers_need() {
    let (_, [_, player, _]) = league();
    let players_of = pattern("players_of", "USER#{user_id}", None, &[player]);
    let players_of = PatternMeta { index: Some("GSI4"), ..players_of };
    let with = |projection, allows| {
        let index = IndexMeta { projection, allows, ..index("GSI4") };
        check::pattern(&table(&[player], &[index], &[]), &players_of)
    };
    check(
        with(Projection::Include(&["team_id", "player_id"]), &[]),
        expect![
            "[I07] pattern players_of returns Player from index GSI4, which does not carry `user_id`; a row read from the index can't be decoded as the entity, or silently lacks the value; include the attribute in the projection, or project all"
        ],
    );
    fine(with(Projection::KeysOnly, allow("I07")));
    fine(with(Projection::Include(&["team_id", "player_id", "user_id", "shirt"]), &[]));
    fine(with(Projection::All, &[]));
}

#[test]
fn i07_an_index_carries_the_expiry() {
    let invite = |codec| {
        let mut draft = entity("Invite", &[("code", ID), ("ttl", U32)])
            .field("ttl", |field| field.is_top_level = true)
            .key("INVITE#{code}", "META")
            .index("GSI1", &["INVITES"], &["{code}"]);
        (draft.meta.ttl, draft.meta.codec) = (Some(1), codec);
        draft.build()
    };
    let with = |codec, attributes| {
        let index = IndexMeta { projection: Projection::Include(attributes), ..index("GSI1") };
        let invite = invite(codec);
        let read = pattern("invites", "INVITES", None, &[invite]);
        let read = PatternMeta { index: Some("GSI1"), ..read };
        check::pattern(&table(&[invite], &[index], &[]), &read)
    };
    check(
        with(Codec::Plain, &["code"]),
        expect![
            "[I07] pattern invites returns Invite from index GSI1, which does not carry `ttl`; a row read from the index can't be decoded as the entity, or silently lacks the value; include the attribute in the projection, or project all"
        ],
    );
    check(
        with(Codec::ValueRow, &["v"]),
        expect![
            "[I07] pattern invites returns Invite from index GSI1, which does not carry `ttl`; a row read from the index can't be decoded as the entity, or silently lacks the value; include the attribute in the projection, or project all"
        ],
    );
    fine(with(Codec::Plain, &["code", "ttl"]));
    fine(with(Codec::ValueRow, &["v", "ttl"]));
}

#[test]
fn i07_an_envelope_is_needed_as_a_whole() {
    let mut draft = team().index("GSI1", &["TEAMS"], &["TEAM#{team_id}"]);
    draft.meta.codec = Codec::Envelope { data: "payload" };
    let team = draft.build();
    let index = IndexMeta { projection: Projection::KeysOnly, ..index("GSI1") };
    let teams = PatternMeta { index: Some("GSI1"), ..pattern("teams", "TEAMS", None, &[team]) };
    check(
        check::pattern(&table(&[team], &[index], &[]), &teams),
        expect![
            "[I07] pattern teams returns Team from index GSI1, which does not carry `payload`; a row read from the index can't be decoded as the entity, or silently lacks the value; include the attribute in the projection, or project all"
        ],
    );
}

#[test]
fn i08_global_indexes_are_not_read_consistently() {
    let (league, [_, player, _]) = league();
    let read = pattern("players_of", "USER#{user_id}", None, &[player]);
    let read = PatternMeta { index: Some("GSI4"), is_consistent: true, ..read };
    check(
        check::pattern(&league, &read),
        expect![
            "[I08] pattern players_of reads index GSI4 consistently; global indexes lag behind the table, and DynamoDB refuses the request; remove `consistent`, or read the table"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("I08"), ..read }));
    let local =
        IndexMeta { kind: IndexKind::Local, partition: &[], sort: &["shirt"], ..index("BySize") };
    let player = crate::fixtures::player().index("BySize", &[], &["{shirt}"]).build();
    let read = pattern("by_size", "TEAM#{team_id}", None, &[player]);
    let read = PatternMeta { index: Some("BySize"), is_consistent: true, ..read };
    fine(check::pattern(&table(&[player], &[local], &[]), &read));
}

#[test]
fn i11_a_row_is_got_by_its_whole_key() {
    let (league, [team, ..]) = league();
    let get = |sort| PatternMeta {
        operation: Operation::Get,
        shape: Shape::One,
        ..pattern("team", "TEAM#{team_id}", sort, &[team])
    };
    check(
        check::pattern(&league, &get(Some((BEGINS, "META")))),
        expect![
            "[I11] pattern team gets one row, but does not give the exact sort key of League; a single row is read by its whole key; give the exact key, or make it a query"
        ],
    );
    fine(check::pattern(&league, &get(Some((EQUALS, "METADATA")))));
}

#[test]
fn p01_a_pattern_has_a_partition_key() {
    let (league, [team, player, game]) = league();
    let lost = pattern("team_with_roster", "", None, &[team, player]);
    check(
        check::pattern(&league, &lost),
        expect![
            "[P01] pattern team_with_roster has no partition key: it would need a Scan; it would read the whole table, and cost more with every row in it; give it a partition key, or declare it `#[scan(admin)]` if only administrators run it"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("P01"), ..lost }));
    let scan = PatternMeta {
        operation: Operation::Scan,
        returns: vec![team, player, game].leak(),
        ..lost
    };
    check(
        check::pattern(&league, &scan),
        expect![
            "[P01] pattern team_with_roster scans; it would read the whole table, and cost more with every row in it; give it a partition key, or declare it `#[scan(admin)]` if only administrators run it"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { is_admin: true, ..scan }));
}

#[test]
fn p03_a_pattern_returns_all_that_it_reads() {
    let (league, [team, player, _]) = league();
    let page = pattern("team_page", "TEAM#{team_id}", None, &[team, player]);
    check(
        check::pattern(&league, &page),
        expect![[
            r#"[P03] pattern team_page also reads Game rows: "TEAM#{team_id}" / "GAME#{start}#{game_id}" lies inside its key range; they are paid for, but are not of the types that the pattern returns; narrow the sort key, or add Game to the return type"#
        ]],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("P03"), ..page }));
    let jersey =
        crate::fixtures::player().unique("shirt", ["TEAM#{team_id}", "NUMBER#{shirt:010}"]).build();
    let roster = pattern("roster", "TEAM#{team_id}", None, &[jersey]);
    check(
        check::pattern(&table(&[jersey], &[], &[]), &roster),
        expect![[
            r#"[P03] pattern roster also reads the rows of the unique constraint shirt of Player: "TEAM#{team_id}" / "NUMBER#{shirt:010}" lies inside its key range; they are paid for, but are not of the types that the pattern returns; narrow the sort key"#
        ]],
    );
    let roster = pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[jersey]);
    fine(check::pattern(&table(&[jersey], &[], &[]), &roster));
}

#[test]
fn p03_ranges_end_at_their_literal() {
    let (league, [team, player, game]) = league();
    let summary =
        entity("Summary", &[("team_id", ID)]).key("TEAM#{team_id}", "GAME#SUMMARY").build();
    let with_summary = table(&[team, player, game, summary], &[], &[]);
    let between = |_: Template| SortTest::Between(key("GAME#{from}"), key("GAME#{to}"));
    let tests: [(Test, &str); 5] = [
        (between, "GAME#"),
        (SortTest::UpTo, "GAME#{day}"),
        (SortTest::Before, "GAME#{day}"),
        (SortTest::From, "GAME#{day}"),
        (SortTest::After, "GAME#{day}"),
    ];
    for (number, (test, text)) in tests.into_iter().enumerate() {
        let games = pattern("games", "TEAM#{team_id}", Some((test, text)), &[game]);
        fine(check::pattern(&league, &games));
        // `S` sorts after every digit: only a range without an upper end reaches it.
        let verdict = check::pattern(&with_summary, &games);
        assert_eq!(verdict.is_fine(), number < 3, "{number}: {verdict}");
    }
}

#[test]
fn p04_a_returned_entity_can_be_found() {
    let (league, [team, player, game]) = league();
    let lost = pattern("games", "TEAM#{team_id}", Some((BEGINS, "GAME#")), &[game, player]);
    check(
        check::pattern(&league, &lost),
        expect![[
            r#"[P04] pattern games returns Player, but never finds "TEAM#{team_id}" / "PLAYER#{player_id}"; the keys of the pattern and of the entity have nothing in common; correct the key of the pattern, or take the entity out of the return type"#
        ]],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("P04"), ..lost }));
    let elsewhere = pattern("team", "CLUB#{team_id}", None, &[team]);
    check(
        check::pattern(&league, &elsewhere),
        expect![[
            r#"[P04] pattern team returns Team, but never finds "TEAM#{team_id}" / "METADATA"; the keys of the pattern and of the entity have nothing in common; correct the key of the pattern, or take the entity out of the return type"#
        ]],
    );
    let stranger = entity("Coach", &[("team_id", ID)]).key("TEAM#{team_id}", "COACH").build();
    let stranger = pattern("coach", "TEAM#{team_id}", Some((EQUALS, "COACH")), &[stranger]);
    check(
        check::pattern(&league, &stranger),
        expect![
            "[P04] pattern coach returns Coach, which is not an entity of League; the table has no rows of it; add it to the entities of the table"
        ],
    );
}

#[test]
fn p04_a_mirror_is_a_way_to_find_an_entity() {
    let season = entity("Season", &[("league_id", ID), ("season_id", ID)])
        .key("LEAGUE#{league_id}", "SEASON#{season_id}")
        .mirror("Season", Some(["SEASON#{season_id}", "METADATA"]))
        .build();
    let by_id = pattern("season", "SEASON#{season_id}", Some((EQUALS, "METADATA")), &[season]);
    fine(check::pattern(&table(&[season], &[], &[]), &by_id));
}

#[test]
fn p04_a_filter_names_an_attribute() {
    let (league, [_, player, _]) = league();
    let roster = pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[player]);
    let named = PatternMeta { arguments: filter("nickname"), ..roster };
    check(
        check::pattern(&league, &named),
        expect![
            "[P04] pattern roster filters by `nickname`, which Player does not have as an attribute; such a filter drops all of its rows; name a field that is an attribute of its own, as in `#[filter(field)]`"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { arguments: filter("shirt"), ..roster }));
}

#[test]
fn p04_only_optional_attributes_are_tested_for_presence() {
    let (league, [_, player, _]) = league();
    let roster = pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[player]);
    fine(check::pattern(
        &league,
        &PatternMeta { presence: &[PresenceTest::Exists("user_id")], ..roster },
    ));
    check(
        check::pattern(
            &league,
            &PatternMeta { presence: &[PresenceTest::Exists("nickname")], ..roster },
        ),
        expect![
            "[P04] pattern roster filters by `nickname`, which Player does not have as an attribute; such a filter drops all of its rows; name a field that is an attribute of its own, as in `#[filter(field)]`"
        ],
    );
    check(
        check::pattern(
            &league,
            &PatternMeta { presence: &[PresenceTest::Absent("shirt")], ..roster },
        ),
        expect![
            "[P04] pattern roster tests whether rows have `shirt`, which every Player has; such a filter drops all of its rows, or none; name a field that is an `Option`"
        ],
    );
}

#[test]
fn p04_a_number_is_padded_as_in_the_key() {
    let shirt = |sort| {
        let number = entity("Shirt", &[("team_id", ID), ("shirt", U32)]);
        number.key("TEAM#{team_id}", sort).build()
    };
    let shirts = |sort, test: Test, text| {
        let shirt = shirt(sort);
        let from = pattern("shirts_from", "TEAM#{team_id}", Some((test, text)), &[shirt]);
        check::pattern(&table(&[shirt], &[], &[]), &from)
    };
    check(
        shirts("SHIRT#{shirt:010}", SortTest::From, "SHIRT#{shirt}"),
        expect![
            "[P04] `{shirt}` in pattern shirts_from is padded to 10 digits in the key of Shirt; another number of digits is another text, which finds no row or a wrong one; write `{shirt:010}`"
        ],
    );
    check(
        shirts("SHIRT#{shirt}", SortTest::Equals, "SHIRT#{shirt:03}"),
        expect![
            "[P04] `{shirt}` in pattern shirts_from is padded, but not in the key of Shirt; another number of digits is another text, which finds no row or a wrong one; write `{shirt}`"
        ],
    );
    fine(shirts("SHIRT#{shirt:010}", SortTest::From, "SHIRT#{shirt:010}"));
    fine(shirts("SHIRT#{shirt:010}", SortTest::BeginsWith, "SHIRT#{text}"));
    let kept = shirt("SHIRT#{shirt:010}");
    let from =
        pattern("shirts", "TEAM#{team_id}", Some((SortTest::From, "SHIRT#{shirt}")), &[kept]);
    let allowed = PatternMeta { allows: allow("P04"), ..from };
    fine(check::pattern(&table(&[kept], &[], &[]), &allowed));
}

#[test]
fn p04_an_argument_is_of_the_kind_of_its_field() {
    let (league, [_, _, game]) = league();
    let games = |test: Test, text| {
        check::pattern(&league, &pattern("games", "TEAM#{team_id}", Some((test, text)), &[game]))
    };
    check(
        games(SortTest::From, "GAME#{shirt:010}"),
        expect![
            "[P04] `{shirt}` in pattern games is a number, but `{start}` in the key of Game is a day; their texts are never equal, so the pattern finds nothing; give the argument the type of the field"
        ],
    );
    fine(games(SortTest::From, "GAME#{day}"));
    fine(games(BEGINS, "GAME#{text}"));
    check(
        games(EQUALS, "GAME#{day}#{shirt}"),
        expect![
            "[P04] `{shirt}` in pattern games is a number, but `{game_id}` in the key of Game is a text; their texts are never equal, so the pattern finds nothing; give the argument the type of the field"
        ],
    );
}

#[test]
fn p05_all_rows_are_bounded() {
    let (league, [team, player, _]) = league();
    let roster = pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[player]);
    let all = PatternMeta { shape: Shape::All, ..roster };
    check(
        check::pattern(&league, &all),
        expect![
            "[P05] pattern roster returns all rows at once, however many there are; a collection grows until reading it takes many pages and too long; return `Rows` and page through them, or set their maximum number with `items_max`"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("P05"), ..all }));
    // A limit is what one request reads; the next one reads on.
    assert!(!check::pattern(&league, &PatternMeta { limit: Some(50), ..all }).is_fine());
    fine(check::pattern(&league, &PatternMeta { items_max: Some(40), ..all }));
    let fold = PatternMeta { shape: Shape::Fold, ..all };
    check(
        check::pattern(&league, &fold),
        expect![
            "[P05] pattern roster folds all rows at once, however many there are; a collection grows until reading it takes many pages and too long; return `Rows` and page through them, or set their maximum number with `items_max`"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { items_max: Some(40), ..fold }));
    let exact = pattern("team", "TEAM#{team_id}", Some((EQUALS, "METADATA")), &[team]);
    fine(check::pattern(&league, &PatternMeta { shape: Shape::All, ..exact }));
}

#[test]
fn p10_a_limit_does_not_meet_a_filter() {
    let (league, [_, player, _]) = league();
    let roster = pattern("roster", "TEAM#{team_id}", Some((BEGINS, "PLAYER#")), &[player]);
    let filtered = PatternMeta { arguments: filter("shirt"), limit: Some(20), ..roster };
    check(
        check::pattern(&league, &filtered),
        expect![
            "[P10] pattern roster has a limit and filters by `shirt`; the limit counts rows before the filter, so that pages come back short or empty; remove the limit and ask for `take(n)`, which continues until the page is full"
        ],
    );
    fine(check::pattern(&league, &PatternMeta { allows: allow("P10"), ..filtered }));
    fine(check::pattern(&league, &PatternMeta { limit: None, ..filtered }));
    let linked =
        PatternMeta { presence: &[PresenceTest::Exists("user_id")], limit: Some(20), ..roster };
    check(
        check::pattern(&league, &linked),
        expect![
            "[P10] pattern roster has a limit and filters by `user_id`; the limit counts rows before the filter, so that pages come back short or empty; remove the limit and ask for `take(n)`, which continues until the page is full"
        ],
    );
}

#[test]
fn text_of_an_argument_may_be_any_key() {
    let (league, [team, player, game]) = league();
    let any = pattern("row", "TEAM#{team_id}", Some((EQUALS, "{text}")), &[team, player, game]);
    fine(check::pattern(&league, &any));
    let note = entity("Note", &[("text", TEXT)]).key("TEAM#{text}", "NOTE").build();
    let notes = pattern("notes", "TEAM#{team_id}#X", None, &[note]);
    fine(check::pattern(&table(&[note], &[], &[]), &notes));
}

#[test]
fn p04_the_shards_of_a_query_are_those_of_the_rows() {
    let entry = |count: Option<u16>| {
        let entry = entity("Entry", &[("team_id", ID)]).key("TEAM#{team_id}", "META");
        let partition = if count.is_some() { "ALL#{shard}" } else { "ALL#{team_id}" };
        let mut entry = entry.index("GSI1", &[partition], &["{team_id}"]);
        let mut written = entry.meta.indexes[0];
        written.shards = count.map(|count| ShardMeta { count, by: 0 });
        entry.meta.indexes = vec![written].leak();
        entry.build()
    };
    let with = |written, partition, shards, allows| {
        let entry = entry(written);
        let all = pattern("all", partition, None, &[entry]);
        let all = PatternMeta { index: Some("GSI1"), shards, allows, ..all };
        check::pattern(&table(&[entry], &[index("GSI1")], &[]), &all)
    };
    check(
        with(Some(4), "ALL#{shard}", Some(3), &[]),
        expect![
            "[P04] pattern all reads 3 shards, but Entry is spread over 4 shards; the rows of the others are never found; write `shards = 4`"
        ],
    );
    check(
        with(Some(4), "ALL#{shard}", Some(8), &[]),
        expect![
            "[P04] pattern all reads 8 shards, but Entry is spread over 4 shards; unused shards are read and paid for; write `shards = 4`"
        ],
    );
    check(
        with(None, "ALL#{shard}", Some(4), &[]),
        expect![
            "[P04] pattern all reads 4 shards, but Entry is not spread over shards there; no row contains the number of a shard, so the pattern finds nothing; write the partition key without `{shard}`, and leave `shards` out"
        ],
    );
    for one in ["ALL#0", "ALL#{number}"] {
        check(
            with(Some(4), one, None, &[]),
            expect![
                "[P04] pattern all reads one partition, but Entry is spread over 4 shards; only the rows of one shard are found; write `{shard}` into the partition key, and `shards = 4`"
            ],
        );
    }
    fine(with(Some(4), "ALL#0", None, allow("P04")));
    fine(with(Some(4), "ALL#{shard}", Some(4), &[]));
    fine(with(None, "ALL#{team_id}", None, &[]));
}

/// Arguments of the key with their types.
fn typed(arguments: &[(&'static str, &'static str)]) -> &'static [ArgumentMeta] {
    let typed = |&(name, rust_type)| ArgumentMeta { name, rust_type, filter: None };
    arguments.iter().map(typed).collect::<Vec<_>>().leak()
}

#[test]
fn p04_an_id_is_of_the_type_of_its_field() {
    let named = || {
        let team = team().field("team_id", |field| field.rust_type = "ids::TeamId");
        team.key("TEAM#{team_id}", "METADATA").build()
    };
    let with = |rust_type, allows| {
        let team = named();
        let get = pattern("team", "TEAM#{id}", Some((EQUALS, "METADATA")), &[team]);
        let get = PatternMeta { arguments: typed(&[("id", rust_type)]), allows, ..get };
        check::pattern(&table(&[team], &[], &[]), &get)
    };
    check(
        with("&UserId", &[]),
        expect![
            "[P04] `{id}` in pattern team is `&UserId`, but `{team_id}` in the key of Team is `ids::TeamId`; an id of one type finds nothing, or a wrong row, in place of another; give the argument the type of the field"
        ],
    );
    fine(with("&UserId", allow("P04")));
    fine(with("&TeamId", &[]));
    fine(with("&str", &[]));
}

#[test]
fn p04_a_filter_is_of_the_type_of_its_field() {
    let venue = || {
        let game = game().field("game_id", |field| field.rust_type = "GameId");
        game.field("start", |field| field.rust_type = "Option<Date>").build()
    };
    let with = |name, rust_type, allows| {
        let game = venue();
        let argument = ArgumentMeta { name, rust_type, filter: Some(name) };
        let games = pattern("games", "TEAM#{team_id}", Some((BEGINS, "GAME#")), &[game]);
        let games = PatternMeta { arguments: vec![argument].leak(), allows, ..games };
        check::pattern(&table(&[game], &[], &[]), &games)
    };
    check(
        with("start", "Option<u32>", &[]),
        expect![
            "[P04] pattern games filters by a `Option<u32>`, but `start` of Game is `Option<Date>`; values of two types are never equal, so that such a filter drops all rows; give the argument the type of the field"
        ],
    );
    check(
        with("game_id", "&TeamId", &[]),
        expect![
            "[P04] pattern games filters by a `&TeamId`, but `game_id` of Game is `GameId`; values of two types are never equal, so that such a filter drops all rows; give the argument the type of the field"
        ],
    );
    fine(with("game_id", "&TeamId", allow("P04")));
    fine(with("game_id", "Option<&GameId>", &[]));
    fine(with("game_id", "&str", &[]));
    fine(with("start", "Date", &[]));
}
