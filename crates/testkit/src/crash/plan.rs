//! The command line of a writer, written by the tests and read by the writer.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use monotable_engine::{Durability, Options};

use super::workload::Workload;
use super::{Failure, Outcome};

/// The end of a number of operations on the command line.
const THEN_WAIT: &str = "-then-wait";
/// The longest time an acknowledged write stays unsynced with relaxed durability.
const SYNC_EVERY: Duration = Duration::from_millis(20);

/// How long a writer works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// It opens the database and waits.
    OnlyOpen,
    /// It writes until it is killed.
    UntilKilled,
    /// Each thread does this many operations; then it closes the database.
    Operations(u64),
    /// Each thread does this many operations; then it prints [`WRITTEN`](super::process::WRITTEN)
    /// and waits.
    OperationsThenWait(u64),
}

/// Whether reads may fail because the test makes them fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// Every read must work.
    Work,
    /// A read may fail, but not return something wrong.
    MayFail,
}

/// The command line of a writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterPlan {
    /// The database's directory.
    pub database: PathBuf,
    /// Its journal, a new file.
    pub journal: PathBuf,
    /// The workload.
    pub workload: Workload,
    /// The amount of work.
    pub work: Work,
    /// Whether reads may fail.
    pub reads: Reads,
    /// Whether it acknowledges before syncing.
    pub is_relaxed: bool,
}

impl WriterPlan {
    /// Returns the command line, in a fixed order.
    pub fn to_arguments(&self) -> Vec<OsString> {
        let work = match self.work {
            Work::OnlyOpen => "only-open".to_owned(),
            Work::UntilKilled => "until-killed".to_owned(),
            Work::Operations(count) => count.to_string(),
            Work::OperationsThenWait(count) => format!("{count}{THEN_WAIT}"),
        };
        let reads = match self.reads {
            Reads::Work => "reads-work",
            Reads::MayFail => "reads-may-fail",
        };
        let durability = if self.is_relaxed { "relaxed" } else { "full" };
        vec![
            self.database.clone().into(),
            self.journal.clone().into(),
            self.workload.seed.to_string().into(),
            self.workload.threads.to_string().into(),
            self.workload.body_bytes_max.to_string().into(),
            work.into(),
            reads.into(),
            durability.into(),
        ]
    }

    /// Reads the command line.
    pub fn from_arguments(arguments: Vec<OsString>) -> Outcome<Self> {
        let count = arguments.len();
        let [database, journal, rest @ ..] = arguments.as_slice() else {
            return Err(Failure::new("usage: crash_writer DATABASE JOURNAL SEED THREADS …"));
        };
        let words: Vec<&str> = rest.iter().filter_map(|word| word.to_str()).collect();
        let [seed, threads, body_bytes_max, work, reads, durability] = words[..] else {
            return Err(Failure::new(format!("{count} arguments are not the right number")));
        };
        Ok(Self {
            database: database.into(),
            journal: journal.into(),
            workload: Workload {
                seed: seed.parse()?,
                threads: threads.parse()?,
                body_bytes_max: body_bytes_max.parse()?,
            },
            work: match work {
                "only-open" => Work::OnlyOpen,
                "until-killed" => Work::UntilKilled,
                other => match other.strip_suffix(THEN_WAIT) {
                    Some(count) => Work::OperationsThenWait(count.parse()?),
                    None => Work::Operations(other.parse()?),
                },
            },
            reads: if reads == "reads-work" { Reads::Work } else { Reads::MayFail },
            is_relaxed: durability == "relaxed",
        })
    }

    /// Returns the options with which both the writer and the test after it open the database.
    pub fn options(is_relaxed: bool) -> Options {
        let durability = if is_relaxed {
            Durability::Relaxed { sync_every: SYNC_EVERY }
        } else {
            Durability::Full
        };
        Options { durability, cache_bytes: 4 << 20, ..Options::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_says_the_whole_plan() {
        let workload = Workload { seed: 7, threads: 3, body_bytes_max: 400 };
        let works =
            [Work::OnlyOpen, Work::UntilKilled, Work::Operations(9), Work::OperationsThenWait(9)];
        for work in works {
            for (reads, is_relaxed) in [(Reads::Work, true), (Reads::MayFail, false)] {
                let plan = WriterPlan {
                    database: "a b".into(),
                    journal: "journal".into(),
                    workload: workload.clone(),
                    work,
                    reads,
                    is_relaxed,
                };
                assert_eq!(WriterPlan::from_arguments(plan.to_arguments()).ok(), Some(plan));
            }
        }
    }
}
