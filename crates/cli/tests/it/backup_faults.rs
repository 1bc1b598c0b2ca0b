//! Backups, restores, exports and imports that are killed, or whose file calls fail, at every sort of point: nothing half done
//! looks whole, nothing of the database is lost, and the same command succeeds afterwards.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use monotable_engine::{Database, DescribeTable, Options, Scan};
use monotable_testkit::crash::fault::spread;
use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};
use monotable_testkit::crash::shim::{Report, Shim};
use serde_json::json;

use crate::process::{BUILD_DIRECTORY, Ended, assert_whole, run, run_in};

/// Items of the table `games`.
const ITEMS: usize = 400;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Backup,
    Restore,
    Export,
    Import,
}

/// How calls fail: which ones, what happens, and for how long.
#[derive(Clone, Copy, Debug)]
struct Fault {
    calls: &'static str,
    fault: &'static str,
    until: &'static str,
}

const CHANGES: &str = "write,sync,truncate,create,rename,unlink,mkdir";

const FAULTS: [Fault; 5] = [
    Fault { calls: CHANGES, fault: "kill", until: "exit" },
    Fault { calls: "write,truncate,create,rename,mkdir", fault: "enospc", until: "exit" },
    Fault { calls: CHANGES, fault: "eio", until: "once" },
    Fault { calls: "sync", fault: "eio", until: "once" },
    Fault { calls: "read,pread,open", fault: "eio", until: "once" },
];

const JOBS: [Job; 4] = [Job::Backup, Job::Restore, Job::Export, Job::Import];

/// A place in memory if there is such a file system: the faults are ours, not the disk's.
fn root() -> PathBuf {
    let root = Medium::Tmpfs.root(BUILD_DIRECTORY).or_else(|| Medium::Disk.root(BUILD_DIRECTORY));
    root.unwrap_or_else(|| BUILD_DIRECTORY.into())
}

/// What the runs start from: a database, a backup of it, and an export of its table.
struct Template {
    place: Place,
    shim: Shim,
}

impl Template {
    fn new(shim: Shim) -> Self {
        let place = Place::new(&root()).unwrap();
        let items: Vec<_> = (0..ITEMS)
            .map(|number| json!({"id": {"S": format!("{number:04}")}, "t": {"S": "x".repeat(number)}}))
            .collect();
        let seed = json!({"tables": [table("games")], "items": {"games": items}});
        let file = place.file("seed.json");
        fs::write(&file, seed.to_string()).unwrap();
        let data = place.database();
        succeed(&run(&["seed".as_ref(), file.as_os_str(), "--data".as_ref(), data.as_os_str()]));
        fs::create_dir(data.join("blobs")).unwrap();
        fs::write(data.join("blobs/picture"), vec![3; 100_000]).unwrap();
        fs::write(place.data().join("create.json"), table("copy").to_string()).unwrap();
        let template = Self { place, shim };
        succeed(&run(&arguments(&template.place, Job::Backup)));
        succeed(&run(&arguments(&template.place, Job::Export)));
        // The job reads what the template has, and writes elsewhere.
        for name in ["backups", "exports"] {
            fs::rename(
                template.place.data().join(name),
                template.place.data().join(format!("made-{name}")),
            )
            .unwrap();
        }
        template
    }

    /// Does a job with the shim.
    fn run(
        &self,
        place: &Place,
        job: Job,
        settings: &[(&'static str, OsString)],
    ) -> (Ended, Report) {
        let report = place.file("report");
        let _ = fs::remove_file(&report);
        let environment = self.shim.environment(&place.data(), &report, settings);
        let ended = run_in(&arguments(place, job), &environment);
        (ended, Report::read(&report).unwrap())
    }
}

fn table(name: &str) -> serde_json::Value {
    json!({
        "TableName": name, "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    })
}

fn only(directory: &Path) -> PathBuf {
    fs::read_dir(directory).unwrap().next().unwrap().unwrap().path()
}

/// The command that does a job.
fn arguments(place: &Place, job: Job) -> Vec<OsString> {
    let at = |name: &str| place.data().join(name).into_os_string();
    let data = place.database().into_os_string();
    let words: Vec<OsString> = match job {
        Job::Backup => vec!["backup".into(), "--data".into(), data, "--to".into(), at("backups")],
        Job::Restore => {
            vec!["restore".into(), "--from".into(), at("made-backups"), "--into".into(), at("new")]
        }
        Job::Export => vec![
            "export".into(),
            "games".into(),
            "--data".into(),
            data,
            "--to".into(),
            at("exports"),
        ],
        Job::Import => vec![
            "import".into(),
            "copy".into(),
            "--data".into(),
            data,
            "--from".into(),
            only(&place.data().join("made-exports/AWSDynamoDB")).into_os_string(),
            "--create".into(),
            at("create.json"),
        ],
    };
    words
}

#[track_caller]
fn succeed(ended: &Ended) {
    assert_eq!(ended.code, Some(0), "{} {}", ended.output, ended.errors);
}

/// How many items a table has; none if it does not exist or is not whole.
fn items(directory: &Path, table: &str) -> Option<usize> {
    let database = Database::open(directory, Options::default()).unwrap();
    let described = database.describe_table(DescribeTable::new(table)).ok()?.table;
    if described.load.is_some_and(|load| load.in_progress) {
        return None;
    }
    let page = database.scan(Scan::new(table)).unwrap();
    assert_eq!(page.last_evaluated_key, None);
    Some(page.items.len())
}

/// What looks whole must be whole. Returns whether there is something.
fn is_done(place: &Place, job: Job) -> bool {
    let checked = |directory: &Path| succeed(&run(&["check".as_ref(), directory.as_os_str()]));
    match job {
        Job::Backup => {
            let Ok(entries) = fs::read_dir(place.data().join("backups")) else { return false };
            let paths = entries.map(|entry| entry.unwrap().path());
            let is_hidden =
                |path: &Path| path.file_name().unwrap().to_str().unwrap().starts_with('.');
            let sets: Vec<PathBuf> = paths.filter(|path| !is_hidden(path)).collect();
            sets.iter().for_each(|set| checked(set));
            !sets.is_empty()
        }
        Job::Restore => {
            let new = place.data().join("new");
            if !new.exists() {
                return false;
            }
            assert_whole(&new);
            assert_eq!(items(&new, "games"), Some(ITEMS));
            assert_eq!(fs::read(new.join("blobs/picture")).unwrap(), vec![3; 100_000]);
            true
        }
        Job::Export => {
            let Ok(entries) = fs::read_dir(place.data().join("exports/AWSDynamoDB")) else {
                return false;
            };
            let paths = entries.map(|entry| entry.unwrap().path());
            let whole: Vec<PathBuf> =
                paths.filter(|path| path.join("manifest-summary.checksum").exists()).collect();
            whole.iter().for_each(|export| checked(export));
            !whole.is_empty()
        }
        Job::Import => match items(&place.database(), "copy") {
            None => false,
            Some(count) => {
                assert_eq!(count, ITEMS);
                true
            }
        },
    }
}

/// One run with a fault, and what must be the case after it.
fn check(template: &Template, place: &Place, job: Job, fault: Fault, nth: u64) {
    place.restore(&template.place).unwrap();
    let settings = [
        ("MONOTABLE_IO_CALLS", fault.calls.into()),
        ("MONOTABLE_IO_FAULT", fault.fault.into()),
        ("MONOTABLE_IO_UNTIL", fault.until.into()),
        ("MONOTABLE_IO_NTH", nth.to_string().into()),
    ];
    let (ended, report) = template.run(place, job, &settings);
    assert!(!ended.errors.contains("panicked"), "{}", ended.errors);
    if fault.fault != "kill" {
        assert!(matches!(ended.code, Some(0 | 1)), "{ended:?} {report:?}");
    }
    // A fresh process: what the first one left is all there is.
    let was_done = is_done(place, job);
    assert!(was_done || ended.code != Some(0), "{ended:?} {report:?}");
    let is_new = matches!(job, Job::Restore | Job::Import);
    if !(was_done && is_new) {
        succeed(&run(&arguments(place, job)));
        assert!(is_done(place, job));
    }
    if job != Job::Restore {
        assert_whole(&place.database());
        assert_eq!(items(&place.database(), "games"), Some(ITEMS));
    }
}

#[test]
fn jobs_that_are_killed_or_fail_leave_nothing_half_and_succeed_when_repeated() {
    let Some(shim) = Shim::compile(Path::new(BUILD_DIRECTORY)).unwrap() else { return };
    let seed = announce("backup_faults");
    let runs = figure("MONOTABLE_BACKUP_FAULTS", 40);
    let template = Template::new(shim);
    let place = Place::new(&root()).unwrap();
    let mut points = Vec::new();
    for job in JOBS {
        place.restore(&template.place).unwrap();
        let (ended, report) = template.run(&place, job, &[]);
        succeed(&ended);
        for fault in FAULTS {
            let calls = fault.calls.split(',').filter_map(|call| report.totals.get(call));
            points.push((job, fault, calls.sum::<u64>()));
        }
    }
    for number in 0..runs {
        let turn = (number % points.len() as u64) as usize;
        let (job, fault, total) = points[turn];
        let first = Random::part(seed, turn as u64).below(total);
        let nth = spread(first + number / points.len() as u64, total);
        eprintln!("{job:?} {fault:?} {nth} of {total}");
        check(&template, &place, job, fault, nth);
    }
    place.remove().unwrap();
    template.place.remove().unwrap();
}
