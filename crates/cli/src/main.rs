//! The `monotable` command.

mod bench;
mod check;
mod completions;
mod demo;
mod duration;
mod faults;
mod identity;
mod permissions;
mod serve;
mod services;
mod start_page;
mod token;

use clap::{Parser, Subcommand};

/// The version and, if it is known, the commit.
const VERSION: &str = env!("MONOTABLE_VERSION");

/// A DynamoDB-compatible database on one machine: serve it, check it, measure it, and sign tokens for
/// the services on it.
#[derive(Parser)]
#[command(name = "monotable", version = VERSION)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve DynamoDB's API and, if asked to, the services
    Serve(Box<serve::Arguments>),
    /// Measure a DynamoDB endpoint over HTTP: requests per second and latencies
    Bench(bench::Arguments),
    /// Sign a token for a user of the services
    Token(token::Arguments),
    /// Report whether a database directory is whole, whole after recovery, or damaged; changes nothing
    Check(check::Arguments),
    /// Print a script that completes this command in a shell
    Completions(completions::Arguments),
}

fn main() -> std::process::ExitCode {
    let result = match Cli::parse().command {
        Command::Serve(arguments) => serve::run(*arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Token(arguments) => token::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            std::process::ExitCode::FAILURE
        }
    }
}
