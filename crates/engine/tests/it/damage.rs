//! Damaged files: every opening and every check ends in an error or in the right answers, and a check
//! changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use monotable_engine::{
    CreateTable, Database, DeleteItem, DescribeStream, DescribeTable, Error, GetRecords,
    GetShardIterator, IndexDefinition, ListTables, Options, PutItem, Query, Scan,
    ShardIteratorType, StreamViewType, fuzzing, item,
};
use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};

/// Files up to this length are changed at every byte.
const SMALL_BYTES: usize = 1_000;

/// A database that is damaged in copies.
struct Template {
    place: Place,
    copy: Place,
    files: BTreeMap<PathBuf, Vec<u8>>,
    answers: String,
    answers_before_last_write: String,
}

/// What was done to a file.
#[derive(Debug)]
enum Harm {
    Flip { at: usize, bits: u8 },
    Truncate { to: usize },
    Delete,
}

impl Template {
    /// A database with rows in table files and in the journal, closed cleanly.
    fn new() -> Self {
        let root = Medium::Tmpfs.root("").unwrap_or(env!("CARGO_TARGET_TMPDIR").into());
        let (place, copy) = (Place::new(&root).unwrap(), Place::new(&root).unwrap());
        let path = place.database();
        let db = open(&path).unwrap();
        let table = CreateTable::new("league").partition_key("PK", "S").unwrap();
        let table = table.sort_key("SK", "N").unwrap().attribute("team", "S").unwrap();
        let index = IndexDefinition::new("by-team", &["team"], &["SK"]);
        let table = table.global_index(index).stream(StreamViewType::NewAndOldImages);
        db.create_table(table).unwrap();
        db.create_table(CreateTable::new("other").partition_key("PK", "N").unwrap()).unwrap();
        put(&db, 0..12);
        drop(db);
        fuzzing::flush(&path);
        let db = open(&path).unwrap();
        put(&db, 8..20);
        let key = item! { "PK" => "a", "SK" => 3 };
        db.delete_item(DeleteItem::new("league", key)).unwrap();
        let answers_before_last_write = answers(&db).unwrap();
        db.put_item(PutItem::new("other", item! { "PK" => 20 })).unwrap();
        let answers = answers(&db).unwrap();
        drop(db);
        let files = contents(&path);
        Self { place, copy, files, answers, answers_before_last_write }
    }

    /// The path of the damaged copy.
    fn harm(&self, file: &Path, harm: &Harm) -> PathBuf {
        self.copy.restore(&self.place).unwrap();
        let target = self.copy.database().join(file);
        let mut bytes = self.files[file].clone();
        match *harm {
            Harm::Flip { at, bits } => bytes[at] ^= bits,
            Harm::Truncate { to } => bytes.truncate(to),
            Harm::Delete => {
                fs::remove_file(target).unwrap();
                return self.copy.database();
            }
        }
        fs::write(target, bytes).unwrap();
        self.copy.database()
    }

    /// Checks and opens a damaged copy of a database that was closed cleanly.
    fn try_harm(&self, file: &Path, harm: &Harm) {
        let path = self.harm(file, harm);
        let is_whole = check(&path);
        let answers = open(&path).and_then(|db| answers(&db));
        match answers {
            Ok(answers) => assert!(answers == self.answers, "{file:?} {harm:?}: {answers}"),
            Err(error) => {
                assert_words(&error);
                assert!(!is_whole, "{file:?} {harm:?}: a check finds nothing, but {error}");
            }
        }
    }

    fn file(&self, name: &str) -> (&PathBuf, &Vec<u8>) {
        self.files.iter().find(|(path, _)| path.ends_with(name)).unwrap()
    }

    fn remove(self) {
        self.place.remove().unwrap();
        self.copy.remove().unwrap();
    }
}

fn open(path: &Path) -> Result<Database, Error> {
    Database::open(path, Options::default())
}

fn put(db: &Database, numbers: std::ops::Range<i64>) {
    for number in numbers {
        let item = item! {
            "PK" => "a", "SK" => number, "team" => "reds", "balance" => number * 1_000
        };
        db.put_item(PutItem::new("league", item)).unwrap();
        db.put_item(PutItem::new("other", item! { "PK" => number })).unwrap();
    }
}

/// Everything that can be read.
fn answers(db: &Database) -> Result<String, Error> {
    let mut text = String::new();
    for name in db.list_tables(ListTables::default())?.table_names {
        let table = db.describe_table(DescribeTable::new(&name))?.table;
        text += &format!("{table:?}\n{:?}\n", db.scan(Scan::new(&name))?.items);
        if let Some(stream) = table.stream {
            let shards = db.describe_stream(DescribeStream::new(&stream.stream_arn))?.shards;
            let iterator = GetShardIterator {
                stream_arn: stream.stream_arn,
                shard_id: shards[0].shard_id.clone(),
                iterator_type: ShardIteratorType::TrimHorizon,
            };
            let iterator = db.get_shard_iterator(iterator)?.shard_iterator;
            text += &format!("{:?}\n", db.get_records(GetRecords::new(&iterator))?.records);
        }
    }
    let reds = Query::new("league").index("by-team").key_condition("team = :t").value(":t", "reds");
    text += &format!("{:?}\n", db.query(reds)?.items);
    Ok(text)
}

/// Whether a check finds nothing; it changes nothing.
fn check(path: &Path) -> bool {
    let before = contents(path);
    let report = Database::check_directory(path);
    assert!(contents(path) == before, "a check has changed {}", path.display());
    match report {
        Ok(report) => report.rows.is_clean(),
        Err(error) => {
            assert_words(&error);
            false
        }
    }
}

/// Errors are for people: no panic that was caught, no debug output of the store.
fn assert_words(error: &Error) {
    let text = error.to_string();
    for bad in ["can't handle", "Error:", "Os {", "Some("] {
        assert!(!text.contains(bad), "{text}");
    }
}

/// All files of a directory.
fn contents(path: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    fn add(root: &Path, path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_owned();
                files.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    let mut files = BTreeMap::new();
    add(path, path, &mut files);
    files
}

#[test]
fn a_changed_byte_gives_an_error_or_the_right_answers() {
    let template = Template::new();
    assert!(check(&template.place.database()));
    let mut random = Random::new(announce("a_changed_byte_gives_an_error_or_the_right_answers"));
    let is_small = |bytes: &[u8]| bytes.len() <= SMALL_BYTES;
    for (file, bytes) in template.files.iter().filter(|(_, bytes)| is_small(bytes)) {
        for at in 0..bytes.len() {
            template.try_harm(file, &Harm::Flip { at, bits: 1 << random.below(8) });
        }
    }
    let large: Vec<_> = template.files.iter().filter(|(_, bytes)| !is_small(bytes)).collect();
    for number in 0..figure("MONOTABLE_DAMAGE_FLIPS", 300) {
        let (file, bytes) = large[number as usize % large.len()];
        let at = random.below(bytes.len() as u64) as usize;
        template.try_harm(file, &Harm::Flip { at, bits: 1 << random.below(8) });
    }
    template.remove();
}

#[test]
fn a_missing_or_truncated_file_refuses_the_opening_and_is_named() {
    let template = Template::new();
    for (file, bytes) in &template.files {
        template.try_harm(file, &Harm::Delete);
        let path = template.harm(file, &Harm::Delete);
        match open(&path) {
            // What it records is known without it.
            Ok(_) => assert!(file.ends_with("CLOSED") || file.ends_with("SYNCED"), "{file:?}"),
            Err(_) if file.ends_with("MONOTABLE") => {}
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains(&*path.join(file).to_string_lossy()), "{text}");
                assert!(text.contains("is missing"), "{text}");
            }
        }
        for to in [0, bytes.len() / 2, bytes.len().saturating_sub(1)] {
            if to < bytes.len() {
                template.try_harm(file, &Harm::Truncate { to });
            }
        }
    }
    template.remove();
}

#[test]
fn a_journal_truncated_after_a_clean_shutdown_is_damage_at_every_length() {
    let template = Template::new();
    let (journal, bytes) = template.file("0.jnl");
    for to in (0..bytes.len()).step_by(bytes.len() / 50) {
        let path = template.harm(journal, &Harm::Truncate { to });
        assert!(!check(&path), "{to}");
        let text = open(&path).err().unwrap().to_string();
        assert!(text.contains("0.jnl is damaged at byte"), "{text}");
    }
    template.remove();
}

/// Every batch that a killed process has synced must be there, whole batches at the end included.
#[test]
fn a_journal_truncated_after_a_kill_is_damage_at_every_length() {
    let template = Template::new();
    fs::remove_file(template.place.database().join("CLOSED")).unwrap();
    assert!(check(&template.place.database()));
    let (journal, bytes) = template.file("0.jnl");
    let ends = bytes.windows(4).enumerate().filter(|(_, window)| window == b"FJL\x03");
    let ends: Vec<_> = ends.map(|(at, _)| at + 4).filter(|end| *end < bytes.len()).collect();
    assert!(ends.len() > 10);
    for to in (0..bytes.len()).step_by(bytes.len() / 50).chain(ends) {
        let path = template.harm(journal, &Harm::Truncate { to });
        assert!(!check(&path), "{to}");
        let text = open(&path).err().unwrap().to_string();
        assert!(text.contains("0.jnl is damaged at byte"), "{text}");
    }
    template.remove();
}

/// Makes a database that was closed look like one whose machine lost power: how far it was synced is not
/// known.
fn lose_power(path: &Path) {
    fs::remove_file(path.join("CLOSED")).unwrap();
    fs::remove_file(path.join("SYNCED")).unwrap();
}

/// The last batch may be unfinished then; everything in front of it was acknowledged.
#[test]
fn damage_after_a_power_failure_costs_the_last_batch_at_most() {
    let template = Template::new();
    lose_power(&template.place.database());
    let (journal, bytes) = template.file("0.jnl");
    let mut random =
        Random::new(announce("damage_after_a_power_failure_costs_the_last_batch_at_most"));
    for _ in 0..figure("MONOTABLE_DAMAGE_FLIPS", 150) {
        let at = random.below(bytes.len() as u64) as usize;
        let harm = Harm::Flip { at, bits: 1 << random.below(8) };
        let path = template.harm(journal, &harm);
        let report = Database::check_directory(&path);
        match open(&path).and_then(|db| answers(&db)) {
            Ok(answers) if answers == template.answers => {}
            Ok(answers) => {
                assert!(answers == template.answers_before_last_write, "{harm:?}: {answers}");
                let unfinished = report.unwrap().unfinished.unwrap();
                assert_eq!((unfinished.file, unfinished.batches), (path.join(journal), 1));
            }
            Err(error) => assert_words(&error),
        }
    }
    template.remove();
}

#[test]
fn a_check_reports_what_recovery_will_cut_and_does_not_cut_it() {
    let template = Template::new();
    lose_power(&template.place.database());
    let path = template.place.database();
    let report = Database::check_directory(&path).unwrap();
    assert!(report.rows.is_clean() && !report.was_closed);
    assert_eq!(report.unfinished, None);
    let (journal, bytes) = template.file("0.jnl");
    let path = template.harm(journal, &Harm::Truncate { to: bytes.len() - 5 });
    assert!(check(&path));
    let unfinished = Database::check_directory(&path).unwrap().unfinished.unwrap();
    assert_eq!(unfinished.at + unfinished.bytes, bytes.len() as u64 - 5);
    assert_eq!((&unfinished.file, unfinished.batches), (&path.join(journal), 1));
    let db = open(&path).unwrap();
    assert!(answers(&db).unwrap() == template.answers_before_last_write);
    drop(db);
    let report = Database::check_directory(&path).unwrap();
    assert!(report.was_closed && report.unfinished.is_none());
    template.remove();
}

/// A client stores the bytes of a whole batch, and the process is killed while it writes them.
#[test]
fn a_value_that_imitates_a_batch_does_not_keep_the_database_from_opening() {
    let template = Template::new();
    let path = template.place.database();
    let (journal, bytes) = template.file("0.jnl");
    // The best that can be had: batches that this very database has written.
    let value = [b"FJL\x03".as_slice(), bytes, bytes].concat();
    let mut nonce_free = without_nonce(&path, value);
    // The sequence number of its first batch is later than all that were drawn, as that of a batch behind
    // the torn one would be.
    nonce_free[b"FJL\x03".len() + 5 + 2] = 0x7f;
    let db = open(&path).unwrap();
    let item = item! { "PK" => 99, "bytes" => monotable_engine::AttributeValue::B(nonce_free) };
    db.put_item(PutItem::new("other", item)).unwrap();
    drop(db);
    lose_power(&path);
    let whole = fs::read(path.join(journal)).unwrap();
    for cut in (bytes.len() + 1..whole.len()).step_by((whole.len() - bytes.len()) / 40) {
        template.copy.restore(&template.place).unwrap();
        let copy = template.copy.database();
        fs::write(copy.join(journal), &whole[..cut]).unwrap();
        let db = open(&copy).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert!(answers(&db).unwrap() == template.answers, "cut at {cut}");
    }
    template.remove();
}

/// What a client can know of the journal: everything but the nonce, which no request returns.
fn without_nonce(path: &Path, mut bytes: Vec<u8>) -> Vec<u8> {
    let marker = fs::read_to_string(path.join("MONOTABLE")).unwrap();
    let digits = marker.split_whitespace().nth(5).unwrap();
    let nonce = u128::from_str_radix(digits, 16).unwrap().to_be_bytes();
    while let Some(at) = bytes.windows(nonce.len()).position(|window| window == nonce) {
        bytes[at..at + nonce.len()].fill(7);
    }
    bytes
}
