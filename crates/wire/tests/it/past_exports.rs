//! Exports of earlier times and incremental exports, compared with what an independent model recorded.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use expect_test::expect_file;
use flate2::read::MultiGzDecoder;
use monotable_engine::{
    CreateTable, Database, History, ManualClock, Options, PutItem, RecordChange, WriteRecords, item,
};
use monotable_lifecycle::{Control, Lifecycle, LifecycleOptions};
use monotable_testkit::crash::seed::{Random, announce, figure};
use monotable_wire::ItemLines;
use serde_json::{Value, json};

use crate::fixture::{VALIDATION, World};

const NOW_MS: u64 = 1_791_500_851_275;
const BOOKS: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/books";
/// Items of another table, which are large enough for the log to go through several segments.
const BALLAST_BYTES: usize = 390_000;
const MINUTE_MS: u64 = 60_000;

/// The items by their keys.
type State = BTreeMap<String, Value>;

/// A table with a past. Every version of an item is different.
struct Past {
    directory: tempfile::TempDir,
    lifecycle: Lifecycle,
    world: World,
    clock: Arc<ManualClock>,
    random: Random,
    versions: u64,
    /// The state from each time on, with the item that was written then.
    states: Vec<(u64, String, State)>,
}

impl Past {
    fn new(seed: u64) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let lifecycle = open(directory.path(), &clock);
        for name in ["books", "ballast"] {
            let mut table = CreateTable::new(name).partition_key("id", "S").unwrap();
            table.recovery_days = Some(35);
            lifecycle.database().create_table(table).unwrap();
        }
        fs::create_dir_all(directory.path().join("buckets/shelf")).unwrap();
        let world = World::over(lifecycle.clone());
        let states = vec![(0, String::new(), State::new())];
        let random = Random::new(seed);
        Self { directory, lifecycle, world, clock, random, versions: 0, states }
    }

    /// Closes the database and opens it again.
    fn reopened(self) -> Self {
        let Self { directory, lifecycle, world, clock, random, versions, states } = self;
        drop((lifecycle, world));
        let lifecycle = open(directory.path(), &clock);
        let world = World::over(lifecycle.clone());
        Self { directory, lifecycle, world, clock, random, versions, states }
    }

    fn now_ms(&self) -> u64 {
        self.lifecycle.database().now_ms()
    }

    /// Writes something random, and records what there is since then.
    fn step(&mut self) {
        self.clock.advance_ms(1 + self.random.below(2 * MINUTE_MS));
        self.versions += 1;
        let mut state = self.states.last().unwrap().2.clone();
        let id = format!("book {}", self.random.below(30));
        // Without an item there is nothing to write.
        if state.contains_key(&id) && self.random.percent(50) {
            let body = json!({"TableName": "books", "Key": {"id": {"S": id}}});
            self.world.answer("DeleteItem", &body.to_string());
            state.remove(&id);
        } else {
            let item = json!({"id": {"S": id}, "version": {"N": self.versions.to_string()}});
            self.world.put("books", &item.to_string());
            state.insert(id.clone(), item);
        }
        self.states.push((self.now_ms(), id, state));
        if self.versions.is_multiple_of(3) {
            let text = format!("{:016x}", self.random.next()).repeat(BALLAST_BYTES / 16);
            let item = item! { "id" => "ballast", "text" => text };
            self.lifecycle.database().put_item(PutItem::new("ballast", item)).unwrap();
        }
    }

    /// The state with all writes up to a time.
    fn at(&self, ms: u64) -> &State {
        &self.states.iter().rev().find(|(from_ms, ..)| *from_ms <= ms).unwrap().2
    }

    fn call(&self, operation: &str, body: &Value) -> Value {
        serde_json::from_str(&self.world.call(operation, body.to_string().as_bytes())).unwrap()
    }

    fn request(more: &Value) -> Value {
        let mut body = json!({"TableArn": BOOKS, "S3Bucket": "shelf"});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        body
    }

    fn export(&self, more: &Value) -> Value {
        let started = self.call("ExportTableToPointInTime", &Self::request(more));
        self.lifecycle.finish_jobs();
        let arn = &started["ExportDescription"]["ExportArn"];
        let described = self.call("DescribeExport", &json!({"ExportArn": arn}));
        let export = described["ExportDescription"].clone();
        assert_eq!(export["ExportStatus"], "COMPLETED", "{started} {described}");
        export
    }

    fn bucket(&self) -> PathBuf {
        self.directory.path().join("buckets/shelf")
    }

    fn summary(&self, export: &Value) -> Value {
        let manifest = self.bucket().join(export["ExportManifest"].as_str().unwrap());
        serde_json::from_str(&fs::read_to_string(manifest).unwrap()).unwrap()
    }

    /// What is in the data files.
    fn data(&self, export: &Value) -> String {
        let files = self.summary(export)["manifestFilesS3Key"].as_str().unwrap().to_owned();
        let mut data = String::new();
        for file in fs::read_to_string(self.bucket().join(files)).unwrap().lines() {
            let file: Value = serde_json::from_str(file).unwrap();
            let key = file["dataFileS3Key"].as_str().unwrap();
            let file = fs::File::open(self.bucket().join(key)).unwrap();
            MultiGzDecoder::new(file).read_to_string(&mut data).unwrap();
        }
        assert_eq!(export["ItemCount"], data.lines().count());
        data
    }

    fn lines(&self, export: &Value) -> Vec<Value> {
        self.data(export).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn check_full(&self, at_ms: u64) {
        let export = self.export(&json!({"ExportTime": at_ms as f64 / 1000.0}));
        let items: State = self
            .lines(&export)
            .into_iter()
            .map(|line| {
                (line["Item"]["id"]["S"].as_str().unwrap().to_owned(), line["Item"].clone())
            })
            .collect();
        assert_eq!(items, *self.at(at_ms), "{at_ms}");
    }

    fn check_window(&self, from_ms: u64, to_ms: u64, view: &str) {
        let window = json!({"ExportFromTime": from_ms as f64 / 1000.0,
            "ExportToTime": to_ms as f64 / 1000.0, "ExportViewType": view});
        let more =
            json!({"ExportType": "INCREMENTAL_EXPORT", "IncrementalExportSpecification": window});
        let export = self.export(&more);
        let found: State = self
            .lines(&export)
            .into_iter()
            .map(|line| (line["Keys"]["id"]["S"].as_str().unwrap().to_owned(), line))
            .collect();
        let mut expected = State::new();
        for (ms, id, _) in self.states.iter().filter(|(ms, ..)| (from_ms..to_ms).contains(ms)) {
            let (old, new) = (self.at(from_ms - 1).get(id), self.at(to_ms - 1).get(id));
            let mut line = json!({
                "Metadata": {"WriteTimestampMicros": {"N": (ms * 1000).to_string()}},
                "Keys": {"id": {"S": id}},
            });
            if let (Some(old), "NEW_AND_OLD_IMAGES") = (old, view) {
                line["OldImage"] = old.clone();
            }
            if let Some(new) = new {
                line["NewImage"] = new.clone();
            }
            if old.is_some() || new.is_some() {
                expected.insert(id.clone(), line);
            }
        }
        assert_eq!(found, expected, "{from_ms}..{to_ms}");
    }

    /// Exports random times between two.
    fn check(&mut self, first_ms: u64, last_ms: u64, pairs: u64) {
        for _ in 0..pairs {
            let at_ms = first_ms + self.random.below(last_ms - first_ms + 1);
            self.check_full(at_ms);
            let from_ms = first_ms + self.random.below(last_ms - first_ms - 16 * MINUTE_MS);
            let most_ms = (last_ms - from_ms).min(24 * 60 * MINUTE_MS);
            let to_ms = from_ms + 15 * MINUTE_MS + self.random.below(most_ms - 15 * MINUTE_MS);
            let view = if self.random.percent(50) { "NEW_IMAGE" } else { "NEW_AND_OLD_IMAGES" };
            self.check_window(from_ms, to_ms, view);
        }
    }
}

fn open(directory: &Path, clock: &Arc<ManualClock>) -> Lifecycle {
    let options = Options { clock: clock.clone(), keeps_history: true, ..Options::default() };
    let database = Database::open(directory.join("data"), options).unwrap();
    let options = LifecycleOptions {
        backups: Some(directory.join("backups")),
        buckets: Some(directory.join("buckets")),
        history: Some(directory.join("data")),
        attached: Vec::new(),
        codec: Arc::new(ItemLines),
    };
    Lifecycle::open(database, options).unwrap()
}

#[test]
fn exports_of_any_time_are_those_of_the_model() {
    let pairs = figure("MONOTABLE_EXPORT_PAIRS", 2);
    let mut past = Past::new(announce("past_exports"));
    let mut backup_ms = 0;
    for number in 0..200 {
        if number == 150 {
            past.lifecycle.back_up_all("base", &Control::default()).unwrap();
            backup_ms = past.now_ms();
        }
        past.step();
    }
    let last_ms = past.now_ms();
    past.check(NOW_MS + 1, last_ms, pairs);
    let mut past = past.reopened();
    // The log no longer reaches back to the creation of the table, only to the backup.
    let data = past.directory.path().join("data");
    History::open(&data).unwrap().trim(backup_ms - 2 * MINUTE_MS, u64::MAX).unwrap();
    let beginning = History::open(&data).unwrap().beginning().unwrap().unwrap();
    assert!(beginning.time_ms > NOW_MS && !beginning.is_of_database);
    past.check(backup_ms, last_ms, pairs);
    let early = Past::request(&json!({"ExportTime": (backup_ms - 1) as f64 / 1000.0}));
    let refused = past.call("ExportTableToPointInTime", &early);
    assert!(
        refused["__type"].as_str().unwrap().ends_with("InvalidExportTimeException"),
        "{refused}"
    );
}

#[test]
fn the_manifest_of_an_incremental_export_is_that_of_aws() {
    let past = Past::new(1);
    past.world.put("books", r#"{"id":{"S":"b"}}"#);
    past.clock.advance_ms(20 * MINUTE_MS);
    past.world.put("books", r#"{"id":{"S":"b"},"n":{"N":"1"}}"#);
    past.clock.advance_ms(1);
    let export = past.export(&json!({"S3Prefix": "daily/", "ExportType": "INCREMENTAL_EXPORT",
        "IncrementalExportSpecification": {"ExportFromTime": 1_791_500_852}}));
    assert!(export.get("ExportTime").is_none(), "{export}");
    let to = export["IncrementalExportSpecification"]["ExportToTime"].as_f64().unwrap();
    assert_eq!((to * 1000.0) as u64, past.now_ms());
    let summary = past.summary(&export);
    let id = export["ExportArn"].as_str().unwrap().rsplit('/').next().unwrap();
    for (name, expected) in [
        ("version", json!("2023-08-01")),
        ("exportFromTime", json!("2026-10-08T23:07:32.000Z")),
        ("outputView", json!("NEW_AND_OLD_IMAGES")),
        ("outputFormat", json!("DYNAMODB_JSON")),
        ("exportType", json!("INCREMENTAL_EXPORT")),
        ("itemCount", json!(1)),
        ("manifestFilesS3Key", json!(format!("daily/AWSDynamoDB/{id}/manifest-files.json"))),
    ] {
        assert_eq!(summary[name], expected, "{name}");
    }
    assert!(summary.get("exportTime").is_none() && summary["exportToTime"].is_string());
    // Incremental exports share the folder of the data files.
    assert_eq!(fs::read_dir(past.bucket().join("daily/AWSDynamoDB/data")).unwrap().count(), 1);
}

/// The file is also read by Amazon's library of Ion: `clients/python/test_backups.py`.
#[test]
fn an_incremental_export_in_ion_has_the_records_of_aws() {
    let past = Past::new(1);
    let put = |id: &str, more: &Value| {
        let mut item = json!({"id": {"S": id}});
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        past.clock.advance_ms(1000);
        past.world.put("books", &item.to_string());
    };
    put("changed", &json!({"price": {"N": "1.50"}, "tags": {"SS": ["a", "b"]}}));
    put("removed", &json!({"cover": {"B": "AP8="}}));
    past.clock.advance_ms(1000);
    let from = past.now_ms() as f64 / 1000.0;
    put(
        "changed",
        &json!({"price": {"N": "2000"}, "more": {"M": {"x y": {"L": [{"NULL": true}]}}}}),
    );
    put("new", &json!({"out": {"BOOL": true}}));
    past.clock.advance_ms(1000);
    past.world.answer("DeleteItem", r#"{"TableName":"books","Key":{"id":{"S":"removed"}}}"#);
    past.clock.advance_ms(15 * MINUTE_MS);
    let export = past.export(&json!({"ExportFormat": "ION", "ExportType": "INCREMENTAL_EXPORT",
        "IncrementalExportSpecification": {"ExportFromTime": from}}));
    expect_file!["../../../../clients/python/incremental-export.ion"]
        .assert_eq(&past.data(&export));
}

#[test]
fn a_filter_makes_items_appear_and_disappear() {
    let past = Past::new(1);
    let put = |id: &str, pages: u64| {
        past.clock.advance_ms(1000);
        past.world
            .put("books", &json!({"id": {"S": id}, "pages": {"N": pages.to_string()}}).to_string());
    };
    for (id, pages) in [("a", 1), ("b", 9), ("c", 1), ("d", 9)] {
        put(id, pages);
    }
    past.clock.advance_ms(1000);
    let from_ms = past.now_ms();
    for (id, pages) in [("a", 9), ("b", 1), ("c", 2), ("d", 8)] {
        put(id, pages);
    }
    past.clock.advance_ms(15 * MINUTE_MS);
    let export = past.export(&json!({"ExportType": "INCREMENTAL_EXPORT",
        "IncrementalExportSpecification": {"ExportFromTime": from_ms as f64 / 1000.0},
        "FilterSpecification": {"FilterExpression": "pages < :most",
            "ExpressionAttributeValues": {":most": {"N": "5"}}}}));
    let mut shapes: Vec<String> = past
        .lines(&export)
        .iter()
        .map(|line| {
            let pages = |image: &str| line[image]["pages"]["N"].as_str().unwrap_or("-").to_owned();
            let id = line["Keys"]["id"]["S"].as_str().unwrap();
            format!("{id}: {} {}", pages("OldImage"), pages("NewImage"))
        })
        .collect();
    shapes.sort();
    assert_eq!(shapes, ["a: 1 -", "b: - 1", "c: 1 2"]);
}

#[test]
fn an_export_of_a_past_time_begins_again_when_the_server_does() {
    let mut past = Past::new(1);
    past.step();
    let at_ms = past.now_ms();
    past.step();
    let export = past.export(&json!({"ExportTime": at_ms as f64 / 1000.0}));
    let manifest = past.bucket().join(export["ExportManifest"].as_str().unwrap());
    fs::remove_dir_all(manifest.parent().unwrap()).unwrap();
    // The record as it is while the export is written.
    let database = past.lifecycle.database();
    let (key, record) = database.records("export/").unwrap().remove(0);
    let mut record: Value = serde_json::from_slice(&record).unwrap();
    record["status"] = json!("InProgress");
    let value = Some(record.to_string().into_bytes());
    let changes = vec![RecordChange { key, value }];
    database.write_records(WriteRecords { changes }).unwrap();
    let past = past.reopened();
    past.lifecycle.finish_jobs();
    let described = past.call("DescribeExport", &json!({"ExportArn": export["ExportArn"]}));
    assert_eq!(described["ExportDescription"]["ExportStatus"], "COMPLETED", "{described}");
    assert_eq!(past.lines(&described["ExportDescription"]).len(), past.at(at_ms).len());
}

#[test]
fn times_that_can_not_be_exported_are_refused_with_aws_words() {
    let past = Past::new(1);
    past.clock.advance_ms(30 * 60 * MINUTE_MS);
    let now = past.now_ms() as f64 / 1000.0;
    let window = |from: f64, to: f64| {
        json!({"ExportType": "INCREMENTAL_EXPORT",
            "IncrementalExportSpecification": {"ExportFromTime": from, "ExportToTime": to}})
    };
    let start = NOW_MS as f64 / 1000.0;
    let time = "InvalidExportTimeException";
    for (more, exception, message) in [
        (json!({"ExportTime": now + 5.0}), time, "Export Time is invalid"),
        (
            window(start - 60.0, start + 3600.0),
            time,
            "Incremental export period from time cannot be less than the table creation time : 2026-10-08T23:07:31Z",
        ),
        (
            window(now - 3600.0, now + 3600.0),
            time,
            "Incremental export period to time cannot be greater than the current time : 2026-10-10T05:07:31Z",
        ),
        (
            window(now - 600.0, now),
            time,
            "Difference between export period from time and export period to time is less than 15 minutes",
        ),
        (
            window(now - 600.0, now - 1200.0),
            time,
            "Difference between export period from time and export period to time is less than 15 minutes",
        ),
        (
            window(now - 90_000.0, now),
            time,
            "Difference between export period from time and export period to time is greater than 24 hours",
        ),
        (
            json!({"ExportType": "INCREMENTAL_EXPORT"}),
            VALIDATION,
            "Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export",
        ),
        (
            json!({"ExportType": "INCREMENTAL_EXPORT", "IncrementalExportSpecification": {}}),
            VALIDATION,
            "Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification",
        ),
        (
            json!({"IncrementalExportSpecification": {"ExportFromTime": start}}),
            VALIDATION,
            "Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided",
        ),
        (
            json!({"ExportType": "FULL_EXPORT", "IncrementalExportSpecification": {"ExportFromTime": start}}),
            VALIDATION,
            "Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided",
        ),
        (
            json!({"ExportType": "INCREMENTAL_EXPORT", "IncrementalExportSpecification": {"ExportViewType": "NEW_IMAGES"}}),
            VALIDATION,
            "1 validation error detected: Value 'NEW_IMAGES' at 'incrementalExportSpecification.exportViewType' failed to satisfy constraint: Member must satisfy enum value set: [NEW_IMAGE, NEW_AND_OLD_IMAGES]",
        ),
    ] {
        let refused = past.call("ExportTableToPointInTime", &Past::request(&more));
        assert!(refused["__type"].as_str().unwrap().ends_with(exception), "{more} {refused}");
        let text = refused["message"].as_str().or(refused["Message"].as_str()).unwrap();
        assert_eq!(text, message, "{more}");
    }
    let memory = World::new();
    let body = json!({"TableArn": "plain", "S3Bucket": "shelf", "ExportTime": 1_000_000});
    let refused = memory.call("ExportTableToPointInTime", body.to_string().as_bytes());
    assert!(refused.contains("PointInTimeRecoveryUnavailableException"), "{refused}");
    assert!(
        refused.contains("Point in time recovery is not enabled for table 'plain'"),
        "{refused}"
    );
}
