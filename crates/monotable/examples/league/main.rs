//! The running example of the guide: teams, players and games in one table.
//!
//! `cargo run --example league -p monotable`

mod model;

use model::*;
use monotable::prelude::*;

fn main() {}
