//! `cargo xtask bench model`: what the modelling layer costs. In the same process and over HTTP it is
//! compared with the same operations written by hand, and at compile time with plain structs.

mod compile;
mod figures;
mod programs;

use anyhow::Result;
use clap::{Parser, ValueEnum};
use serde_json::{Map, Value};

use crate::bench::model::figures::Report;
use crate::workspace::Workspace;

/// `get` and `query` decode here, because a model always does.
const WORKLOADS: &str = "get,query,query-index,update,put,transaction,batch";
/// How much time an operation may take, as a multiple of the one written by hand.
const EMBEDDED_TIMES_MAX: f64 = 1.15;
const HTTP_TIMES_MAX: f64 = 1.05;

/// What the modelling layer costs.
#[derive(Parser)]
#[command(name = "cargo xtask bench model", bin_name = "cargo xtask bench model")]
struct Arguments {
    /// Which parts, with commas between.
    #[arg(
        long,
        value_name = "PARTS",
        value_delimiter = ',',
        default_value = "embedded,http,compile"
    )]
    only: Vec<Part>,
    /// In memory, one caller, slices of 0.2 s.
    #[arg(long)]
    quick: bool,
    /// What to measure in the same process and over HTTP, with commas between.
    #[arg(long, value_name = "NAMES", default_value = WORKLOADS)]
    workloads: String,
    /// How many threads call at the same time, with commas between [default: 1,8].
    #[arg(long, value_name = "N,M")]
    callers: Option<String>,
    /// How many items the table has before it is measured, in ten thousands.
    #[arg(long, value_name = "N,M", default_value = "10000")]
    items: String,
    /// How the database in the same process keeps its data: durable, memory [default: both].
    #[arg(long, value_name = "A,B")]
    mode: Option<String>,
    /// Seconds of measurement a figure, cut into three or more slices [default: 3].
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    /// On the engine in the same process.
    Embedded,
    /// With AWS's SDK on our own endpoint.
    Http,
    /// `cargo check` of a large design.
    Compile,
}

/// Measures the parts asked for, one after the other, and prints each as soon as it is done.
pub(crate) fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let name = "model".to_owned();
    let arguments = Arguments::parse_from(std::iter::once(&name).chain(arguments));
    let mut all = Map::new();
    for part in &arguments.only {
        let (key, json, text) = match part {
            Part::Embedded => {
                let json = programs::embedded(workspace, &arguments.flags(Part::Embedded))?;
                let text = Report::read(&json)?.render(EMBEDDED_TIMES_MAX);
                ("embedded", json, format!("In the same process\n\n{text}"))
            }
            Part::Http => {
                let json = programs::http(workspace, &arguments.flags(Part::Http))?;
                let text = Report::read(&json)?.render(HTTP_TIMES_MAX);
                ("http", json, format!("With AWS's SDK over HTTP\n\n{text}"))
            }
            Part::Compile => {
                let checks = compile::measure(workspace)?;
                ("compile", serde_json::to_value(&checks)?, checks.render())
            }
        };
        if !arguments.json {
            println!("\n{text}");
        }
        all.insert(key.to_owned(), json);
    }
    if arguments.json {
        println!("{:#}", Value::Object(all));
    }
    Ok(())
}

impl Arguments {
    /// Returns the flags of the program that measures a part.
    fn flags(&self, part: Part) -> Vec<String> {
        let (modes, callers, seconds) =
            if self.quick { ("memory", "1", 0.6) } else { ("memory,durable", "1,8", 3.0) };
        let modes = match part {
            Part::Http => "memory",
            Part::Embedded | Part::Compile => self.mode.as_deref().unwrap_or(modes),
        };
        let callers = self.callers.as_deref().unwrap_or(callers);
        let seconds = self.seconds.unwrap_or(seconds).to_string();
        let flags = [
            ("--only", self.workloads.as_str()),
            ("--items", &self.items),
            ("--callers", callers),
            ("--mode", modes),
            ("--seconds", &seconds),
        ];
        let flags = flags.iter().flat_map(|(flag, value)| [*flag, *value]);
        flags.chain(["--json"]).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(line: &str, part: Part) -> String {
        Arguments::parse_from(line.split(' ')).flags(part).join(" ")
    }

    #[test]
    fn every_part_is_measured_unless_told_otherwise() {
        let all = Arguments::parse_from(["model"]).only;
        assert_eq!(all, [Part::Embedded, Part::Http, Part::Compile]);
        let some = Arguments::parse_from(["model", "--only", "compile,http"]).only;
        assert_eq!(some, [Part::Compile, Part::Http]);
    }

    #[test]
    fn quick_is_short_and_gives_way_to_what_is_said() {
        assert_eq!(
            flags("model --quick --callers 4 --workloads get", Part::Embedded),
            "--only get --items 10000 --callers 4 --mode memory --seconds 0.6 --json"
        );
        assert_eq!(
            flags("model --workloads get,put --mode durable", Part::Http),
            "--only get,put --items 10000 --callers 1,8 --mode memory --seconds 3 --json"
        );
    }
}
