//! The file call of a writer that fails, and how: the plan of the fault tests.

use std::ffi::OsString;
use std::str::FromStr;

use super::Failure;
use super::plan::Reads;
use super::shim::Report;

/// The state that the writer finds when it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Start {
    /// Nothing: faults affect the creation of the database.
    Fresh,
    /// A small database whose writer was killed: faults affect the replay of its journal.
    Killed,
    /// A database with table files whose writer was killed, and further large items: faults affect
    /// flushes, compactions and reads of tables.
    Grown,
}

impl Start {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fresh, Self::Killed, Self::Grown];

    fn word(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Killed => "killed",
            Self::Grown => "grown",
        }
    }
}

/// A kind of fault, in the words of the shim.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in a repeatable run.
    pub name: &'static str,
    calls: &'static str,
    fault: &'static str,
    until: &'static str,
}

const fn kind(
    name: &'static str,
    calls: &'static str,
    fault: &'static str,
    until: &'static str,
) -> Kind {
    Kind { name, calls, fault, until }
}

/// Every kind of fault that the tests inject.
pub static KINDS: [Kind; 20] = [
    kind("write-eio", "write", "eio", "once"),
    kind("write-eio-on", "write", "eio", "exit"),
    kind("write-enospc", "write", "enospc", "once"),
    kind("write-short", "write", "short", "once"),
    kind("write-short-full", "write", "short", "exit"),
    kind("disk-full", "write,truncate,create,rename,mkdir", "enospc", "exit"),
    kind("sync-eio", "sync", "eio", "once"),
    kind("sync-eio-on", "sync", "eio", "exit"),
    kind("truncate-eio", "truncate", "eio", "once"),
    kind("truncate-enospc-on", "truncate", "enospc", "exit"),
    kind("open-eio", "open,create", "eio", "once"),
    kind("open-eio-on", "open,create", "eio", "exit"),
    kind("create-enospc", "create", "enospc", "once"),
    kind("rename-eio", "rename", "eio", "once"),
    kind("read-eio", "read", "eio", "once"),
    kind("read-eio-on", "read", "eio", "exit"),
    kind("pread-eio", "pread", "eio", "once"),
    kind("pread-eio-on", "pread", "eio", "exit"),
    kind("unlink-eio", "unlink", "eio", "once"),
    kind("mkdir-enospc", "mkdir", "enospc", "once"),
];

impl Kind {
    /// Returns whether the writer must not notice: a short write is not an error, the rest has to
    /// be written.
    pub fn is_harmless(&self) -> bool {
        self.name == "write-short"
    }

    /// Returns whether it continues until the writer ends.
    pub fn is_lasting(&self) -> bool {
        self.until == "exit"
    }

    /// Returns how many calls it can affect, of those that a run made.
    pub fn total(&self, report: &Report) -> u64 {
        self.calls.split(',').filter_map(|call| report.totals.get(call)).sum()
    }

    /// Returns whether the fault can affect a read: the store opens a table's file when it reads
    /// from it.
    pub fn reads(&self) -> Reads {
        let meets_reads =
            self.calls.split(',').any(|call| ["read", "pread", "open"].contains(&call));
        if meets_reads { Reads::MayFail } else { Reads::Work }
    }

    /// Returns the shim's settings for failing the `nth` call.
    pub fn settings(&self, nth: u64) -> Vec<(&'static str, OsString)> {
        vec![
            ("MONOTABLE_IO_CALLS", self.calls.into()),
            ("MONOTABLE_IO_FAULT", self.fault.into()),
            ("MONOTABLE_IO_UNTIL", self.until.into()),
            ("MONOTABLE_IO_NTH", nth.to_string().into()),
        ]
    }
}

/// One run of a writer with a fault. Its text repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultRun {
    /// The state at the start.
    pub start: Start,
    /// The fault.
    pub kind: &'static Kind,
    /// The number of the call of that kind.
    pub nth: u64,
    /// The workload.
    pub seed: u64,
}

impl std::fmt::Display for FaultRun {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {} {} {}", self.start.word(), self.kind.name, self.nth, self.seed)
    }
}

impl FromStr for FaultRun {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let malformed = || Failure::new(format!("{text:?} is no fault run"));
        let words: Vec<&str> = text.split(' ').collect();
        let [start, kind, nth, seed] = words[..] else { return Err(malformed()) };
        let start = Start::ALL.into_iter().find(|known| known.word() == start);
        Ok(Self {
            start: start.ok_or_else(malformed)?,
            kind: KINDS.iter().find(|known| known.name == kind).ok_or_else(malformed)?,
            nth: nth.parse()?,
            seed: seed.parse()?,
        })
    }
}

/// Returns the `step`th position of `total`, from 1: every position comes once before one is
/// repeated, and the first few are spread over all of them.
pub fn spread(step: u64, total: u64) -> u64 {
    let total = total.max(1);
    // About the golden ratio of the total, and without a common factor.
    let mut stride = total * 618 / 1000 + 1;
    while common_factor(stride, total) > 1 {
        stride += 1;
    }
    1 + (step % total) * (stride % total) % total
}

fn common_factor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_spread_and_complete() {
        for total in 1..200 {
            let mut places: Vec<u64> = (0..total).map(|step| spread(step, total)).collect();
            places.sort_unstable();
            assert_eq!(places, (1..=total).collect::<Vec<_>>());
        }
        let first: Vec<u64> = (0..4).map(|step| spread(step, 100)).collect();
        assert_eq!(first, [1, 64, 27, 90]);
    }

    #[test]
    fn a_run_is_repeated_by_its_text() {
        for (kind, start) in KINDS.iter().zip(Start::ALL.into_iter().cycle()) {
            let run = FaultRun { start, kind, nth: 17, seed: 4 };
            assert_eq!(run.to_string().parse::<FaultRun>().ok(), Some(run));
        }
    }
}
