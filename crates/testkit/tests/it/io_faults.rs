//! The Nth file call of the writer fails: it neither panics nor hangs, acknowledges nothing more until
//! it is reopened, keeps reading, and loses nothing that it acknowledged.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_testkit::crash::fault::{FaultRun, KINDS, Kind, Start, spread};
use monotable_testkit::crash::fault_run::{FaultBench, Met};
use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};
use monotable_testkit::crash::shim::Shim;
use monotable_testkit::crash::{Failure, Outcome};

const PROGRAM: &str = env!("CARGO_BIN_EXE_crash_writer");
const BUILD_DIRECTORY: &str = env!("CARGO_TARGET_TMPDIR");

/// A bench in memory if there is such a file system: the faults are ours, not the disk's.
fn bench(seed: u64) -> Outcome<Option<FaultBench>> {
    let Some(shim) = Shim::compile(Path::new(BUILD_DIRECTORY))? else { return Ok(None) };
    let disk = || Medium::Disk.root(BUILD_DIRECTORY);
    let root = Medium::Tmpfs.root(BUILD_DIRECTORY).or_else(disk);
    let root = root.unwrap_or_else(|| PathBuf::from(BUILD_DIRECTORY));
    FaultBench::new(Path::new(PROGRAM), shim, &root, seed).map(Some)
}

/// One run in so many starts from the grown database, which takes ten times as long.
const GROWN_EVERY: u64 = 12;

/// Where the calls of every kind are: how many a run from each start makes.
struct Sweep {
    seed: u64,
    small: Vec<(Start, &'static Kind, u64)>,
    grown: Vec<(Start, &'static Kind, u64)>,
}

impl Sweep {
    fn new(bench: &FaultBench, place: &Place, seed: u64) -> Outcome<Self> {
        let mut totals = Vec::new();
        for start in Start::ALL {
            let report = bench
                .count(place, start, writer_seed(seed, 0))
                .map_err(|failure| failure.at(format_args!("{start:?}, see {place}")))?;
            let counted = KINDS.iter().map(|kind| (start, kind, kind.total(&report)));
            totals.extend(counted.filter(|(_, _, total)| *total > 0));
        }
        for kind in &KINDS {
            if !totals.iter().any(|(_, counted, _)| *counted == kind) {
                let text = "no such call was seen: does the program call something else?";
                return Err(Failure::new(text).at(kind.name));
            }
        }
        let (grown, small) = totals.into_iter().partition(|(start, ..)| *start == Start::Grown);
        Ok(Self { seed, small, grown })
    }

    /// The run of this number.
    fn run(&self, number: u64) -> FaultRun {
        if number.is_multiple_of(GROWN_EVERY) {
            self.choose(&self.grown, number / GROWN_EVERY)
        } else {
            self.choose(&self.small, number - number / GROWN_EVERY - 1)
        }
    }

    /// All kinds come in turn; the places of each are spread from a random one on, and when all of
    /// them were met, the writer writes something else.
    fn choose(&self, totals: &[(Start, &'static Kind, u64)], number: u64) -> FaultRun {
        let turn = number % totals.len() as u64;
        let step = number / totals.len() as u64;
        let (start, kind, total) = totals[usize::try_from(turn).unwrap_or(0)];
        let first = Random::part(self.seed, turn).below(total);
        FaultRun {
            start,
            kind,
            nth: spread(first + step, total),
            seed: writer_seed(self.seed, step / total),
        }
    }
}

fn writer_seed(seed: u64, round: u64) -> u64 {
    Random::part(seed, round).below(1 << 32)
}

/// How often each kind of fault was met, and its result.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [u64; 4]>);

impl Tally {
    fn add(&mut self, kind: &'static Kind, met: Met) {
        let counts = self.0.entry(kind.name).or_default();
        let events = [true, met.is_hit, met.is_shut, met.is_refused];
        for (count, event) in counts.iter_mut().zip(events) {
            *count += u64::from(event);
        }
    }

    fn print(&self) {
        for (name, [runs, hit, shut, refused]) in &self.0 {
            eprintln!(
                "{name:20} {runs:6} runs {hit:6} hit {shut:6} not opened {refused:6} refused"
            );
        }
    }
}

#[test]
fn a_failed_file_call_loses_nothing_and_stops_writes() -> Outcome {
    let seed = announce("a_failed_file_call_loses_nothing_and_stops_writes");
    let Some(bench) = bench(seed)? else { return Ok(()) };
    if let Ok(text) = std::env::var("MONOTABLE_FAULT_RUN") {
        let place = bench.place()?;
        let met = bench.run(&place, &text.parse()?).map_err(|failure| failure.at(&place))?;
        eprintln!("{text}: {met:?}");
        place.remove()?;
        return bench.remove();
    }
    let place = bench.place()?;
    let sweep = Sweep::new(&bench, &place, seed)?;
    place.remove()?;
    let runs = figure("MONOTABLE_FAULT_RUNS", 48);
    let (next, tally) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    let work = || -> Outcome {
        let place = bench.place()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= runs {
                return place.remove();
            }
            if number % 1000 == 999 {
                eprintln!("{number} runs");
            }
            let run = sweep.run(number);
            let blame = |failure: Failure| {
                let repeat =
                    format!("MONOTABLE_SEED={seed} MONOTABLE_FAULT_RUN={:?}", run.to_string());
                failure.at(format!("{repeat}, see {place}"))
            };
            let met = bench.run(&place, &run).map_err(blame)?;
            tally.lock().map_err(|_| Failure::new("the tally is lost"))?.add(run.kind, met);
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Outcome>| {
            worker.join().map_err(|_| Failure::new("a worker panicked"))?
        };
        workers.into_iter().try_for_each(join)
    })?;
    tally.lock().map_err(|_| Failure::new("the tally is lost"))?.print();
    bench.remove()
}

/// Crash images will be made from what the shim records: it must miss nothing.
#[test]
fn the_shim_records_every_write_and_sync() -> Outcome {
    let Some(shim) = Shim::compile(Path::new(BUILD_DIRECTORY))? else { return Ok(()) };
    let bench = FaultBench::without_templates(Path::new(PROGRAM), shim, Path::new(BUILD_DIRECTORY));
    let (place, logs) = (bench.place()?, bench.place()?);
    let log = logs.file("log");
    let report = bench.record(&place, Start::Fresh, 1, &log)?;
    let bytes = std::fs::read(&log)?;
    let (mut rest, mut records) = (bytes.as_slice(), BTreeMap::<String, u64>::new());
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let line = String::from_utf8_lossy(&rest[..end]).into_owned();
        let words: Vec<&str> = line.splitn(4, ' ').collect();
        rest = &rest[end + 1..];
        if let ["write", _, length, _] = words[..] {
            rest = &rest[length.parse()?..];
        }
        *records.entry(words[0].to_owned()).or_default() += 1;
    }
    for call in ["write", "sync", "truncate", "rename", "unlink"] {
        assert_eq!(records.get(call), report.totals.get(call).filter(|t| **t > 0), "{call}");
    }
    assert!(records["write"] > 50, "{records:?}");
    place.remove()?;
    logs.remove()
}

#[test]
fn a_creation_that_fails_leaves_nothing() -> Outcome {
    let Some(shim) = Shim::compile(Path::new(BUILD_DIRECTORY))? else { return Ok(()) };
    let bench = FaultBench::without_templates(Path::new(PROGRAM), shim, BUILD_DIRECTORY.as_ref());
    let place = bench.place()?;
    for nth in 1..=4 {
        let run = format!("fresh write-eio {nth} 7");
        let met = bench.run(&place, &run.parse()?).map_err(|failure| failure.at(&run))?;
        assert!(met.is_hit, "{run}");
    }
    place.remove()
}
