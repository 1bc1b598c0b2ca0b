//! What `engine-bench` does in processes of its own: a fresh one shows what a database costs, and one
//! can be killed. Each prints its measures as a line of JSON.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use monotable_bench::{
    Measure, Result, Slicing, Subject, Table, Workload, disk_bytes, load, resident_bytes,
    run_slice, sample, settle,
};
use monotable_engine::{Database, Options};

use crate::engine::{Engine, NAME, create_table};

/// Callers of the process that is killed.
const WRITERS: usize = 64;

/// Starts this program again.
pub(crate) fn spawn(words: &[&str]) -> Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    Ok(command.arg("child").args(words).stdout(Stdio::piped()).spawn()?)
}

/// Starts this program again and waits for its measures.
pub(crate) fn measures(words: &[&str]) -> Result<Vec<Measure>> {
    let output = spawn(words)?.wait_with_output()?;
    if !output.status.success() {
        return Err(format!("'{}' failed: {}", words.join(" "), output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The started program's side.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let measures = match words {
        ["fill", directory, items] => fill(Path::new(directory), items.parse()?)?,
        ["open", directory, items] => open(Path::new(directory), items.parse()?)?,
        ["write", directory, items, next] => {
            return write(Path::new(directory), items.parse()?, next.parse()?);
        }
        ["work", directory, items] => work(Path::new(directory), items.parse()?)?,
        ["memory", items] => memory(items.parse()?)?,
        _ => return Err("this command is for engine-bench itself".into()),
    };
    println!("{}", serde_json::to_string(&measures)?);
    Ok(())
}

fn open_database(directory: &Path) -> Result<Database> {
    Ok(Database::open(directory, Options::default())?)
}

/// Makes a database and closes it.
fn fill(directory: &Path, items: u64) -> Result<Vec<Measure>> {
    let database = open_database(directory)?;
    let empty_bytes = resident_bytes()?;
    database.create_table(create_table()?)?;
    let engine = Engine::with_table(database);
    load(&engine, NAME, items)?;
    let loaded = Measure::bytes(format!("resident after loading {items} items"), resident_bytes()?);
    let on_disk_bytes = disk_bytes(directory)?;
    let start = Instant::now();
    drop(engine);
    let close_ms = start.elapsed().as_secs_f64() * 1e3;
    let item_bytes = items as f64 * sample::ITEM_BYTES as f64;
    Ok(vec![
        Measure::bytes("resident with an empty database on disk", empty_bytes),
        loaded,
        Measure::new("clean close", close_ms, "ms"),
        Measure::new("disk bytes an item byte, while open", on_disk_bytes as f64 / item_bytes, ""),
        Measure::new(
            "disk bytes an item byte, after closing",
            disk_bytes(directory)? as f64 / item_bytes,
            "",
        ),
    ])
}

/// Opens a database and reads an item.
fn open(directory: &Path, items: u64) -> Result<Vec<Measure>> {
    let start = Instant::now();
    let engine = Engine::with_table(open_database(directory)?);
    let open_ms = start.elapsed().as_secs_f64() * 1e3;
    let request = engine.prepare(Workload::Get, items / 2);
    if engine.perform(Workload::Get, request)? != 1 {
        return Err("an item that was loaded is gone".into());
    }
    let first_get_ms = start.elapsed().as_secs_f64() * 1e3;
    let resident = Measure::bytes("resident after opening", resident_bytes()?);
    Ok(vec![
        Measure::new("open", open_ms, "ms"),
        Measure::new("open and first get", first_get_ms, "ms"),
        resident,
    ])
}

/// Puts new items until it is killed.
fn write(directory: &Path, items: u64, next: u64) -> Result<()> {
    let engine = Engine::with_table(open_database(directory)?);
    let table = Table::growing(items, next);
    // Tells its parent that writing has begun.
    fs::write(directory.with_extension("writing"), [])?;
    let duration = Duration::from_secs(600);
    let slicing = Slicing { workload: Workload::Put, callers: WRITERS, duration, seed: 1 };
    run_slice(&engine, &table, slicing)?;
    Err("the writer should have been killed".into())
}

/// Opens a database, and uses it for a while.
fn work(directory: &Path, items: u64) -> Result<Vec<Measure>> {
    let engine = Engine::with_table(open_database(directory)?);
    settle(Duration::from_secs(10));
    let mut measures = vec![Measure::bytes("resident idle after opening", resident_bytes()?)];
    let table = Table::growing(items, items);
    for workload in [Workload::Get, Workload::Query, Workload::QueryIndex, Workload::Put] {
        let duration = Duration::from_secs(5);
        run_slice(&engine, &table, Slicing { workload, callers: 8, duration, seed: 1 })?;
        let name = format!("resident after 5 s of {}", workload.name());
        measures.push(Measure::bytes(name, resident_bytes()?));
    }
    Ok(measures)
}

/// Makes a database in memory.
fn memory(items: u64) -> Result<Vec<Measure>> {
    let idle_bytes = resident_bytes()?;
    let start = Instant::now();
    let database = Database::memory();
    let open_us = start.elapsed().as_secs_f64() * 1e6;
    drop(database);
    let engine = Engine::memory(items)?;
    let grown_bytes = resident_bytes()?.saturating_sub(idle_bytes);
    drop(engine);
    let item_bytes = items as f64 * sample::ITEM_BYTES as f64;
    Ok(vec![
        Measure::new("open an empty database in memory", open_us, "µs"),
        Measure::bytes("resident before any database", idle_bytes),
        Measure::bytes(format!("memory mode: resident for {items} items"), grown_bytes),
        Measure::new(
            "memory mode: resident bytes an item byte",
            grown_bytes as f64 / item_bytes,
            "",
        ),
    ])
}
