#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {}
}

fn main() {}
