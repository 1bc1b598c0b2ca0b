//! `recovery-bench`: what backups cost those who write, and how long backups, restores, exports and imports take.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lexopt::prelude::{Long, ValueExt as _};
use monotable_bench::{Machine, Result};
use monotable_engine::{CreateTable, Database, Options, PutItem, item};
use monotable_lifecycle::{
    BackupSet, Compression, Control, ExportFormat, ExportRequest, ExportTime, ImportFormat,
    ImportRequest, Lifecycle, LifecycleOptions,
};
use monotable_wire::ItemLines;

const USAGE: &str = "\
Usage: recovery-bench [FLAGS]

  --quick            100,000 items, two seconds of puts
  --items N          items of 1 KB (1,000,000)
  --clients N        threads that put while nothing else happens, and while backups are made (64)
  --seconds S        seconds of puts (10)
  --dir DIR          where databases are made and removed again (.xtask/bench-data)
";

const TABLE: &str = "items";
const BUCKET: &str = "bucket";
/// How often puts with and without a kept log are measured.
const ROUNDS: u32 = 2;

/// What to run.
struct Arguments {
    items: u64,
    clients: u64,
    seconds: f64,
    directory: PathBuf,
}

impl Arguments {
    fn parse() -> Result<Option<Self>> {
        let directory = PathBuf::from(".xtask/bench-data");
        let mut all = Self { items: 1_000_000, clients: 64, seconds: 10.0, directory };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => (all.items, all.seconds) = (100_000, 2.0),
                Long("items") => all.items = parser.value()?.parse()?,
                Long("clients") => all.clients = parser.value()?.parse()?,
                Long("seconds") => all.seconds = parser.value()?.parse()?,
                Long("dir") => all.directory = parser.value()?.into(),
                Long("help") => return Ok(None),
                other => return Err(other.unexpected().into()),
            }
        }
        Ok(Some(all))
    }
}

fn main() -> ExitCode {
    let result = Arguments::parse().and_then(|arguments| match arguments {
        Some(arguments) => run(&arguments),
        None => {
            print!("{USAGE}");
            Ok(())
        }
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("recovery-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let root = arguments.directory.join(format!("recovery-{}", std::process::id()));
    fs::create_dir_all(root.join("buckets").join(BUCKET))?;
    println!("{}", Machine::describe(&root));
    let measured = measure(arguments, &root);
    fs::remove_dir_all(&root)?;
    measured
}

fn measure(arguments: &Arguments, root: &Path) -> Result<()> {
    let database = Database::open(root.join("data"), Options::default())?;
    database.create_table(CreateTable::new(TABLE).partition_key("id", "S")?)?;
    timed("fill", arguments.items, || fill(&database, 0..arguments.items))?;
    let lifecycle = Lifecycle::open(
        database,
        LifecycleOptions {
            backups: Some(root.join("backups")),
            buckets: Some(root.join("buckets")),
            history: None,
            attached: Vec::new(),
            codec: Arc::new(ItemLines),
        },
    )?;
    let set = timed("backup, verified", arguments.items, || {
        Ok(lifecycle.back_up_all("bench", &Control::default())?)
    })?;
    timed("restore, compared and checked", arguments.items, || {
        let into = root.join("restored");
        let set = BackupSet::open(&set.directory, None)?;
        Ok(set.restore(&into, None, Options::default(), &Control::default())?)
    })?;
    fs::remove_dir_all(root.join("restored"))?;
    fs::remove_dir_all(&set.directory)?;
    println!("memory at most {:28} MB", memory_mb());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let prefix = timed("export", arguments.items, || {
        let job = runtime.block_on(lifecycle.export_table(export_request()))?;
        lifecycle.finish_jobs();
        let done = lifecycle.describe_export(&job.arn())?;
        let manifest = done.manifest.ok_or("the export failed")?;
        Ok(manifest.replace("manifest-summary.json", "data/"))
    })?;
    timed("import", arguments.items, || {
        let job = runtime.block_on(lifecycle.import_table(import_request(prefix)))?;
        lifecycle.finish_jobs();
        let done = lifecycle.describe_import(&job.arn())?;
        if done.imported_items != arguments.items {
            return Err(format!("{} items were imported", done.imported_items).into());
        }
        Ok(())
    })?;
    let alone = puts(lifecycle.database(), arguments, None)?;
    let beside = puts(lifecycle.database(), arguments, Some(&lifecycle))?;
    println!("puts, {} clients {:28.0} /s", arguments.clients, alone.rate);
    println!("longest put {:33.1} ms", alone.longest_ms());
    let percent = 100.0 * beside.rate / alone.rate;
    println!("puts while backups are made {:17.0} /s ({percent:.0} %)", beside.rate);
    println!("longest put while backups are made {:10.1} ms", beside.longest_ms());
    drop(lifecycle);
    measure_log(arguments, root)
}

/// Measures puts into new databases that keep their logs, and into others that do not, one after the other.
fn measure_log(arguments: &Arguments, root: &Path) -> Result<()> {
    let (mut plain, mut kept) = (0.0, 0.0);
    for round in 0..ROUNDS {
        for (keeps_history, rate) in [(false, &mut plain), (true, &mut kept)] {
            let directory = root.join(format!("puts-{round}-{keeps_history}"));
            let options = Options { keeps_history, ..Options::default() };
            let database = Database::open(&directory, options)?;
            database.create_table(CreateTable::new(TABLE).partition_key("id", "S")?)?;
            *rate += puts(&database, arguments, None)?.rate / f64::from(ROUNDS);
            drop(database);
            fs::remove_dir_all(directory)?;
        }
    }
    let percent = 100.0 * kept / plain;
    println!("puts with the log kept {kept:22.0} /s ({percent:.0} % of {plain:.0} without)");
    Ok(())
}

/// Does something and prints how long it took.
fn timed<T>(name: &str, items: u64, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let done = work()?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{name:<30} {seconds:9.2} s {:14.0} items/s", items as f64 / seconds);
    Ok(done)
}

fn new_item(number: u64) -> PutItem {
    // Text that compresses about as well as JSON does.
    let text: String = (0..15).map(|part| format!("{:064x}", number * 31 + part)).collect();
    PutItem::new(TABLE, item! { "id" => format!("{number:012}"), "text" => text })
}

fn fill(database: &Database, numbers: std::ops::Range<u64>) -> Result<()> {
    let mut waiting = std::collections::VecDeque::new();
    for number in numbers {
        waiting.push_back(database.submit(new_item(number)));
        if waiting.len() >= 4_096
            && let Some(oldest) = waiting.pop_front()
        {
            oldest.wait()?;
        }
    }
    waiting.into_iter().try_for_each(|put| put.wait().map(drop))?;
    Ok(())
}

/// What was measured of puts.
struct Puts {
    /// Puts per second.
    rate: f64,
    longest: Duration,
}

impl Puts {
    fn longest_ms(&self) -> f64 {
        self.longest.as_secs_f64() * 1e3
    }
}

/// Puts from many threads, while `backups` makes backups one after the other or while nothing else happens.
fn puts(database: &Database, arguments: &Arguments, backups: Option<&Lifecycle>) -> Result<Puts> {
    let (stop, done, longest) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
    let control = Control::default();
    std::thread::scope(|scope| {
        for client in 0..arguments.clients {
            let (stop, done, longest) = (&stop, &done, &longest);
            scope.spawn(move || {
                let mut number = client << 32;
                while !stop.load(Ordering::Relaxed) {
                    let start = Instant::now();
                    if database.put_item(new_item(number)).is_err() {
                        return;
                    }
                    longest.fetch_max(start.elapsed().as_micros() as u64, Ordering::Relaxed);
                    done.fetch_add(1, Ordering::Relaxed);
                    number += 1;
                }
            });
        }
        if let Some(lifecycle) = backups {
            let control = &control;
            scope.spawn(move || {
                while lifecycle.back_up_all("bench", control).is_ok() {
                    let _ = lifecycle.keep_newest(1);
                }
            });
        }
        std::thread::sleep(Duration::from_secs_f64(arguments.seconds));
        stop.store(true, Ordering::Relaxed);
        control.stop();
    });
    let rate = done.into_inner() as f64 / arguments.seconds;
    Ok(Puts { rate, longest: Duration::from_micros(longest.into_inner()) })
}

fn export_request() -> ExportRequest {
    ExportRequest {
        table_arn: TABLE.to_owned(),
        token: None,
        bucket: BUCKET.to_owned(),
        bucket_owner: None,
        prefix: None,
        sse_algorithm: None,
        sse_key: None,
        format: ExportFormat::DynamoDbJson,
        time: ExportTime::Now,
        filter: None,
    }
}

fn import_request(prefix: String) -> ImportRequest {
    ImportRequest {
        token: None,
        bucket: BUCKET.to_owned(),
        bucket_owner: None,
        prefix: Some(prefix),
        format: ImportFormat::DynamoDbJson,
        csv: None,
        compression: Some(Compression::Gzip),
        table: CreateTable::new("imported").partition_key("id", "S").unwrap_or_default(),
        table_parameters: String::new(),
    }
}

/// Returns the most memory that this process has had.
fn memory_mb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1024
}
