//! Single measured values, such as the time to open: a name, a value, a unit.

use std::io::Write as _;

use serde::{Deserialize, Serialize};

use crate::{Machine, Result};

/// One measured value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// What was measured.
    pub name: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: String,
}

impl Measure {
    /// Returns one measured value.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        Self { name: name.into(), value, unit: unit.to_owned() }
    }

    /// Returns a number of bytes, in MB.
    pub fn bytes(name: impl Into<String>, bytes: u64) -> Self {
        Self::new(name, bytes as f64 / 1e6, "MB")
    }
}

/// All values of a command.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measures {
    /// The machine of the run.
    pub machine: Machine,
    /// In the order of measurement.
    pub measures: Vec<Measure>,
}

impl Measures {
    /// Writes everything to standard output, as a table or as JSON.
    pub fn print(&self, json: bool) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if json {
            serde_json::to_writer_pretty(&mut out, self)?;
            writeln!(out)?;
            return Ok(());
        }
        let width = |measure: &Measure| measure.name.chars().count();
        let name_width = self.measures.iter().map(width).max().unwrap_or_default();
        writeln!(out, "{}\n", self.machine)?;
        writeln!(out, "| {:<name_width$} | {:>10} | unit |", "measure", "value")?;
        writeln!(out, "|{}|-----------:|------|", "-".repeat(name_width + 2))?;
        for Measure { name, value, unit } in &self.measures {
            writeln!(out, "| {name:<name_width$} | {value:>10.2} | {unit:<4} |")?;
        }
        Ok(())
    }
}
