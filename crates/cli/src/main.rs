//! The `monotable` command.

mod access_log;
mod alarms;
mod archive;
mod backup;
mod backup_status;
mod bench;
mod bucket_place;
mod check;
#[cfg(not(feature = "cloud"))]
#[path = "no_cloud.rs"]
mod cloud;
#[cfg(feature = "cloud")]
mod cloud;
mod completions;
mod copy;
mod database;
mod duration;
mod endpoint_call;
mod export;
mod faults;
mod identity;
mod import;
mod logging;
mod mask;
mod moment;
mod permissions;
mod program_metrics;
mod progress;
mod restore;
mod seed;
mod serve;
mod services;
mod settings;
mod start_page;
mod targets;
mod token;
mod undelete;

use clap::{CommandFactory as _, Parser, Subcommand};

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
    /// Serve DynamoDB's API and, optionally, the services
    Serve(Box<serve::Arguments>),
    /// Measure a DynamoDB endpoint over HTTP or HTTPS: requests per second and latencies
    Bench(bench::Arguments),
    /// Sign a token for a user of the services
    Token(token::Arguments),
    /// Report whether a database directory, a backup or an export is intact, intact after recovery,
    /// or damaged; changes nothing
    Check(check::Arguments),
    /// Back up all tables of a database directory at one instant
    Backup(backup::Arguments),
    /// Restore a backup into a new database directory
    Restore(restore::Arguments),
    /// Put items of one partition back into a table as they were at a time
    Undelete(undelete::Arguments),
    /// Write the items of a table into files in AWS's format
    Export(export::Arguments),
    /// Read items from files into a table
    Import(import::Arguments),
    /// Export old items of a table, verify the export, and remove them
    Archive(archive::Arguments),
    /// Create the tables and items that a database begins with
    Seed(seed::Arguments),
    /// Copy tables from one store to another, such as from a directory to DynamoDB
    Copy(copy::Arguments),
    /// Copy a table with other values in place of personal data, for tests and development
    Mask(mask::Arguments),
    /// Show what stores lack for the services, what access patterns cost there, and IAM policies
    Targets(targets::Arguments),
    /// Print a script that completes this command in a shell
    Completions(completions::Arguments),
}

fn main() -> std::process::ExitCode {
    let given = std::env::args_os().collect();
    let completed = match settings::completed(&Cli::command(), given, &settings::variables()) {
        Ok(completed) => completed,
        Err(error) => {
            eprintln!("error: {error:#}");
            return std::process::ExitCode::FAILURE;
        }
    };
    let result = match Cli::parse_from(completed).command {
        Command::Serve(arguments) => serve::run(*arguments),
        Command::Bench(arguments) => bench::run(arguments),
        Command::Token(arguments) => token::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Backup(arguments) => backup::run(&arguments),
        Command::Restore(arguments) => restore::run(&arguments),
        Command::Undelete(arguments) => undelete::run(&arguments),
        Command::Export(arguments) => export::run(&arguments),
        Command::Import(arguments) => import::run(&arguments),
        Command::Archive(arguments) => archive::run(&arguments),
        Command::Seed(arguments) => seed::run(&arguments),
        Command::Copy(arguments) => copy::run(&arguments),
        Command::Mask(arguments) => mask::run(&arguments),
        Command::Targets(arguments) => targets::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
    };
    match result {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            logging::report_end(&error);
            std::process::ExitCode::FAILURE
        }
    }
}
