//! The guide is whole: every page is tested and listed, and every rule is explained.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::complaints::model::League;

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn text(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap()
}

/// Returns the numbered pages.
fn pages() -> BTreeSet<String> {
    let names = fs::read_dir(repository("docs/guide")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(|first: char| first.is_ascii_digit())).collect()
}

#[test]
fn every_page_is_listed() {
    let (pages, index) = (pages(), text("docs/guide/README.md"));
    assert!(pages.len() >= 9, "{pages:?}");
    for page in pages {
        assert!(index.contains(&format!("({page})")), "{page} is not in the index of the guide");
    }
}

/// A page is read on the web, where lines that only rustdoc hides are shown.
#[test]
fn no_page_has_lines_that_only_rustdoc_hides() {
    for page in pages() {
        let page_text = text(&format!("docs/guide/{page}"));
        for snippet in page_text.split("```rust\n").skip(1) {
            let snippet = snippet.split("```").next().unwrap_or_default();
            let hidden = snippet.lines().find(|line| *line == "#" || line.starts_with("# "));
            assert_eq!(hidden, None, "{page}");
        }
    }
}

#[test]
fn the_league_that_is_shown_is_the_one_of_the_example() {
    let model = text("crates/monotable/examples/league/model.rs");
    let (_, model) = model.split_once("\n\n").unwrap();
    assert!(text("docs/guide/league.md").contains(model), "copy the model to the page");
}

#[test]
fn every_rule_is_explained() {
    let page = text("docs/guide/8-diagnostics.md");
    for rule in monotable::design::rules::RULES {
        let row = format!("| `{}` |", rule.code);
        assert!(page.contains(&row), "the guide does not explain {}", rule.code);
    }
}

/// The messages are held word for word by the programs of `tests/ui`, and by the tests of the rules and of
/// the rows that they are about.
#[test]
fn every_message_that_is_shown_is_one_that_is_given() {
    let mut given = String::new();
    for folder in
        ["crates/monotable/tests/ui", "crates/design/src/check/tests", "crates/model/tests/it/rows"]
    {
        let mut folders = vec![repository(folder)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path)
                } else {
                    given.push_str(&fs::read_to_string(path).unwrap())
                }
            }
        }
    }
    let page = text("docs/guide/8-diagnostics.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows = rows.filter_map(|(code, rest)| Some((code, rest.split_once(" | ")?.0)));
    let mut shown = 0;
    for (code, example) in rows {
        let message = format!("[{code}] {example}");
        assert!(given.contains(&message), "nobody is told this: {message}");
        shown += 1;
    }
    assert!(shown > 30, "{shown}");
}

#[test]
fn the_document_that_is_shown_is_the_one_that_is_made() {
    let page = text("docs/guide/9-documents.md");
    let shown = page.split("```markdown\n").nth(1).and_then(|rest| rest.split("```").next());
    let shown = shown.unwrap();
    assert!(shown.contains("## Entities"), "{shown}");
    let document = League::design().to_markdown();
    assert!(document.contains(shown), "{document}");
}

#[test]
fn the_readme_has_the_two_commands_the_comparison_and_the_plots() {
    let readme = text("README.md");
    let mut at = 0;
    for part in [
        "| you are | you get |",
        "cargo run --release -- serve --demo",
        "cargo xtask test",
        "minutes",
        "cargo install --path crates/cli",
        "benches/endpoint-durable.svg",
        "| DynamoDB Local |",
        "dynoxide",
        "ExtendDB",
        "ElectroDB",
        "toasty",
        "| SQLite |",
    ] {
        let found = readme[at..].find(part);
        at += found.unwrap_or_else(|| panic!("the README has no {part:?} where it belongs"));
    }
    assert!(readme.contains("## Status"), "how far along it is");
    for picture in readme.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(repository(picture).exists(), "{picture}");
    }
}

/// Sentences that outside readers found to be untrue.
#[test]
fn corrected_statements_stay_corrected() {
    for (path, wrong) in [
        ("README.md", "every request must be signed"),
        ("README.md", "any DynamoDB endpoint"),
        ("docs/credentials.md", "every request must be signed"),
        // It would be taken for a secret.
        ("docs/credentials.md", "\"the output of openssl\""),
        ("docs/guide/7-backends.md", "four stores"),
        ("docs/guide/8-diagnostics.md", "is told once"),
        ("docs/services/hacktracker.md", "told once"),
        ("COMPATIBILITY.md", "copy the data directory instead"),
    ] {
        assert!(!text(path).contains(wrong), "{path}: {wrong}");
    }
    assert!(text("ARCHITECTURE.md").contains("the command `monotable`: serve, "));
}
