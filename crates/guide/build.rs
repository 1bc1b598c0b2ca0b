//! Makes a module of every page of the guide, in which each snippet is a whole program.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The page that shows the program which the snippets of all others belong to.
const LEAGUE: &str = "league.md";

fn main() -> Result<(), Box<dyn Error>> {
    let directory = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../docs/guide");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let has_dynamodb = env::var_os("CARGO_FEATURE_DYNAMODB").is_some();
    println!("cargo::rerun-if-changed={}", directory.display());
    let program = fs::read_to_string(directory.join(LEAGUE))?;
    let program = first_snippet(&program).ok_or("league.md shows no program")?;
    let frame = program.split_once(HERE).ok_or("league.md does not say where a snippet goes")?;
    let mut modules = String::new();
    for entry in fs::read_dir(&directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".md") else { continue };
        let page = with_whole_programs(&fs::read_to_string(&path)?, frame, has_dynamodb);
        fs::write(out.join(name), page)?;
        let module = stem.replace('-', "_").to_lowercase();
        writeln!(modules, "#[doc = include_str!({:?})] mod page_{module} {{}}", out.join(name))?;
    }
    Ok(fs::write(out.join("pages.rs"), modules)?)
}

/// The line of the program that a snippet takes the place of.
const HERE: &str = "    // A snippet of the guide goes here.\n";

fn first_snippet(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("```rust\n")?;
    Some(rest.split_once("```")?.0)
}

/// The page with the program around every snippet that has no `main`.
fn with_whole_programs(page: &str, (head, tail): (&str, &str), has_dynamodb: bool) -> String {
    let mut tested = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, behind)) = rest.split_once("```rust\n") {
        let (snippet, behind) = behind.split_once("```").unwrap_or((behind, ""));
        let is_skipped = snippet.contains("aws_sdk_dynamodb") && !has_dynamodb;
        let fence = if is_skipped { "```rust,ignore\n" } else { "```rust\n" };
        tested.extend([before, fence]);
        if snippet.contains("fn main(") {
            tested.push_str(snippet);
        } else {
            tested.extend([&hidden(head), snippet, &hidden(tail)]);
        }
        tested.push_str("```");
        rest = behind;
    }
    tested.push_str(rest);
    tested
}

/// Lines that are compiled and not shown.
fn hidden(program: &str) -> String {
    program.lines().map(|line| format!("# {line}\n")).collect()
}
