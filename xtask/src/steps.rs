//! Runs steps one after the other with a heading and the time each took, and closes with a table.
//!
//! Knows nothing of what the steps do.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// One step of a command.
pub(crate) struct Step<'a> {
    /// The short name, as `--only` takes it.
    pub(crate) name: &'a str,
    /// What the step shows when it passes.
    pub(crate) heading: String,
    /// What to do if it fails.
    pub(crate) advice: &'a str,
    /// Does the work and returns a short summary of it.
    pub(crate) run: Box<dyn FnOnce() -> Result<String> + 'a>,
}

struct Row<'a> {
    name: &'a str,
    result: &'static str,
    elapsed: Option<Duration>,
    note: String,
}

/// Runs the steps in order and stops at the first that fails.
pub(crate) fn run(steps: Vec<Step<'_>>) -> Result<()> {
    let started = Instant::now();
    let count = steps.len();
    let mut rows = Vec::with_capacity(count);
    let mut failure = None;
    for (index, step) in steps.into_iter().enumerate() {
        if failure.is_some() {
            rows.push(Row {
                name: step.name,
                result: "not run",
                elapsed: None,
                note: String::new(),
            });
            continue;
        }
        println!("\n=== {}/{count} {}: {} ===", index + 1, step.name, step.heading);
        let step_started = Instant::now();
        let outcome = (step.run)();
        let elapsed = step_started.elapsed();
        let (result, note) = match outcome {
            Ok(note) => ("ok", note),
            Err(error) => {
                failure = Some((step.name, step.advice, error));
                ("FAILED", String::new())
            }
        };
        println!("--- {}: {result} after {}", step.name, seconds(elapsed));
        rows.push(Row { name: step.name, result, elapsed: Some(elapsed), note });
    }
    print_table(&rows, started.elapsed());
    match failure {
        None => Ok(()),
        Some((name, advice, error)) => {
            bail!("the step `{name}` failed: {error:#}\nWhat to do: {advice}")
        }
    }
}

fn print_table(rows: &[Row<'_>], total: Duration) {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0).max("total".len());
    println!("\n{:width$}  {:7}  {:>9}", "step", "result", "elapsed");
    for row in rows {
        let elapsed = row.elapsed.map(seconds).unwrap_or_default();
        let line = format!("{:width$}  {:7}  {elapsed:>9}  {}", row.name, row.result, row.note);
        println!("{}", line.trim_end());
    }
    println!("{:width$}  {:7}  {:>9}", "total", "", seconds(total));
}

fn seconds(duration: Duration) -> String {
    let seconds = duration.as_secs_f64();
    if seconds < 120.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} m {:02} s", duration.as_secs() / 60, duration.as_secs() % 60)
    }
}
