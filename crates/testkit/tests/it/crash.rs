//! kill -9 of a writer, again and again in one directory: nothing acknowledged is lost, nothing is
//! half there. Also while it recovers, and while it creates the database.

use std::path::Path;
use std::time::Duration;

use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::plan::{Reads, Work, WriterPlan};
use monotable_testkit::crash::process::{OPENED, Writer};
use monotable_testkit::crash::seed::{Random, announce, figure};
use monotable_testkit::crash::verify::{Baseline, verify_files};
use monotable_testkit::crash::workload::{THREADS_MAX, Workload};
use monotable_testkit::crash::{Failure, Outcome};

const PROGRAM: &str = env!("CARGO_BIN_EXE_crash_writer");
const BUILD_DIRECTORY: &str = env!("CARGO_TARGET_TMPDIR");

/// Cycles on a medium: tmpfs is that much faster.
fn cycles(medium: Medium) -> u64 {
    let on_disk = figure("MONOTABLE_CRASH_CYCLES", 3);
    match medium {
        Medium::Disk => on_disk,
        Medium::Tmpfs => on_disk * 10,
    }
}

/// After how many cycles a new directory follows: the stream keeps everything for a day, so the
/// directory grows, and with it the time to verify it.
fn lifetime(medium: Medium) -> u64 {
    match medium {
        Medium::Disk => 60,
        Medium::Tmpfs => 12,
    }
}

/// One directory, and what is known to be in it.
struct Victim {
    place: Place,
    random: Random,
    seed: u64,
    baseline: Baseline,
    is_relaxed: bool,
}

impl Victim {
    fn new(root: &Path, seed: u64) -> Outcome<Self> {
        let random = Random::new(seed);
        let place = Place::new(root)?;
        Ok(Self { place, random, seed, baseline: Baseline::default(), is_relaxed: false })
    }

    fn plan(&mut self, cycle: u64, work: Work) -> WriterPlan {
        // Every eighth writer has large items, so that the store flushes and compacts.
        let body_bytes_max = if cycle % 8 == 7 { 200_000 } else { 2_000 };
        let workload = Workload {
            seed: Random::part(self.seed, cycle).next(),
            threads: 1 + self.random.below(THREADS_MAX),
            body_bytes_max,
        };
        WriterPlan {
            database: self.place.database(),
            journal: self.place.file(&format!("journal-{cycle}")),
            workload,
            work,
            reads: Reads::Work,
            is_relaxed: self.is_relaxed,
        }
    }

    /// Continues with an empty directory.
    fn renew(&mut self) -> Outcome {
        self.baseline = Baseline::default();
        self.place.clear()
    }

    /// Opens what the killed writer left, and removes its journal when all is well.
    fn verify(&mut self, plan: &WriterPlan) -> Outcome {
        verify_files(&plan.database)?;
        self.baseline =
            self.baseline.verify(&plan.database, &plan.journal, &plan.workload, plan.is_relaxed)?;
        if plan.journal.exists() {
            std::fs::remove_file(&plan.journal)?;
        }
        Ok(())
    }

    fn up_to_ms(&mut self, bound_ms: u64) -> Duration {
        Duration::from_micros(self.random.below(bound_ms * 1000))
    }

    /// Where a failure happened, to find its directory and to repeat it.
    fn blame(&self, cycle: u64, failure: Failure) -> Failure {
        failure.at(format!("MONOTABLE_SEED={}, cycle {cycle}, see {}", self.seed, self.place))
    }
}

fn start(plan: &WriterPlan) -> Outcome<Writer> {
    Writer::start(Path::new(PROGRAM), plan, &[])
}

/// A writer is killed while it writes.
fn kill_writers(medium: Medium, name: &str) -> Outcome {
    let Some(root) = medium.root(BUILD_DIRECTORY) else { return Ok(()) };
    let mut victim = Victim::new(&root, announce(name))?;
    for cycle in 0..cycles(medium) {
        if cycle % lifetime(medium) == 0 {
            victim.renew()?;
        }
        // Acknowledging before syncing loses nothing to kill -9 either.
        victim.is_relaxed = cycle % 3 == 2;
        let plan = victim.plan(cycle, Work::UntilKilled);
        let delay = victim.up_to_ms(120);
        let mut kill = || {
            let mut writer = start(&plan)?;
            writer.wait_for(OPENED)?;
            writer.kill_after(delay)?;
            victim.verify(&plan)
        };
        kill().map_err(|failure| victim.blame(cycle, failure))?;
    }
    victim.place.remove()
}

#[test]
fn acknowledged_writes_survive_kill_9_on_disk() -> Outcome {
    kill_writers(Medium::Disk, "acknowledged_writes_survive_kill_9_on_disk")
}

#[test]
fn acknowledged_writes_survive_kill_9_on_tmpfs() -> Outcome {
    kill_writers(Medium::Tmpfs, "acknowledged_writes_survive_kill_9_on_tmpfs")
}

/// After a writer was killed, those who come to recover the database are killed too, several times.
fn kill_recoveries(medium: Medium, name: &str) -> Outcome {
    let Some(root) = medium.root(BUILD_DIRECTORY) else { return Ok(()) };
    let mut victim = Victim::new(&root, announce(name))?;
    for cycle in 0..cycles(medium).div_ceil(2) {
        if cycle % lifetime(medium) == 0 {
            victim.renew()?;
        }
        let plan = victim.plan(cycle, Work::UntilKilled);
        let only_open = WriterPlan { work: Work::OnlyOpen, ..plan.clone() };
        let mut kill = || {
            let mut writer = start(&plan)?;
            writer.wait_for(OPENED)?;
            writer.kill_after(victim.up_to_ms(60))?;
            for _ in 0..4 {
                start(&only_open)?.kill_after(victim.up_to_ms(30))?;
            }
            victim.verify(&plan)
        };
        kill().map_err(|failure| victim.blame(cycle, failure))?;
    }
    victim.place.remove()
}

#[test]
fn recovery_survives_kill_9_on_disk() -> Outcome {
    kill_recoveries(Medium::Disk, "recovery_survives_kill_9_on_disk")
}

#[test]
fn recovery_survives_kill_9_on_tmpfs() -> Outcome {
    kill_recoveries(Medium::Tmpfs, "recovery_survives_kill_9_on_tmpfs")
}

/// A writer is killed soon after it was started in an empty place: there is nothing, or a database.
fn kill_creations(medium: Medium, name: &str) -> Outcome {
    let Some(root) = medium.root(BUILD_DIRECTORY) else { return Ok(()) };
    let mut victim = Victim::new(&root, announce(name))?;
    for cycle in 0..cycles(medium) * 2 {
        victim.renew()?;
        let plan = victim.plan(cycle, Work::UntilKilled);
        let delay = victim.up_to_ms(30);
        let mut kill = || {
            start(&plan)?.kill_after(delay)?;
            victim.verify(&plan)
        };
        kill().map_err(|failure| victim.blame(cycle, failure))?;
    }
    victim.place.remove()
}

#[test]
fn creation_survives_kill_9_on_disk() -> Outcome {
    kill_creations(Medium::Disk, "creation_survives_kill_9_on_disk")
}

#[test]
fn creation_survives_kill_9_on_tmpfs() -> Outcome {
    kill_creations(Medium::Tmpfs, "creation_survives_kill_9_on_tmpfs")
}
