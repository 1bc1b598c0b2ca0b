//! The measuring half of the benchmarks: the same workloads, clock and report for every database.
//!
//! A database takes part by implementing [`Subject`]. The binary `engine-bench` compares the engine
//! with the bare store; `benches/dynoxide`, a separate workspace, measures dynoxide with the same
//! code, alone or as the [`peer`] process of a run of `engine-bench`. Nothing here knows a
//! database.

mod arguments;
mod contender;
mod figures;
mod loader;
mod machine;
mod measures;
pub mod peer;
mod progress;
mod report;
mod runner;
pub mod sample;
mod slice;
mod subject;
mod workload;

pub use arguments::{Arguments, FLAGS};
pub use contender::{Contender, Local};
pub use figures::{Figure, Figures};
pub use loader::{Scratch, load};
pub use machine::{Machine, disk_bytes, resident_bytes, settle};
pub use measures::{Measure, Measures};
pub use progress::Progress;
pub use report::print_table;
pub use runner::run;
pub use slice::{Slice, Slicing, run_slice};
pub use subject::{Mode, Subject, Table};
pub use workload::Workload;

/// Any failure: a benchmark can only stop and report it.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
/// The result of anything that can fail.
pub type Result<T> = std::result::Result<T, Failure>;
