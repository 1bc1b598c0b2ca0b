//! The `monotable` command.

fn main() {}
