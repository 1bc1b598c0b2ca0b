//! `cargo xtask bench endpoint`: our server compared with others, all measured through HTTP by
//! `monotable bench`, in short slices that take turns, so that whatever else happens on the machine
//! happens to all of them.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use clap::{Parser, ValueEnum};

use crate::bench::http;
use crate::bench::server::{self, Mode, Server};
use crate::bench::slice::{self, Settings, Slices};
use crate::bench::table::{self, Column};
use crate::workspace::Workspace;

/// How often our server is started to see how long that takes; the median counts.
const STARTS: usize = 5;
/// With how many items of 1 KB our server is weighed.
const WEIGHED_ITEMS: u64 = 100_000;
const OPERATIONS: &str = "get,query,update,put,transaction,batch";

/// Compares our server with others through HTTP. The others must have been started, each on an empty
/// database.
#[derive(Parser)]
#[command(name = "cargo xtask bench endpoint", bin_name = "cargo xtask bench endpoint")]
struct Arguments {
    /// A server to compare with, in memory and durable; may be given several times.
    #[arg(long, value_name = "NAME=URL")]
    peer: Vec<Peer>,
    /// A server that keeps its data in memory; may be given several times.
    #[arg(long, value_name = "NAME=URL")]
    memory_peer: Vec<Peer>,
    /// A server that keeps its data in files; may be given several times.
    #[arg(long, value_name = "NAME=URL")]
    file_peer: Vec<Peer>,
    /// How our own server keeps its data.
    #[arg(long, value_name = "MODE", default_value = "both")]
    ours: Ours,
    /// What to measure, with commas between.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', default_value = OPERATIONS)]
    operations: Vec<String>,
    /// How long a slice is.
    #[arg(long, value_name = "N", default_value_t = 1.0)]
    seconds: f64,
    /// How many slices of each operation every server gets; the median counts.
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// How many connections are kept busy.
    #[arg(long, value_name = "N", default_value_t = 32)]
    connections: usize,
    /// How many items of 1 KB the table has before it is measured.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    items: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Ours {
    Memory,
    Durable,
    Both,
}

/// A server that somebody else has started.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Peer {
    name: String,
    url: String,
}

impl std::str::FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, url)) if !name.is_empty() && url.starts_with("http://") => {
                Ok(Self { name: name.to_owned(), url: url.trim_end_matches('/').to_owned() })
            }
            _ => Err("a server is given as NAME=http://host:port".to_owned()),
        }
    }
}

/// Builds, starts, measures and prints.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let name = "endpoint".to_owned();
    let arguments = Arguments::parse_from(std::iter::once(&name).chain(arguments));
    let program = server::build(workspace)?;
    // Next to the program, on the same disk: git and cargo ignore it.
    let target = program.parent().context("the program has no folder")?;
    let directory = target.join(format!("bench-endpoint-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let result = Mode::ALL
        .into_iter()
        .filter(|mode| arguments.includes(*mode))
        .try_for_each(|mode| compare(&program, &directory, mode, &arguments));
    fs::remove_dir_all(&directory)?;
    result
}

impl Arguments {
    fn includes(&self, mode: Mode) -> bool {
        match self.ours {
            Ours::Memory => mode == Mode::Memory,
            Ours::Durable => mode == Mode::Durable,
            Ours::Both => true,
        }
    }

    fn peers(&self, mode: Mode) -> impl Iterator<Item = &Peer> {
        let of_mode = match mode {
            Mode::Memory => &self.memory_peer,
            Mode::Durable => &self.file_peer,
        };
        self.peer.iter().chain(of_mode)
    }
}

fn compare(program: &Path, directory: &Path, mode: Mode, arguments: &Arguments) -> Result<()> {
    let Arguments { connections, items, rounds, seconds, operations, .. } = arguments;
    println!(
        "\n{}: {connections} connections, {rounds} slices of {seconds} s, {items} items of 1 KB\n",
        mode.name()
    );
    let ours = Server::start(program, mode, directory)?;
    let mut contenders = vec![Peer { name: "monotable".to_owned(), url: ours.url() }];
    contenders.extend(arguments.peers(mode).cloned());
    let table = format!("monotable-bench-xtask-{}-{}", std::process::id(), mode.name());
    let settings = Settings { program, table: &table, connections: *connections, items: *items };
    let result = measure(&settings, &contenders, arguments);
    for Peer { url, .. } in &contenders {
        let body = format!("{{\"TableName\":\"{table}\"}}");
        let address = url.trim_start_matches("http://");
        // A peer that has gone away has been reported; its table can't be deleted.
        let _ = http::post(address, "DeleteTable", &body);
    }
    print!("{}", table::render(operations, &result?));
    drop(ours);
    weigh(program, directory, mode, *connections)
}

/// Returns every contender gets a slice of an operation before any gets the next one.
fn measure(
    settings: &Settings<'_>,
    contenders: &[Peer],
    arguments: &Arguments,
) -> Result<Vec<Column>> {
    let Arguments { operations, rounds, seconds, .. } = arguments;
    let empty = || vec![Slices::default(); operations.len()];
    let mut columns: Vec<Column> = contenders
        .iter()
        .map(|Peer { name, .. }| Column { name: name.clone(), slices: empty() })
        .collect();
    for Peer { name, url } in contenders {
        eprintln!("filling {name}");
        slice::measure(settings, url, "get", *seconds)?;
    }
    for (place, operation) in operations.iter().enumerate() {
        for round in 0..*rounds {
            eprintln!("{operation}: slice {} of {rounds}", round + 1);
            for turn in 0..contenders.len() {
                // Nobody always comes first.
                let contender = (turn + round) % contenders.len();
                let Peer { name, url } = &contenders[contender];
                match slice::measure(settings, url, operation, *seconds) {
                    Ok(slice) => columns[contender].slices[place].push(slice),
                    // Ours must do everything; others are known to lack an operation.
                    Err(error) if contender == 0 => return Err(error),
                    Err(error) => eprintln!("{name} gets no figure: {error:#}"),
                }
            }
        }
    }
    Ok(columns)
}

/// What our server needs before anybody asks it for anything, and with items in it.
fn weigh(program: &Path, directory: &Path, mode: Mode, connections: usize) -> Result<()> {
    let mut starts = Vec::new();
    for _ in 0..STARTS {
        starts.push(Server::start(program, mode, directory)?.first_answer);
    }
    starts.sort();
    let server = Server::start(program, mode, directory)?;
    let idle_bytes = server.resident_bytes()?;
    let table = "monotable-bench-xtask-weight";
    let settings = Settings { program, table, connections, items: WEIGHED_ITEMS };
    slice::measure(&settings, &server.url(), "get", 0.1)?;
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "\nmonotable, {}: first answer {:.1} ms after the start, {:.1} MB resident when idle, \
         {:.1} MB with {WEIGHED_ITEMS} items of 1 KB",
        mode.name(),
        starts[STARTS / 2].as_secs_f64() * 1e3,
        megabytes(idle_bytes),
        megabytes(server.resident_bytes()?),
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peers_are_names_with_urls() {
        let peer: Peer = "dynoxide=http://127.0.0.1:8811/".parse().unwrap();
        assert_eq!((peer.name.as_str(), peer.url.as_str()), ("dynoxide", "http://127.0.0.1:8811"));
        for text in ["dynoxide", "=http://127.0.0.1:8811", "dynoxide=127.0.0.1:8811"] {
            assert!(text.parse::<Peer>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_mode_has_its_peers_and_those_of_both() {
        let line = "endpoint --peer a=http://a --memory-peer b=http://b --file-peer c=http://c";
        let arguments = Arguments::parse_from(line.split(' '));
        let names =
            |mode| -> Vec<&str> { arguments.peers(mode).map(|peer| peer.name.as_str()).collect() };
        assert_eq!(names(Mode::Memory), ["a", "b"]);
        assert_eq!(names(Mode::Durable), ["a", "c"]);
        assert_eq!(arguments.operations.len(), 6);
    }
}
