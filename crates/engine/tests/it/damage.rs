//! Damaged files: every opening and every check ends in an error or in the right answers, and a check
//! changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use monotable_engine::{
    CreateTable, Database, DeleteItem, DescribeStream, DescribeTable, Error, GetItem, GetRecords,
    GetShardIterator, IndexDefinition, ListTables, Options, PutItem, Query, Scan,
    ShardIteratorType, StreamViewType, fuzzing, item,
};
use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};

mod bytes;
mod pages;

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
    Append { bytes: Vec<u8> },
    Zero { from: usize, to: usize },
    Swap { first: usize, second: usize, length: usize },
    Delete,
}

impl Template {
    /// A database with rows in table files and in the log, closed cleanly.
    fn new() -> Self {
        Self::with_text("")
    }

    /// One whose items have a text of this length, too.
    fn with_text(text: &str) -> Self {
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
        put(&db, 0..12, text);
        drop(db);
        fuzzing::flush(&path);
        let db = open(&path).unwrap();
        put(&db, 8..20, text);
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
            Harm::Append { bytes: ref more } => bytes.extend_from_slice(more),
            Harm::Zero { from, to } => bytes[from..to].fill(0),
            Harm::Swap { first, second, length } => {
                for place in 0..length {
                    bytes.swap(first + place, second + place);
                }
            }
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

    /// The newest segment of the log.
    fn log(&self) -> (&PathBuf, &Vec<u8>) {
        self.files.iter().rfind(|(path, _)| path.starts_with("log")).unwrap()
    }

    /// Whether a file is a manifest of the tree that another one has replaced.
    fn is_old(&self, file: &Path) -> bool {
        let current = &self.files[Path::new("tables/current")];
        let version = u64::from_le_bytes(current[..8].try_into().unwrap());
        let name = file.file_name().unwrap().to_string_lossy();
        name.starts_with('v') && name != format!("v{version}")
    }

    fn remove(self) {
        self.place.remove().unwrap();
        self.copy.remove().unwrap();
    }
}

fn open(path: &Path) -> Result<Database, Error> {
    Database::open(path, Options::default())
}

fn put(db: &Database, numbers: std::ops::Range<i64>, text: &str) {
    for number in numbers {
        let item = item! {
            "PK" => "a", "SK" => number, "team" => "reds", "balance" => number * 1_000, "text" => text
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
fn a_missing_or_truncated_file_refuses_the_opening_and_is_named() {
    let template = Template::new();
    for (file, bytes) in &template.files {
        template.try_harm(file, &Harm::Delete);
        let path = template.harm(file, &Harm::Delete);
        match open(&path) {
            // What it records is known without it; and earlier manifests are not used.
            Ok(_) => assert!(
                file.ends_with("CLOSED") || file.ends_with("SYNCED") || template.is_old(file),
                "{file:?}"
            ),
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
fn a_log_truncated_after_a_clean_shutdown_is_damage_at_every_length() {
    let template = Template::new();
    let (log, bytes) = template.log();
    for to in (0..bytes.len()).step_by(bytes.len() / 50) {
        let path = template.harm(log, &Harm::Truncate { to });
        assert!(!check(&path), "{to}");
        let text = open(&path).err().unwrap().to_string();
        assert!(text.contains(&format!("{} is damaged at byte", log.display())), "{text}");
    }
    template.remove();
}

/// Every frame that a killed process has synced must be there, whole frames at the end included.
#[test]
fn a_log_truncated_after_a_kill_is_damage_at_every_length() {
    let template = Template::new();
    fs::remove_file(template.place.database().join("CLOSED")).unwrap();
    assert!(check(&template.place.database()));
    let (log, bytes) = template.log();
    let nonce = nonce(&template.place.database());
    let starts = bytes.windows(16).enumerate().filter(|(_, window)| *window == nonce);
    let starts: Vec<_> = starts.map(|(at, _)| at).collect();
    assert!(starts.len() > 10);
    for to in (0..bytes.len()).step_by(bytes.len() / 50).chain(starts) {
        let path = template.harm(log, &Harm::Truncate { to });
        assert!(!check(&path), "{to}");
        let text = open(&path).err().unwrap().to_string();
        assert!(text.contains(&format!("{} is damaged at byte", log.display())), "{text}");
    }
    template.remove();
}

/// Makes a database that was closed look like one whose machine lost power: how far it was synced is not
/// known.
fn lose_power(path: &Path) {
    fs::remove_file(path.join("CLOSED")).unwrap();
    fs::remove_file(path.join("SYNCED")).unwrap();
}

/// The last commit may be unfinished then; everything in front of it was acknowledged.
#[test]
fn damage_after_a_power_failure_costs_the_last_commit_at_most() {
    let template = Template::new();
    lose_power(&template.place.database());
    let (log, bytes) = template.log();
    let mut random =
        Random::new(announce("damage_after_a_power_failure_costs_the_last_commit_at_most"));
    for _ in 0..figure("MONOTABLE_DAMAGE_FLIPS", 150) {
        let at = random.below(bytes.len() as u64) as usize;
        let harm = Harm::Flip { at, bits: 1 << random.below(8) };
        let path = template.harm(log, &harm);
        let report = Database::check_directory(&path);
        match open(&path).and_then(|db| answers(&db)) {
            Ok(answers) if answers == template.answers => {}
            Ok(answers) => {
                assert!(answers == template.answers_before_last_write, "{harm:?}: {answers}");
                let unfinished = report.unwrap().unfinished.unwrap();
                assert_eq!((unfinished.file, unfinished.commits), (path.join(log), 1));
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
    let (log, bytes) = template.log();
    let path = template.harm(log, &Harm::Truncate { to: bytes.len() - 5 });
    assert!(check(&path));
    let unfinished = Database::check_directory(&path).unwrap().unfinished.unwrap();
    assert_eq!(unfinished.at + unfinished.bytes, bytes.len() as u64 - 5);
    assert_eq!((&unfinished.file, unfinished.commits), (&path.join(log), 1));
    let db = open(&path).unwrap();
    assert!(answers(&db).unwrap() == template.answers_before_last_write);
    drop(db);
    let report = Database::check_directory(&path).unwrap();
    assert!(report.was_closed && report.unfinished.is_none());
    template.remove();
}

/// A client stores the bytes of whole frames, and the process is killed while it writes them.
#[test]
fn a_value_that_imitates_frames_does_not_keep_the_database_from_opening() {
    let template = Template::new();
    let path = template.place.database();
    let (log, bytes) = template.log();
    // The best that can be had: frames that this very database has written.
    let nonce_free = without_nonce(&path, [bytes.as_slice(), bytes].concat());
    let db = open(&path).unwrap();
    let item = item! { "PK" => 99, "bytes" => monotable_engine::AttributeValue::B(nonce_free) };
    db.put_item(PutItem::new("other", item)).unwrap();
    drop(db);
    lose_power(&path);
    let whole = fs::read(path.join(log)).unwrap();
    for cut in (bytes.len() + 1..whole.len()).step_by((whole.len() - bytes.len()) / 40) {
        template.copy.restore(&template.place).unwrap();
        let copy = template.copy.database();
        fs::write(copy.join(log), &whole[..cut]).unwrap();
        let db = open(&copy).unwrap_or_else(|error| panic!("cut at {cut}: {error}"));
        assert!(answers(&db).unwrap() == template.answers, "cut at {cut}");
    }
    template.remove();
}

/// What a client can know of the log: everything but the nonce, which no request returns.
fn without_nonce(path: &Path, mut bytes: Vec<u8>) -> Vec<u8> {
    let nonce = nonce(path);
    while let Some(at) = bytes.windows(nonce.len()).position(|window| window == nonce) {
        bytes[at..at + nonce.len()].fill(7);
    }
    bytes
}

fn nonce(path: &Path) -> [u8; 16] {
    let marker = fs::read_to_string(path.join("MONOTABLE")).unwrap();
    let digits = marker.split_whitespace().nth(5).unwrap();
    u128::from_str_radix(digits, 16).unwrap().to_be_bytes()
}

/// Every file of another moment is whole by itself.
#[test]
fn files_of_different_moments_do_not_fit_together() {
    let template = Template::new();
    let path = template.place.database();
    let before = template.files.clone();
    fuzzing::flush(&path);
    let after = contents(&path);
    let (old_log, new_log) = (log_of(&before), log_of(&after));
    assert_ne!(old_log, new_log, "the flushed segment has been removed");
    let replace = |name: &str, files: &BTreeMap<PathBuf, Vec<u8>>| {
        fs::remove_dir_all(path.join(name)).unwrap();
        for (file, bytes) in files.iter().filter(|(file, _)| file.starts_with(name)) {
            fs::create_dir_all(path.join(file).parent().unwrap()).unwrap();
            fs::write(path.join(file), bytes).unwrap();
        }
    };
    let refused = |expected: &str| {
        assert!(!check(&path));
        let text = open(&path).err().unwrap().to_string();
        assert!(text.contains(expected), "{text}");
    };
    // The tables before the flush need the segment that is gone.
    replace("tables", &before);
    refused(&format!("{} is not the oldest segment", path.join(&new_log).display()));
    // The log before the flush ends in front of what the tables reach.
    replace("tables", &after);
    replace("log", &before);
    refused(&format!("{} is missing", path.join(&new_log).display()));
    lose_power(&path);
    refused("synced frames are missing");
    template.remove();
}

/// The process may die between the registration of a flush and the removal of its segment.
#[test]
fn a_segment_whose_rows_are_in_tables_is_verified_and_then_removed() {
    let template = Template::new();
    let path = template.place.database();
    let (name, _) = template.log();
    let (segment, kept) = (path.join(name), template.copy.file("segment"));
    fs::hard_link(&segment, &kept).unwrap();
    fuzzing::flush(&path);
    assert!(!segment.exists());
    lose_power(&path);
    fs::copy(&kept, &segment).unwrap();
    assert!(check(&path));
    let mut damaged = fs::read(&kept).unwrap();
    damaged[100] ^= 1;
    fs::write(&segment, damaged).unwrap();
    let text = open(&path).err().unwrap().to_string();
    assert!(text.contains(&format!("{} is damaged at byte", segment.display())), "{text}");
    fs::copy(&kept, &segment).unwrap();
    let db = open(&path).unwrap();
    assert!(!segment.exists());
    assert!(answers(&db).unwrap() == template.answers);
    drop(db);
    template.remove();
}

/// A file with many blocks, one of which is changed.
#[test]
fn a_damaged_block_is_found_and_named_and_all_other_rows_stay_readable() {
    let place = Place::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let path = place.database();
    let db = open(&path).unwrap();
    db.create_table(CreateTable::new("league").partition_key("PK", "N").unwrap()).unwrap();
    let put = |db: &Database, number: i64| {
        let item = item! { "PK" => number, "text" => "x".repeat(1_000) };
        db.put_item(PutItem::new("league", item)).unwrap();
    };
    (0..200).for_each(|number| put(&db, number));
    drop(db);
    fuzzing::flush(&path);
    let file = newest_table(&path);
    let whole = fs::read(&file).unwrap();
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;

    // While the database is open.
    let db = open(&path).unwrap();
    let scrub = || {
        for _ in 0..3 {
            db.maintain().unwrap();
        }
    };
    scrub();
    let report = db.scrubbed();
    assert!(report.passes >= 1 && report.bytes >= whole.len() as u64, "{report:?}");
    assert_eq!(report.damage, []);
    fs::write(&file, &damaged).unwrap();
    scrub();
    let [damage] = db.scrubbed().damage.try_into().unwrap();
    assert_eq!(damage.file, file);
    assert!(damage.last.contains("of table league"), "{damage}");
    fs::write(&file, &whole).unwrap();
    drop(db);

    // And before it is opened.
    fs::write(&file, &damaged).unwrap();
    let text = Database::check_directory(&path).unwrap_err().to_string();
    assert!(text.contains(&*file.to_string_lossy()), "{text}");
    let before = contents(&path);
    let report = Database::check_directory_behind_damage(&path).unwrap();
    assert!(contents(&path) == before, "a check has changed {}", path.display());
    assert_eq!(report.damage, [damage]);
    assert!(report.rows.items < 200 && report.rows.problem_count > 0, "{report:?}");
    let db = open(&path).unwrap();
    let mut unreadable = 0;
    for number in 0..200 {
        match db.get_item(GetItem::new("league", item! { "PK" => number })) {
            Ok(output) => {
                let item = output.item.unwrap();
                assert_eq!(item.get("text"), Some("x".repeat(1_000).into()), "{number}");
            }
            Err(error) => {
                assert_words(&error);
                unreadable += 1;
            }
        }
    }
    assert!((1..10).contains(&unreadable), "{unreadable} rows of one block");
    put(&db, 1_000);
    drop(db);
    place.remove().unwrap();
}

/// The table file with the highest number.
fn newest_table(path: &Path) -> PathBuf {
    let files = fs::read_dir(path.join("tables").join("tables")).unwrap();
    let number = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().parse::<u64>().ok();
    files.map(|entry| entry.unwrap().path()).max_by_key(number).unwrap()
}

/// The newest segment of the log.
fn log_of(files: &BTreeMap<PathBuf, Vec<u8>>) -> PathBuf {
    files.keys().rfind(|file| file.starts_with("log")).unwrap().clone()
}
