//! `engine-bench`: compares the engine with the bare store, in one run.

mod bare;
mod child;
mod durability;
mod engine;
mod targets;

use std::path::Path;
use std::process::ExitCode;

use bare::Layout;
use bare::disk::BareDisk;
use bare::memory::BareMemory;
use engine::Engine;
use monotable_bench::peer::Peer;
use monotable_bench::{
    Arguments, Contender, FLAGS, Figures, Local, Mode, Result, load, print_table, run,
};

const USAGE: &str = "\
Usage: engine-bench [COMMAND] [FLAGS]

Without a command: every workload on the engine beside the bare store, and beside a peer.
  alone              the engine only, for a profiler
  index-rows         the bare store with key-only index rows beside full ones
  open               time to open after a clean close and after kill -9
  space              bytes on disk for each byte of item, and resident memory
  stall              the longest put of a long run with 64 callers

";

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("engine-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let arguments = Arguments::parse()?;
    if arguments.help {
        print!("{USAGE}{FLAGS}");
        return Ok(());
    }
    match &arguments.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => race(&arguments, contenders),
        ["alone"] => race(&arguments, alone),
        ["index-rows"] => race(&arguments, index_rows),
        ["open"] => durability::open(&arguments),
        ["space"] => durability::space(&arguments),
        ["stall"] => durability::stall(&arguments),
        ["child", words @ ..] => child::run(words),
        words => Err(format!("'{}' is not a command; see --help", words.join(" ")).into()),
    }
}

type Make = fn(&Arguments, Mode, u64) -> Result<Vec<Box<dyn Contender>>>;

/// Measures contenders in turn and prints their figures side by side.
fn race(arguments: &Arguments, make: Make) -> Result<()> {
    let mut figures = run(arguments, |mode, items| make(arguments, mode, items))?;
    if let Some(path) = &arguments.against {
        figures.figures.extend(Figures::read(path)?.figures);
    }
    if arguments.json {
        return figures.print_json();
    }
    print_table(&figures);
    targets::print(&figures);
    Ok(())
}

/// Returns only the engine.
fn alone(arguments: &Arguments, mode: Mode, items: u64) -> Result<Vec<Box<dyn Contender>>> {
    let parent = arguments.directory.clone();
    Ok(vec![match mode {
        Mode::Durable => {
            Box::new(Local::new(engine::NAME, items, move |items| Engine::disk(&parent, items))?)
        }
        Mode::Memory => Box::new(Local::new(engine::NAME, items, Engine::memory)?),
    }])
}

/// Returns the engine, the bare store, and a peer if there is one.
fn contenders(arguments: &Arguments, mode: Mode, items: u64) -> Result<Vec<Box<dyn Contender>>> {
    let mut contenders = alone(arguments, mode, items)?;
    contenders.push(match mode {
        Mode::Durable => bare_disk(&arguments.directory, Layout::Keys, "bare", items)?,
        Mode::Memory => Box::new(Local::new("bare", items, |items| {
            let store = BareMemory::default();
            load(&store, "bare", items)?;
            Ok(store)
        })?),
    });
    if let Some(binary) = &arguments.peer {
        contenders.push(Box::new(Peer::spawn(binary, mode, items, &arguments.directory)?));
    }
    Ok(contenders)
}

/// Returns the two ways to write index rows, on the bare store on disk.
fn index_rows(arguments: &Arguments, mode: Mode, items: u64) -> Result<Vec<Box<dyn Contender>>> {
    match mode {
        Mode::Durable => Ok(vec![
            bare_disk(&arguments.directory, Layout::Keys, "keys", items)?,
            bare_disk(&arguments.directory, Layout::Full, "full", items)?,
        ]),
        Mode::Memory => Err("index rows are compared on disk: --mode durable".into()),
    }
}

fn bare_disk(
    parent: &Path,
    layout: Layout,
    name: &'static str,
    items: u64,
) -> Result<Box<dyn Contender>> {
    let parent = parent.to_owned();
    Ok(Box::new(Local::new(name, items, move |items| {
        let store = BareDisk::create(&parent, layout, name)?;
        load(&store, name, items)?;
        Ok(store)
    })?))
}
