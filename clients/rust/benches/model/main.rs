//! Operations through the modelling layer on its `Dynamo` backend, beside the same ones written by hand
//! with AWS's SDK; both over HTTP against one endpoint, in slices that take turns.
//!
//! `cargo xtask bench model --only http` builds it, starts the endpoint and reads the figures.

mod by_hand;
mod connection;
mod model;
// The entity is the one that is measured in the same process.
#[path = "../../../../crates/bench/src/model_bench/player.rs"]
mod player;

use std::process::ExitCode;

use monotable_bench::{Arguments, Contender, FLAGS, Local, Result, Workload, print_table, run};

use crate::by_hand::ByHand;
use crate::connection::Connection;
use crate::model::Model;
use crate::player::Player;

/// The mood of a shared machine changes within a second, and a round trip is mostly waiting for threads
/// to run: turns as short as these meet the same one.
const SLICES: u32 = 51;

const USAGE: &str = "\
Usage: model URL [FLAGS]

Every workload through the typed model, beside the same operation written by hand with AWS's SDK,
on the endpoint at URL. `--mode` and `--dir` are the server's affair and change nothing here.

";

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("model: {error}");
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
    let [url] = arguments.words.as_slice() else {
        return Err("the endpoint is missing: give its URL".into());
    };
    let figures = run(&arguments, |_, items| {
        // One client for both: whose connection is served by which thread would be measured, too.
        let connection = Connection::new(url)?;
        let second = connection.clone();
        let model = move |items| Model::filled(&connection, items);
        let by_hand = move |items| ByHand::filled(&second, items);
        let contenders: Vec<Box<dyn Contender>> = vec![
            Box::new(Local::new(model::NAME, items, model)?),
            Box::new(Local::new(by_hand::NAME, items, by_hand)?),
        ];
        Ok(contenders)
    })?;
    if arguments.json {
        return figures.print_json();
    }
    print_table(&figures);
    Ok(())
}

/// The new players that a call writes.
fn players_to_write(workload: Workload, first: u64) -> Vec<Player> {
    match workload {
        Workload::Put | Workload::Transaction | Workload::Batch => {
            (first..first + workload.items()).map(Player::numbered).collect()
        }
        _ => Vec::new(),
    }
}
