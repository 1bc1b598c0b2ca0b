//! `service-bench`: measures the cost of a service in comparison with the engine: the same rows are
//! read and written, once through the service's routes and once by the engine's own requests.

mod arguments;
mod btl_run;
mod clients;
mod codekurukshetra;
mod cost;
mod hacktracker;
mod measured;
mod memory;
mod recorded;
mod scavenger_hunt;
mod subject;
mod three_fc;

use std::process::ExitCode;

use arguments::{Arguments, Service};
use btl_run::BtlRun;
use clients::Limit;
use codekurukshetra::CodeKurukshetra;
use hacktracker::HackTracker;
use measured::{Alone, Figure, median};
use monotable_bench::{Machine, Mode, Result};
use scavenger_hunt::ScavengerHunt;
use subject::{DatabaseLocation, Subject};
use three_fc::ThreeFc;

const USAGE: &str = "\
Usage: service-bench [FLAGS]

Services through their routes, beside the engine's own requests for the same rows: HackTracker's
recordAtBat and boxscore; btl.run's advance (turns resolved) and submitAction; 3FC's recordGoal and the
page of a game, and without other clients the standings of 500 games and a game with 1,000 spectators;
CodeKurukshetra's registration and the webhooks of a payment, and without other clients one payment that
is reported 64 times at once and an export of 10,000 participants or more; ScavengerHunt's positions and
scans of 500 players, while some write to characters, and without other clients a game of 100 teams and 100
levels that is set up and the dashboard of one with 100,000 positions.

  --backend dynamodb requests and units of an operation, instead of its time
  --quick            slices of 0.2 s
  --only A,B         hacktracker, btl-run, three-fc, codekurukshetra, scavenger-hunt (all)
  --callers N        clients at the same time (64)
  --mode A,B         durable, memory (both)
  --seconds S        seconds of measurement a figure, in three slices (3)
  --dir DIR          where databases are made and removed again (.xtask/bench-data)
  --json             print JSON instead of a table
";

/// How many slices a figure is made of; the median one is reported.
const SLICES: u32 = 3;
/// The highest accepted ratio of the latency of a service to that of the engine for the same rows.
const TIMES_MAX: f64 = 3.0;

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("service-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let arguments = Arguments::parse()?;
    if arguments.help {
        print!("{USAGE}");
        return Ok(());
    }
    std::fs::create_dir_all(&arguments.directory)?;
    if arguments.counts_units {
        return cost::run(&arguments);
    }
    let (mut figures, mut alone) = (Vec::new(), Vec::new());
    for service in &arguments.services {
        for &mode in &arguments.modes {
            let measured = match service {
                Service::HackTracker => measure::<HackTracker>(&arguments, mode)?,
                Service::BtlRun => measure::<BtlRun>(&arguments, mode)?,
                Service::ThreeFc => measure::<ThreeFc>(&arguments, mode)?,
                Service::CodeKurukshetra => measure::<CodeKurukshetra>(&arguments, mode)?,
                Service::ScavengerHunt => measure::<ScavengerHunt>(&arguments, mode)?,
            };
            figures.extend(measured.0);
            alone.extend(measured.1);
        }
    }
    let machine = Machine::describe(&arguments.directory);
    if arguments.json {
        measured::print_json(&machine, &figures, &alone)
    } else {
        measured::print_table(&machine, &figures, &alone, TIMES_MAX)
    }
}

/// Measures all operations of a service on both sides, alternately, because machines are never idle.
fn measure<S: Subject>(arguments: &Arguments, mode: Mode) -> Result<(Vec<Figure>, Vec<Alone>)> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (service, callers) = (S::NAME, arguments.callers);
    let limit = Limit { duration: arguments.slice(), calls_max: u64::MAX };
    eprintln!("preparing {service}, {mode}");
    let location = DatabaseLocation { mode, directory: &arguments.directory };
    let subject = runtime.block_on(S::prepare(location, callers, SLICES as usize))?;
    let mut figures = Vec::new();
    for &act in S::ACTS {
        let (mut by_service, mut by_engine) = (Vec::new(), Vec::new());
        for round in 0..SLICES as usize {
            by_service.push(runtime.block_on(subject.service_slice(act, round, limit))?);
            by_engine.push(runtime.block_on(subject.engine_slice(act, round, limit))?);
        }
        for (side, slices) in [("service", by_service), ("engine", by_engine)] {
            let slice = median(slices).ok_or("no slice was measured")?;
            let act = S::act_name(act);
            eprintln!("{service} {mode} {act} {side}: {slice}");
            figures.push(Figure { service, mode, act, side, callers, slice });
        }
    }
    let mut alone = runtime.block_on(subject.alone())?;
    for one in &mut alone {
        one.act = format!("{service} {mode}, {}", one.act);
        eprintln!("{}: {}", one.act, one.measured);
    }
    Ok((figures, alone))
}
