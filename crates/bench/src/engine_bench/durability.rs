//! Opening, space and stalls: measurements of one database on disk rather than of calls.

use std::thread;
use std::time::{Duration, Instant};

use monotable_bench::{
    Arguments, Machine, Measure, Measures, Result, Scratch, Slice, Slicing, Subject, Table,
    Workload, load, run_slice,
};

use crate::bare::Layout;
use crate::bare::disk::BareDisk;
use crate::child;
use crate::engine::{Engine, NAME};

/// How often a database is opened after a clean close, and after a kill.
const OPENINGS: u64 = 5;
/// Callers of the long run.
const STALL_CALLERS: usize = 64;
const STALL_SECONDS: f64 = 60.0;

/// The time to open after a clean close and after kill -9.
pub(crate) fn open(arguments: &Arguments) -> Result<()> {
    let items = items_of(arguments);
    let scratch = Scratch::new(&arguments.directory, "open")?;
    let directory = scratch.path().join("database");
    let path = directory.to_str().ok_or("the directory name is not UTF-8")?;
    eprintln!("loading {items} items");
    child::measures(&["fill", path, &items.to_string()])?;
    let mut measures = Vec::new();
    let mut open_once = |name: String| -> Result<()> {
        for measure in child::measures(&["open", path, &items.to_string()])? {
            eprintln!("{name}: {} {:.1} {}", measure.name, measure.value, measure.unit);
            measures.push(Measure { name: format!("{name}: {}", measure.name), ..measure });
        }
        Ok(())
    };
    for opening in 1..=OPENINGS {
        open_once(format!("clean close {opening}"))?;
    }
    for opening in 1..=OPENINGS {
        // Each writer continues after the items that the previous one may have written.
        let next = items + opening * 100_000_000;
        let mut writer = child::spawn(&["write", path, &items.to_string(), &next.to_string()])?;
        let sign = directory.with_extension("writing");
        let end = Instant::now() + Duration::from_secs(60);
        while !sign.exists() && Instant::now() < end {
            thread::sleep(Duration::from_millis(10));
        }
        // At different moments between two rotations of the journal.
        thread::sleep(Duration::from_millis(1_500 + 700 * opening));
        writer.kill()?;
        writer.wait()?;
        std::fs::remove_file(&sign)?;
        open_once(format!("kill -9 {opening}"))?;
    }
    print(arguments, measures)
}

/// Bytes on disk for each byte of item, and resident memory.
pub(crate) fn space(arguments: &Arguments) -> Result<()> {
    let items = items_of(arguments);
    let scratch = Scratch::new(&arguments.directory, "space")?;
    let directory = scratch.path().join("database");
    let path = directory.to_str().ok_or("the directory name is not UTF-8")?;
    let items = &items.to_string()[..];
    let mut measures = child::measures(&["fill", path, items])?;
    measures.extend(child::measures(&["work", path, items])?);
    measures.extend(child::measures(&["memory", items])?);
    print(arguments, measures)
}

/// The longest put of a long run, of the engine and then of the bare store.
pub(crate) fn stall(arguments: &Arguments) -> Result<()> {
    let items = items_of(arguments);
    let seconds = arguments.seconds.unwrap_or(STALL_SECONDS);
    let mut measures = Vec::new();
    let engine = Engine::disk(&arguments.directory, items)?;
    measures.extend(longest(NAME, &engine, items, seconds)?);
    drop(engine);
    let bare = BareDisk::create(&arguments.directory, Layout::Keys, "bare")?;
    load(&bare, "bare", items)?;
    measures.extend(longest("bare", &bare, items, seconds)?);
    print(arguments, measures)
}

fn longest<S: Subject>(name: &str, subject: &S, items: u64, seconds: f64) -> Result<Vec<Measure>> {
    eprintln!("{name}: {seconds} s of put");
    let slicing = Slicing {
        workload: Workload::Put,
        callers: STALL_CALLERS,
        duration: Duration::from_secs_f64(seconds),
        seed: 1,
    };
    let slice = run_slice(subject, &Table::growing(items, items), slicing)?;
    let Slice { per_second, p50_us, p99_us, p999_us, longest_us, .. } = slice;
    let millis = |what: &str, us: f64| Measure::new(format!("{name}: {what}"), us / 1e3, "ms");
    Ok(vec![
        Measure::new(format!("{name}: puts a second, {STALL_CALLERS} callers"), per_second, "/s"),
        millis("p50", p50_us),
        millis("p99", p99_us),
        millis("p99.9", p999_us),
        millis("longest", longest_us),
    ])
}

/// Returns the largest requested table size.
fn items_of(arguments: &Arguments) -> u64 {
    arguments.items.iter().copied().max().unwrap_or_default()
}

fn print(arguments: &Arguments, measures: Vec<Measure>) -> Result<()> {
    let machine = Machine::describe(&arguments.directory);
    Measures { machine, measures }.print(arguments.json)
}
