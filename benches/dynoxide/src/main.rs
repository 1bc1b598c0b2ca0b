//! The workloads of `engine-bench` on dynoxide, through its embedded Rust API.
//!
//! Alone it prints its figures like `engine-bench`; as `serve MODE ITEMS DIRECTORY` it is the peer
//! that `engine-bench --peer` measures in turn with the engine.
//!
//! Its sync policy: dynoxide sets `journal_mode = WAL` and leaves `synchronous` alone, which in the
//! SQLite it bundles is FULL, so every commit ends with a sync of the log, as with our durability
//! `full`. Loading uses its bulk mode (`synchronous = OFF`) and then opens the file anew: its own
//! `disable_bulk_loading` would leave `synchronous = NORMAL`, which does not sync at commit.

mod subject;

use std::path::Path;
use std::process::ExitCode;

use monotable_bench::{
    Arguments, Contender, FLAGS, Figures, Local, Mode, Result, peer, print_table, run,
};
use subject::Dynoxide;

const NAME: &str = "dynoxide";

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dynoxide-bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> Result<()> {
    let arguments = Arguments::parse()?;
    if arguments.help {
        print!(
            "Usage: dynoxide-bench [FLAGS]\n       dynoxide-bench serve MODE ITEMS DIR\n\n{FLAGS}"
        );
        return Ok(());
    }
    match &arguments.words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {}
        ["serve", mode, items, directory] => {
            let mut contender = contender(mode.parse()?, items.parse()?, Path::new(directory))?;
            return peer::serve(&mut *contender);
        }
        words => return Err(format!("'{}' is no command", words.join(" ")).into()),
    }
    let mut figures =
        run(&arguments, |mode, items| Ok(vec![contender(mode, items, &arguments.directory)?]))?;
    if let Some(path) = &arguments.against {
        figures.figures.extend(Figures::read(path)?.figures);
    }
    if arguments.json {
        return figures.print_json();
    }
    print_table(&figures);
    Ok(())
}

fn contender(mode: Mode, items: u64, directory: &Path) -> Result<Box<dyn Contender>> {
    let directory = directory.to_owned();
    let load = move |items| Dynoxide::load(mode, items, &directory);
    Ok(Box::new(Local::new(NAME, items, load)?))
}
