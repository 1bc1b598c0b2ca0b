//! `model-bench`: compares operations through the modelling layer with the same ones written by
//! hand.

mod by_hand;
mod model;
mod player;

use std::process::ExitCode;

use by_hand::ByHand;
use model::Model;
use monotable::{Database, Options};
use monotable_bench::{
    Arguments, Contender, FLAGS, Local, Mode, Result, Scratch, Subject, print_table, run,
};

/// The core that a thread runs on affects results more than the work itself, for seconds at a time:
/// the median of several slices is the typical result.
const SLICES: u32 = 11;

const USAGE: &str = "\
Usage: model-bench [FLAGS]

Every workload through the typed model, beside the same operation written by hand on the engine.

";

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("model-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let mut arguments = Arguments::parse()?;
    arguments.slices.get_or_insert(SLICES);
    if arguments.help {
        print!("{USAGE}{FLAGS}");
        return Ok(());
    }
    let figures = run(&arguments, |mode, items| {
        Ok(vec![
            contender(&arguments, model::NAME, mode, items, Model::filled)?,
            contender(&arguments, by_hand::NAME, mode, items, ByHand::filled)?,
        ])
    })?;
    if arguments.json {
        return figures.print_json();
    }
    print_table(&figures);
    Ok(())
}

/// Returns a subject on a new database, in memory or below the directory of the arguments.
fn contender<S: Subject + 'static>(
    arguments: &Arguments,
    name: &'static str,
    mode: Mode,
    items: u64,
    fill: fn(Database, Option<Scratch>, u64) -> Result<S>,
) -> Result<Box<dyn Contender>> {
    let parent = arguments.directory.clone();
    Ok(Box::new(Local::new(name, items, move |items| match mode {
        Mode::Memory => fill(Database::memory(), None, items),
        Mode::Durable => {
            let directory = Scratch::new(&parent, name)?;
            let database = Database::open(directory.path(), Options::default())?;
            fill(database, Some(directory), items)
        }
    })?))
}
