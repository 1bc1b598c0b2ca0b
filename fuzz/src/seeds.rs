//! Seeds from code to files, which is how libFuzzer wants them.

use std::path::Path;

/// The variable with the folder that `cargo xtask fuzz` wants a target's seeds in.
const VARIABLE: &str = "MONOTABLE_FUZZ_SEEDS";

/// Writes the seeds and ends the program, if the caller asked for them.
pub fn write_if_asked(seeds: fn() -> Vec<Vec<u8>>) {
    let Some(folder) = std::env::var_os(VARIABLE) else {
        return;
    };
    for (number, seed) in seeds().into_iter().enumerate() {
        let path = Path::new(&folder).join(format!("{number:03}"));
        if let Err(error) = std::fs::write(&path, seed) {
            eprintln!("the seed {} could not be written: {error}", path.display());
            std::process::exit(1);
        }
    }
    std::process::exit(0);
}
