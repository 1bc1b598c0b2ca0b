//! The `monotable` command.

mod bench;
mod check;
mod demo;
mod faults;
mod serve;

use clap::{Parser, Subcommand};

/// Single-table designs that compile, on one machine or on DynamoDB.
#[derive(Parser)]
#[command(name = "monotable", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer DynamoDB's API on a port
    Serve(serve::Arguments),
    /// Measure any DynamoDB endpoint: requests per second and latencies
    Bench(bench::Arguments),
    /// Prove that a database directory is whole: checksums, indexes, counts
    Check(check::Arguments),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Check(arguments) => check::run(&arguments),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
