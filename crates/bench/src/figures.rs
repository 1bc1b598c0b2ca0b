//! The results of a run, as `--json` writes them and `--against` reads them.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{Machine, Mode, Result, Slice, Workload};

/// One result: one contender, table, workload and number of callers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// On disk or in memory.
    pub mode: Mode,
    /// How many items were loaded.
    pub items: u64,
    /// What every call did.
    pub workload: Workload,
    /// How many threads called.
    pub callers: usize,
    /// Who was measured.
    pub contender: String,
    /// The median of all slices, number by number.
    #[serde(flatten)]
    pub median: Slice,
    /// The rates of all slices, in their order.
    pub slices_per_second: Vec<f64>,
    /// The median times of all slices, in their order.
    #[serde(default)]
    pub slices_p50_us: Vec<f64>,
}

/// If slices differ by more than this factor, something else was measured too.
const STEADY_SPREAD_MAX: f64 = 2.0;

impl Figure {
    /// Returns whether the slices agree well enough for their median to mean something.
    pub fn is_steady(&self) -> bool {
        let rates = &self.slices_per_second;
        let fastest = rates.iter().copied().fold(0.0, f64::max);
        let slowest = rates.iter().copied().fold(f64::INFINITY, f64::min);
        fastest <= slowest * STEADY_SPREAD_MAX
    }

    /// Returns whether two figures measure the same work.
    pub fn is_same_work(&self, other: &Self) -> bool {
        (self.mode, self.items, self.workload, self.callers)
            == (other.mode, other.items, other.workload, other.callers)
    }
}

/// All figures of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The machine of the run.
    pub machine: Machine,
    /// In the order of measurement.
    pub figures: Vec<Figure>,
}

impl Figures {
    /// Reads a file that [`print_json`](Self::print_json) wrote.
    pub fn read(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(serde_json::from_reader(BufReader::new(file))?)
    }

    /// Writes everything to standard output.
    pub fn print_json(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        serde_json::to_writer_pretty(&mut out, self)?;
        writeln!(out)?;
        Ok(())
    }
}
