//! Runs a writer under the shim and compares what it did, and what it left, with the guarantees.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::fault::{FaultRun, Start};
use super::journal::{Event, Record, Refusal};
use super::place::Place;
use super::plan::{Reads, Work, WriterPlan};
use super::process::{Ended, OPENED, WRITTEN, Writer};
use super::seed::Random;
use super::shim::{Report, Shim};
use super::verify::Baseline;
use super::workload::Workload;
use super::writer::{NOT_BEGUN, NOT_REOPENED};
use super::{Outcome, ensure};

/// Bodies that fill a memtable within a few dozen operations.
const LARGE_BODY_BYTES: u64 = 380_000;
const SMALL_BODY_BYTES: u64 = 400;
/// About how many calls of a kind opening a small database makes.
const OPENING_CALLS: u64 = 24;

/// A database to start from.
struct Template {
    place: Place,
    baseline: Baseline,
}

/// The result of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Whether a call failed.
    pub is_hit: bool,
    /// Whether the database did not open.
    pub is_shut: bool,
    /// Whether a write was refused.
    pub is_refused: bool,
}

/// The state that all runs share.
pub struct FaultBench {
    program: PathBuf,
    shim: Shim,
    root: PathBuf,
    templates: BTreeMap<Start, Template>,
}

impl FaultBench {
    /// Creates a bench for fresh starts only.
    pub fn without_templates(program: &Path, shim: Shim, root: &Path) -> Self {
        let (program, root) = (program.to_owned(), root.to_owned());
        Self { program, shim, root, templates: BTreeMap::new() }
    }

    /// Returns a bench with databases to start from.
    pub fn new(program: &Path, shim: Shim, root: &Path, seed: u64) -> Outcome<Self> {
        let mut bench = Self::without_templates(program, shim, root);
        for start in [Start::Killed, Start::Grown] {
            let template = bench.make_template(start, seed)?;
            bench.templates.insert(start, template);
        }
        Ok(bench)
    }

    /// Returns a place for runs, one after the other.
    pub fn place(&self) -> Outcome<Place> {
        Place::new(&self.root)
    }

    /// Removes the databases to start from.
    pub fn remove(self) -> Outcome {
        self.templates.into_values().try_for_each(|template| template.place.remove())
    }

    /// Lets a writer fill a database, and kills it before it can close it.
    fn make_template(&self, start: Start, seed: u64) -> Outcome<Template> {
        let place = self.place()?;
        let mut plan = plan(&place, start, seed, Reads::Work);
        plan.work = Work::OperationsThenWait(match start {
            Start::Fresh => 0,
            Start::Killed => 40,
            Start::Grown => 240,
        });
        let mut writer = Writer::start(&self.program, &plan, &[])?;
        writer.wait_for(OPENED)?;
        writer.wait_for(WRITTEN)?;
        writer.kill_after(Duration::ZERO)?;
        // Opening recovers the database, so the baseline is read from a copy.
        let copy = self.place()?;
        copy.restore(&place)?;
        let baseline = Baseline::default().verify(
            &copy.database(),
            &plan.journal,
            &plan.workload,
            plan.is_relaxed,
        )?;
        copy.remove()?;
        Ok(Template { place, baseline })
    }

    /// Returns the calls of a run in which none fails.
    pub fn count(&self, place: &Place, start: Start, seed: u64) -> Outcome<Report> {
        let plan = plan(place, start, seed, Reads::Work);
        let (ended, report) = self.write(place, start, &plan, &[])?;
        ensure!(ended.status.success(), "a run without a fault: {} {}", ended.status, ended.errors);
        self.verify(start, &plan)?;
        Ok(report)
    }

    /// Lets the shim record the changes of a run in which nothing fails.
    pub fn record(&self, place: &Place, start: Start, seed: u64, log: &Path) -> Outcome<Report> {
        let plan = plan(place, start, seed, Reads::Work);
        let settings = [("MONOTABLE_IO_LOG", log.into())];
        Ok(self.write(place, start, &plan, &settings)?.1)
    }

    /// Does a run and verifies everything.
    pub fn run(&self, place: &Place, run: &FaultRun) -> Outcome<Met> {
        let plan = plan(place, run.start, run.seed, run.kind.reads());
        let (ended, report) = self.write(place, run.start, &plan, &run.kind.settings(run.nth))?;
        let met = judge(run, &ended, &report, &Record::read(&plan.journal)?)
            .map_err(|failure| failure.at(format_args!("{:?}", report.failed)))?;
        if !run.kind.is_lasting() {
            no_draft_is_left(place)
                .map_err(|failure| failure.at(format_args!("{:?}", report.failed)))?;
        }
        self.meet_recovery(place, run, &plan)
            .and_then(|()| self.verify(run.start, &plan))
            .map_err(|failure| failure.at(format_args!("{:?}", report.failed)))?;
        Ok(met)
    }

    /// Faults rarely occur once: opening the remaining files also meets the same kind of fault.
    fn meet_recovery(&self, place: &Place, run: &FaultRun, plan: &WriterPlan) -> Outcome {
        let journal = place.file("journal-again");
        let again = WriterPlan { journal, work: Work::Operations(0), ..plan.clone() };
        let nth = 1 + Random::part(run.seed, run.nth).below(OPENING_CALLS);
        let (ended, report) = self.open(place, "report-again", &again, &run.kind.settings(nth))?;
        judge(run, &ended, &report, &Record::read(&again.journal)?)
            .map_err(|failure| failure.at(format_args!("opening it again, {:?}", report.failed)))?;
        Ok(())
    }

    /// Runs a writer from the beginning, under the shim.
    fn write(
        &self,
        place: &Place,
        start: Start,
        plan: &WriterPlan,
        settings: &[(&'static str, OsString)],
    ) -> Outcome<(Ended, Report)> {
        match self.templates.get(&start) {
            Some(template) => place.restore(&template.place)?,
            None => place.clear()?,
        }
        self.open(place, "report", plan, settings)
    }

    /// Runs a writer on the existing database, under the shim.
    fn open(
        &self,
        place: &Place,
        report: &str,
        plan: &WriterPlan,
        settings: &[(&'static str, OsString)],
    ) -> Outcome<(Ended, Report)> {
        let report = place.file(report);
        let environment = self.shim.environment(&place.data(), &report, settings);
        let ended = Writer::start(&self.program, plan, &environment)?.wait()?;
        Ok((ended, Report::read(&report)?))
    }

    /// Opens what the writer left, without the shim.
    fn verify(&self, start: Start, plan: &WriterPlan) -> Outcome {
        let fresh = Baseline::default();
        let baseline = self.templates.get(&start).map_or(&fresh, |template| &template.baseline);
        let (database, journal) = (&plan.database, &plan.journal);
        baseline.verify(database, journal, &plan.workload, plan.is_relaxed).map(drop)
    }
}

/// Checks that a failed creation removes what it has created.
fn no_draft_is_left(place: &Place) -> Outcome {
    for entry in std::fs::read_dir(place.data())? {
        let name = entry?.file_name();
        ensure!(!name.to_string_lossy().contains(".creating-"), "{name:?} is left");
    }
    Ok(())
}

fn plan(place: &Place, start: Start, seed: u64, reads: Reads) -> WriterPlan {
    let (threads, body_bytes_max, operations) = match start {
        Start::Fresh | Start::Killed => (1 + seed % 3, SMALL_BODY_BYTES, 24),
        Start::Grown => (1, LARGE_BODY_BYTES, 80),
    };
    WriterPlan {
        database: place.database(),
        journal: place.file(&format!("journal-{seed}")),
        workload: Workload { seed, threads, body_bytes_max },
        work: Work::Operations(operations),
        reads,
        is_relaxed: false,
    }
}

/// Checks what the writer itself did: it must not panic, abort or hang, and must refuse only with a
/// reason.
fn judge(run: &FaultRun, ended: &Ended, report: &Report, record: &Record) -> Outcome<Met> {
    let errors = &ended.errors;
    ensure!(errors.is_empty(), "the writer complained: {errors}");
    let met = Met {
        is_hit: !report.failed.is_empty(),
        is_shut: ended.status.code() == Some(i32::from(NOT_BEGUN)),
        is_refused: record.count(Event::Refused(Refusal::Poisoned)) > 0
            || record.count(Event::Refused(Refusal::Unread)) > 0,
    };
    ensure!(ended.status.success() || met.is_shut, "the writer ended with {}", ended.status);
    let may_refuse = met.is_hit && !run.kind.is_harmless();
    ensure!(may_refuse || !met.is_shut, "opening was refused without a reason: {:?}", ended.lines);
    ensure!(may_refuse || !met.is_refused, "a write was refused without a reason");
    let is_stuck = ended.lines.iter().any(|line| line.starts_with(NOT_REOPENED));
    ensure!(run.kind.is_lasting() || !is_stuck, "the fault is gone, and yet {:?}", ended.lines);
    Ok(met)
}
