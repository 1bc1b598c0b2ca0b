//! The `monotable` command.

mod bench;
mod check;
mod demo;
mod faults;
mod identity;
mod narrator;
mod serve;
mod services;
mod token;

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
    /// Sign a token for a user of the services
    Token(token::Arguments),
    /// Prove that a database directory is whole: checksums, indexes, counts
    Check(check::Arguments),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Token(arguments) => token::run(&arguments),
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
