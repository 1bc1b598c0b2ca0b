//! The program that the crash tests kill, and whose file calls the fault tests fail.

use std::process::ExitCode;

fn main() -> ExitCode {
    monotable_testkit::crash::writer::run(std::env::args_os().skip(1).collect())
}
