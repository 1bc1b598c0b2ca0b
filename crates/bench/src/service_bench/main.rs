//! `service-bench`: what a service costs beside the engine: the same rows read and written, once through
//! the service's routes and once by the engine's own requests.

mod engine;
mod measured;
mod service;
mod world;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use lexopt::prelude::{Long, Short, ValueExt as _};
use measured::{Figure, Slice};
use monotable::{Database, Options};
use monotable_bench::{Machine, Mode, Result, Scratch};
use world::{Act, World};

const USAGE: &str = "\
Usage: service-bench [FLAGS]

HackTracker's recordAtBat and boxscore through its routes, beside the engine's own requests for the
same rows.

  --quick            slices of 0.2 s
  --callers N        clients at the same time (64)
  --mode A,B         durable, memory (both)
  --seconds S        seconds of measurement a figure, in three slices (3)
  --dir DIR          where databases are made and removed again (.xtask/bench-data)
  --json             print JSON instead of a table
";

/// How many slices a figure is made of; the median one is reported.
const SLICES: u32 = 3;
/// How often an answer may take as long as the engine for the same rows.
const TIMES_MAX: f64 = 3.0;

struct Arguments {
    callers: usize,
    modes: Vec<Mode>,
    seconds: f64,
    directory: PathBuf,
    json: bool,
    help: bool,
}

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
    let mut figures = Vec::new();
    for &mode in &arguments.modes {
        figures.extend(measure(&arguments, mode)?);
    }
    let machine = Machine::describe(&arguments.directory);
    match arguments.json {
        true => measured::print_json(&machine, &figures),
        false => measured::print_table(&machine, &figures, TIMES_MAX),
    }
}

impl Arguments {
    fn parse() -> Result<Self> {
        let mut arguments = Self {
            callers: 64,
            modes: vec![Mode::Durable, Mode::Memory],
            seconds: 3.0,
            directory: PathBuf::from(".xtask/bench-data"),
            json: false,
            help: false,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => arguments.seconds = 0.6,
                Long("callers") => arguments.callers = parser.value()?.parse()?,
                Long("mode") => {
                    let words = parser.value()?.string()?;
                    arguments.modes =
                        words.split(',').map(str::parse).collect::<std::result::Result<_, _>>()?;
                }
                Long("seconds") => arguments.seconds = parser.value()?.parse()?,
                Long("dir") => arguments.directory = parser.value()?.into(),
                Long("json") => arguments.json = true,
                Long("help") | Short('h') => arguments.help = true,
                _ => return Err(argument.unexpected().into()),
            }
        }
        if arguments.callers == 0 || arguments.seconds <= 0.0 {
            return Err("--callers and --seconds must be more than 0".into());
        }
        Ok(arguments)
    }

    fn slice(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(SLICES))
    }
}

/// Both acts on both sides, in turn, because machines are never quiet.
fn measure(arguments: &Arguments, mode: Mode) -> Result<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let (database, _service_place) = database(arguments, mode, "service")?;
    eprintln!("making games, {mode}");
    let world = Arc::new(runtime.block_on(World::new(database, arguments.callers))?);
    let (copy, _engine_place) = self::database(arguments, mode, "engine")?;
    runtime.block_on(world.copy_to(&copy))?;
    let mut figures = Vec::new();
    for act in [Act::RecordAtBat, Act::BoxScore] {
        let mut service = Vec::new();
        let mut engine = Vec::new();
        for round in 0..SLICES {
            let games = world.games_of(round as usize, SLICES as usize);
            service.push(runtime.block_on(service::slice(
                &world,
                act,
                games,
                arguments.slice(),
            ))?);
            let slice = engine::slice(&world, &copy, act, games, arguments.slice());
            engine.push(runtime.block_on(slice)?);
        }
        for (side, slices) in [("service", service), ("engine", engine)] {
            let slice = median(slices).ok_or("no slice was measured")?;
            eprintln!("{mode} {} {side}: {slice}", act.name());
            figures.push(Figure { mode, act: act.name(), side, callers: world.callers(), slice });
        }
    }
    Ok(figures)
}

/// The slice in the middle by its 99th percentile.
fn median(mut slices: Vec<Slice>) -> Option<Slice> {
    slices.sort_by(|a, b| a.p99_us.total_cmp(&b.p99_us));
    let middle = slices.len() / 2;
    (!slices.is_empty()).then(|| slices.swap_remove(middle))
}

fn database(arguments: &Arguments, mode: Mode, name: &str) -> Result<(Database, Option<Scratch>)> {
    Ok(match mode {
        Mode::Memory => (Database::memory(), None),
        Mode::Durable => {
            let directory = Scratch::new(&arguments.directory, name)?;
            (Database::open(directory.path(), Options::default())?, Some(directory))
        }
    })
}
