//! Entities in all three codecs: the rows of the example designs, rows of other programs, and
//! random rows in both directions.

use monotable_design::meta::{FieldMeta, WireType};
use monotable_types::{item, map};
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::codec::fixture::{Field, entity};
use crate::codec::{CodecProblem, PLAIN_JSON_BYTES_MAX};
use crate::time::{EpochSeconds, Timestamp};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    game_id: String,
    league_id: String,
    status: String,
    number: u32,
    note: Option<String>,
    ver: u64,
    created_at: Timestamp,
    updated_at: Timestamp,
    ttl_epoch: Option<EpochSeconds>,
}

const GAME_FIELDS: &[FieldMeta] = &[
    Field::new("gameId").key_only().meta(),
    Field::new("leagueId").meta(),
    Field::new("status").top_level().meta(),
    Field::new("number").of_type(WireType::N).meta(),
    Field::new("note").optional().meta(),
    Field::new("ver").of_type(WireType::N).meta(),
    Field::new("createdAt").meta(),
    Field::new("updatedAt").meta(),
    Field::new("ttlEpoch").of_type(WireType::N).optional().meta(),
];

fn game_meta(codec: Codec) -> EntityMeta {
    EntityMeta {
        version: Some(5),
        created: Some(6),
        updated: Some(7),
        ttl: Some(8),
        ..entity(codec, GAME_FIELDS)
    }
}

const ENVELOPE: Codec = Codec::Envelope { data: "data" };

fn game() -> Game {
    Game {
        game_id: "01J".into(),
        league_id: "l1".into(),
        status: "live".into(),
        number: 7,
        note: None,
        ver: 3,
        created_at: "2026-02-22T09:30:00.000Z".parse().unwrap(),
        updated_at: "2026-02-22T09:31:00.000Z".parse().unwrap(),
        ttl_epoch: None,
    }
}

fn key(parts: &[(u16, &str)]) -> ParsedParts {
    let mut key = ParsedParts::default();
    for (position, text) in parts {
        assert!(key.insert(*position, text));
    }
    key
}

#[test]
fn plain_fields_are_attributes() {
    let meta = game_meta(Codec::Plain);
    let row = encode_fields(&meta, &game()).unwrap();
    assert_eq!(
        row,
        item! {
            "leagueId" => "l1", "status" => "live", "number" => 7, "ver" => 3,
            "createdAt" => "2026-02-22T09:30:00.000Z", "updatedAt" => "2026-02-22T09:31:00.000Z",
        }
    );
    assert_eq!(decode_fields::<Game>(&meta, row, &key(&[(0, "01J")])).unwrap(), game());
}

#[test]
fn missing_fields_come_from_the_key_in_the_type_of_the_field() {
    let meta = game_meta(Codec::Plain);
    let mut row = encode_fields(&meta, &game()).unwrap();
    row.remove("number");
    row.remove("leagueId");
    let parts = key(&[(0, "01J"), (3, "7"), (1, "l1")]);
    assert_eq!(decode_fields::<Game>(&meta, row.clone(), &parts).unwrap(), game());
    // The row takes precedence over the key.
    row.insert("number".into(), 9.into());
    assert_eq!(decode_fields::<Game>(&meta, row, &parts).unwrap().number, 9);
}

#[test]
fn a_row_without_version_has_version_0() {
    for codec in [Codec::Plain, ENVELOPE, Codec::ValueRow] {
        let meta = game_meta(codec);
        let mut row = encode_fields(&meta, &game()).unwrap();
        row.remove("ver");
        let decoded: Game = decode_fields(&meta, row, &key(&[(0, "01J")])).unwrap();
        assert_eq!(decoded, Game { ver: 0, ..game() });
    }
}

#[test]
fn an_envelope_has_the_other_fields_as_json_in_order() {
    let meta = game_meta(ENVELOPE);
    let row = encode_fields(&meta, &game()).unwrap();
    assert_eq!(
        row,
        item! {
            "status" => "live", "ver" => 3,
            "createdAt" => "2026-02-22T09:30:00.000Z", "updatedAt" => "2026-02-22T09:31:00.000Z",
            "data" => r#"{"leagueId":"l1","number":7,"note":null}"#,
        }
    );
    assert_eq!(decode_fields::<Game>(&meta, row, &key(&[(0, "01J")])).unwrap(), game());
}

#[test]
fn an_envelope_of_another_program_is_read() {
    // As 3FC's repository writes it: everything in `data`, next to it only times.
    let row = item! {
        "pk" => "GAME#01J", "sk" => "METADATA", "entityType" => "game",
        "createdAt" => "2026-02-22T09:30:00.000Z", "updatedAt" => "2026-02-22T09:31:00.000Z",
        "data" => r#"{"gameId":"01J","leagueId":"l1","status":"live","number":7,"ver":99,"seasonId":"s1"}"#,
    };
    let decoded: Game = decode_fields(&game_meta(ENVELOPE), row, &key(&[(0, "other")])).unwrap();
    // Conditions see the version of the row, which it lacks.
    assert_eq!(decoded, Game { ver: 0, ..game() });
}

#[test]
fn errors_in_json_contain_their_path() {
    let meta = game_meta(ENVELOPE);
    let check = |data: &str, expected: expect_test::Expect| {
        let mut row = encode_fields(&meta, &game()).unwrap();
        row.insert("data".into(), data.into());
        let error = decode_fields::<Game>(&meta, row, &key(&[(0, "01J")])).unwrap_err();
        expected.assert_eq(&error.to_string());
    };
    check(
        r#"{"leagueId":"l1","number":"x"}"#,
        expect_test::expect![[
            r#"data.number: invalid type: string "x", expected u32 at line 1 column 29"#
        ]],
    );
    check(
        r#"{"leagueId":"l1"}"#,
        expect_test::expect!["data: missing field `number` at line 1 column 17"],
    );
    check(
        r#"{"leagueId":"l1","#,
        expect_test::expect!["data: EOF while parsing a value at line 1 column 17"],
    );
    check(
        "[]",
        expect_test::expect![
            "data: invalid type: sequence, expected struct Game at line 1 column 0"
        ],
    );

    let mut row = encode_fields(&meta, &game()).unwrap();
    row.insert("ver".into(), "3".into());
    let error = decode_fields::<Game>(&meta, row, &key(&[(0, "01J")])).unwrap_err();
    assert_eq!(error.to_string(), "ver: expected a number, found a string");
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MatchState {
    match_id: String,
    status: String,
    memory_blob: String,
    version: u64,
    expiry: Option<EpochSeconds>,
}

const MATCH_FIELDS: &[FieldMeta] = &[
    Field::new("matchId").meta(),
    Field::new("status").meta(),
    Field::new("memoryBlob").meta(),
    Field::new("version").of_type(WireType::N).meta(),
    Field::new("expiry").of_type(WireType::N).optional().meta(),
];

fn match_meta() -> EntityMeta {
    EntityMeta { version: Some(3), ttl: Some(4), ..entity(Codec::ValueRow, MATCH_FIELDS) }
}

fn state(blob_bytes: usize) -> MatchState {
    MatchState {
        match_id: "m1".into(),
        status: "active".into(),
        memory_blob: "é".repeat(blob_bytes / 2),
        version: 4,
        expiry: None,
    }
}

#[test]
fn a_value_row_equals_that_of_the_example_design() {
    let row = encode_fields(&match_meta(), &state(2)).unwrap();
    assert_eq!(
        row,
        item! {
            "v" => r#"{"matchId":"m1","status":"active","memoryBlob":"é"}"#,
            "ct" => "application/json", "ver" => 4,
        }
    );
    let decoded: MatchState = decode_fields(&match_meta(), row, &key(&[])).unwrap();
    assert_eq!(decoded, state(2));
}

#[test]
fn long_values_are_compressed_by_their_bytes() {
    let overhead = encode_fields(&match_meta(), &state(0)).unwrap()["v"].as_s().unwrap().len();
    assert_eq!(overhead % 2, 0);
    let plain = encode_fields(&match_meta(), &state(PLAIN_JSON_BYTES_MAX - overhead)).unwrap();
    assert_eq!(plain["v"].as_s().unwrap().len(), PLAIN_JSON_BYTES_MAX);
    assert!(!plain.contains_key("meta"));

    let long = state(PLAIN_JSON_BYTES_MAX - overhead + 2);
    let row = encode_fields(&match_meta(), &long).unwrap();
    assert_eq!(row["v"].as_b().unwrap()[..2], [0x1f, 0x8b]);
    assert_eq!(row["meta"], map! { "compressed" => true });
    assert_eq!(row["ct"], "application/json".into());
    assert_eq!(decode_fields::<MatchState>(&match_meta(), row, &key(&[])).unwrap(), long);
}

#[test]
fn a_value_is_read_by_its_type_and_its_meta() {
    let json = r#"{"matchId":"m1","status":"active","memoryBlob":"é","version":9}"#;
    let binary = AttributeValue::B(json.as_bytes().to_vec());
    for row in [
        item! { "v" => json, "ver" => 4 },
        item! { "v" => json, "ver" => 4, "meta" => map! { "compressed" => true } },
        item! { "v" => binary, "ver" => 4, "meta" => map! { "source" => "import" } },
    ] {
        let decoded: MatchState = decode_fields(&match_meta(), row, &key(&[])).unwrap();
        assert_eq!(decoded, state(2));
    }
    let check = |row: Item| {
        decode_fields::<MatchState>(&match_meta(), row, &key(&[])).unwrap_err().to_string()
    };
    assert_eq!(check(item! { "v" => 3 }), "v: expected JSON text, found a number");
    let damaged = item! {
        "v" => AttributeValue::B(vec![0x1f, 0x8b, 1]), "meta" => map! { "compressed" => true },
    };
    assert_eq!(check(damaged), "v: the compressed value: unexpected end of file");
}

#[test]
fn a_value_that_stays_too_large_is_refused() {
    let mut noise = String::new();
    let mut seed = 1_u64;
    while noise.len() < 600 << 10 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        noise.push_str(&format!("{:x}", seed >> 16));
    }
    let large = MatchState { memory_blob: noise.clone(), ..state(0) };
    let row = encode_fields(&match_meta(), &large);
    assert!(row.is_ok(), "hexadecimal digits compress to about a half");

    let larger = MatchState { memory_blob: noise.repeat(2), ..state(0) };
    let error = encode_fields(&match_meta(), &larger).unwrap_err();
    assert!(matches!(error.problem(), CodecProblem::ValueTooLarge { bytes_max: 399_360, .. }));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Event {
    #[serde(rename = "matchId")]
    match_id: String,
    seq: u32,
    #[serde(rename = "type")]
    kind: String,
}

const EVENT_FIELDS: &[FieldMeta] = &[
    Field::new("matchId").key_only().meta(),
    Field::new("seq").of_type(WireType::N).meta(),
    Field::new("type").meta(),
];

#[test]
fn an_event_has_no_version_and_may_lack_fields_of_its_key() {
    let meta = entity(Codec::ValueRow, EVENT_FIELDS);
    let event = Event { match_id: "m1".into(), seq: 12, kind: "TURN_RESOLVED".into() };
    let row = encode_fields(&meta, &event).unwrap();
    let json = r#"{"seq":12,"type":"TURN_RESOLVED"}"#;
    assert_eq!(row, item! { "v" => json, "ct" => "application/json" });
    let parts = key(&[(0, "m1"), (1, "12")]);
    assert_eq!(decode_fields::<Event>(&meta, row, &parts).unwrap(), event);
    let legacy = item! { "v" => r#"{"type":"TURN_RESOLVED"}"# };
    assert_eq!(decode_fields::<Event>(&meta, legacy, &parts).unwrap(), event);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Counter {
    user: String,
    count: u64,
    ttl: EpochSeconds,
}

const COUNTER_FIELDS: &[FieldMeta] = &[
    Field::new("user").key_only().meta(),
    Field::new("count").of_type(WireType::N).value().meta(),
    Field::new("ttl").of_type(WireType::N).meta(),
];

#[test]
fn a_counter_is_its_own_value() {
    let meta = EntityMeta { ttl: Some(2), ..entity(Codec::ValueRow, COUNTER_FIELDS) };
    let counter = Counter { user: "u".into(), count: 12, ttl: EpochSeconds::new(70) };
    let row = encode_fields(&meta, &counter).unwrap();
    assert_eq!(row, item! { "v" => 12, "ttl" => 70 });
    assert_eq!(decode_fields::<Counter>(&meta, row, &key(&[(0, "u")])).unwrap(), counter);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Lock {
    owner: String,
    ttl: EpochSeconds,
}

const LOCK_FIELDS: &[FieldMeta] =
    &[Field::new("owner").value().meta(), Field::new("ttl").of_type(WireType::N).meta()];

#[test]
fn a_lock_is_its_owner() {
    let meta = EntityMeta { ttl: Some(1), ..entity(Codec::ValueRow, LOCK_FIELDS) };
    let lock = Lock { owner: "locked".into(), ttl: EpochSeconds::new(1_700_000_030) };
    let row = encode_fields(&meta, &lock).unwrap();
    assert_eq!(row, item! { "v" => "locked", "ttl" => 1_700_000_030 });
    assert_eq!(decode_fields::<Lock>(&meta, row, &key(&[])).unwrap(), lock);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Due {
    hour: String,
    cutoff: u64,
    ttl: EpochSeconds,
}

const DUE_FIELDS: &[FieldMeta] = &[
    Field::new("hour").key_only().meta(),
    Field::new("cutoff").of_type(WireType::N).key_only().meta(),
    Field::new("ttl").of_type(WireType::N).meta(),
];

#[test]
fn a_row_that_is_all_key_has_no_value() {
    let meta = EntityMeta { ttl: Some(2), ..entity(Codec::ValueRow, DUE_FIELDS) };
    let due =
        Due { hour: "2026022209".into(), cutoff: 1_771_754_400_000, ttl: EpochSeconds::new(1) };
    let row = encode_fields(&meta, &due).unwrap();
    assert_eq!(row, item! { "ttl" => 1 });
    let parts = key(&[(0, "2026022209"), (1, "1771754400000")]);
    assert_eq!(decode_fields::<Due>(&meta, row, &parts).unwrap(), due);
}

#[test]
fn a_field_that_is_the_whole_value_excludes_others() {
    const FIELDS: &[FieldMeta] = &[Field::new("owner").value().meta(), Field::new("ttl").meta()];
    let lock = Lock { owner: "x".into(), ttl: EpochSeconds::new(1) };
    let error = encode_fields(&entity(Codec::ValueRow, FIELDS), &lock).unwrap_err();
    assert_eq!(error.to_string(), "a field that is the whole value excludes other fields");
}

#[test]
fn flattened_fields_are_stored_like_the_others() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Player {
        name: String,
        #[serde(flatten)]
        stats: std::collections::BTreeMap<String, u8>,
        ver: u64,
    }
    const FIELDS: &[FieldMeta] =
        &[Field::new("name").meta(), Field::new("ver").of_type(WireType::N).meta()];
    let player = || Player {
        name: "Ada".into(),
        stats: [("wits".to_owned(), 5)].into_iter().collect(),
        ver: 2,
    };
    let check = |codec, expected: Item| {
        let meta = EntityMeta { version: Some(1), ..entity(codec, FIELDS) };
        let row = encode_fields(&meta, &player()).unwrap();
        assert_eq!(row, expected);
        assert_eq!(decode_fields::<Player>(&meta, row, &key(&[])).unwrap(), player());
    };
    check(Codec::Plain, item! { "name" => "Ada", "wits" => 5, "ver" => 2 });
    check(ENVELOPE, item! { "data" => r#"{"name":"Ada","wits":5}"#, "ver" => 2 });
}

#[test]
fn attributes_of_fields_are_known() {
    let names = |codec| {
        let meta = game_meta(codec);
        (0..10).map(|position| super::super::attribute_of(&meta, position)).collect::<Vec<_>>()
    };
    assert_eq!(names(Codec::Plain)[..3], [None, Some("leagueId"), Some("status")]);
    assert_eq!(names(ENVELOPE)[..6], [None, None, Some("status"), None, None, Some("ver")]);
    assert_eq!(names(Codec::ValueRow)[5..], [Some("ver"), None, None, Some("ttl"), None]);
}

#[test]
fn a_damaged_decompression_bomb_does_not_fill_the_memory() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    let zeros = vec![b' '; 1 << 20];
    for _ in 0..17 {
        std::io::Write::write_all(&mut encoder, &zeros).unwrap();
    }
    let row = item! {
        "v" => AttributeValue::B(encoder.finish().unwrap()), "meta" => map! { "compressed" => true },
    };
    let error = decode_fields::<MatchState>(&match_meta(), row, &key(&[])).unwrap_err();
    assert_eq!(error.to_string(), "v: the compressed value is larger than 16777216 bytes");
}

prop_compose! {
    fn any_game()(
        (league_id, status, note) in any::<(String, String, Option<String>)>(),
        (number, ver) in any::<(u32, u64)>(),
        created in Timestamp::MIN.as_ms()..=Timestamp::MAX.as_ms(),
        ttl in any::<Option<i64>>(),
        repeated in 0..3_usize,
    ) -> Game {
        Game {
            game_id: "01J".into(),
            // Sometimes long enough to be compressed.
            league_id: league_id.repeat(1 + repeated * 300),
            status, note, number, ver,
            created_at: Timestamp::from_ms(created).unwrap(),
            updated_at: Timestamp::EPOCH,
            ttl_epoch: ttl.map(EpochSeconds::new),
        }
    }
}

proptest! {
    #[test]
    fn every_game_is_read_back_in_every_codec(game in any_game()) {
        for codec in [Codec::Plain, ENVELOPE, Codec::ValueRow] {
            let meta = game_meta(codec);
            let row = encode_fields(&meta, &game).unwrap();
            let decoded: Game = decode_fields(&meta, row, &key(&[(0, "01J")])).unwrap();
            prop_assert_eq!(&decoded, &game);
        }
    }
}
