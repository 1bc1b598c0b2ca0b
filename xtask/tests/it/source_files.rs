//! Files that a reader can hold in mind, and documents that are true on every machine.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{assert_none, root};

const LINES_MAX: usize = 600;

/// Files over [`LINES_MAX`], each with its reason. The list only shrinks.
const LONG_FILES: &[&str] = &[];

/// Folders that hold nothing of ours, or nothing that is committed.
const FOLDERS_PASSED_OVER: &[&str] =
    &["target", ".git", ".xtask", "corpus", "artifacts", "node_modules", "monotable-data"];

/// Folders that exist on one machine only. Written in halves, so that this file passes too.
const MACHINE_PATHS: &[&str] = &[
    concat!("/wo", "rk/"),
    concat!("/tmp/", "target"),
    concat!("/ro", "ot/"),
    concat!("/ho", "me/"),
];

/// Returns all files below the root with one of these extensions, relative to the root.
pub(crate) fn files(extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let (path, kind) = (entry.path(), entry.file_type().unwrap());
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if kind.is_dir() && !FOLDERS_PASSED_OVER.contains(&name.as_ref()) {
                folders.push(path);
            } else if kind.is_file() {
                let extension = path.extension().and_then(|extension| extension.to_str());
                if extension.is_some_and(|extension| extensions.contains(&extension)) {
                    found.push(path.strip_prefix(root()).unwrap().to_owned());
                }
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn read(relative: &Path) -> String {
    fs::read_to_string(root().join(relative)).unwrap()
}

#[test]
fn no_source_file_is_too_long() {
    let mut violations = Vec::new();
    for path in files(&["rs"]) {
        let lines = read(&path).lines().count();
        let is_known = LONG_FILES.iter().any(|known| Path::new(known) == path);
        let path = path.display();
        match (lines > LINES_MAX, is_known) {
            (true, false) => violations.push(format!("{path} has {lines} lines: split it")),
            (false, true) => {
                violations.push(format!("{path} is short now: take it off LONG_FILES"))
            }
            _ => {}
        }
    }
    assert_none(&format!("source files have at most {LINES_MAX} lines"), &violations);
}

#[test]
fn modules_with_a_folder_are_files_beside_it() {
    let is_in_its_folder = |path: &PathBuf| path.file_name().is_some_and(|name| name == "mod.rs");
    let files = files(&["rs"]).into_iter().filter(is_in_its_folder);
    let violations: Vec<String> =
        files.map(|path| format!("{}: name it after its folder", path.display())).collect();
    assert_none("modules are `foo.rs` and `foo/`, without `mod.rs`", &violations);
}

/// Returns the file of a crate that a document calls `engine/write/plan.rs`.
fn file_of_crate(name: &str) -> Option<PathBuf> {
    let (of_crate, in_crate) = name.split_once('/')?;
    let file = root().join("crates").join(of_crate).join("src").join(in_crate);
    file.exists().then_some(file)
}

/// Each line of the path of one PutItem begins with a file of a crate. Files named behind it lie in the
/// folder of its module, beside it, at the root of its crate, or in another crate that is named.
#[test]
fn architecture_names_files_that_exist() {
    let text = read(Path::new("ARCHITECTURE.md"));
    let (_, section) = text.split_once("## The path of one PutItem").unwrap();
    let path = section.split("```").nth(1).unwrap();
    let mut violations = Vec::new();
    for line in path.lines().filter(|line| !line.is_empty()) {
        let mut names = line.split(['(', ')', ',', ' ']).filter(|word| word.ends_with(".rs"));
        let first = names.next().and_then(file_of_crate);
        let is_near = |name: &str| {
            let folders = first.iter().flat_map(|file| file.ancestors().skip(1).take(3));
            let module = first.as_ref().map(|file| file.with_extension("").join(name));
            folders.map(|folder| folder.join(name)).chain(module).any(|file| file.exists())
        };
        if first.is_none() || !names.all(|name| is_near(name) || file_of_crate(name).is_some()) {
            violations.push(line.to_owned());
        }
    }
    assert!(path.lines().count() > 10, "the path has lines");
    assert_none("ARCHITECTURE.md names files that do not exist", &violations);
}

/// Code may name any path; prose, and comments are prose, may not.
#[test]
fn documents_name_no_folder_of_one_machine() {
    let mut violations = Vec::new();
    for path in files(&["md", "rs", "toml"]) {
        let is_code = path.extension().is_some_and(|extension| extension == "rs");
        for (number, line) in read(&path).lines().enumerate() {
            let is_prose = !is_code || line.trim_start().starts_with("//");
            if is_prose && MACHINE_PATHS.iter().any(|machine| line.contains(machine)) {
                violations.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert_none("documents name folders that only one machine has", &violations);
}

/// Programs that must not compile: each is one message, named by its file.
const GOLDEN_FOLDER: &str = "crates/monotable/tests/ui";

/// Files that others include, where `//!` can't stand: an ordinary comment says what they own.
const INCLUDED_FOLDER: &str = "crates/monotable/examples/league";

/// Files named `tests.rs` own the tests of the module they lie under, and need not say so.
#[test]
fn every_module_begins_with_what_it_owns() {
    let mut violations = Vec::new();
    let says_nothing =
        |path: &PathBuf| path.ends_with("tests.rs") || path.starts_with(GOLDEN_FOLDER);
    for path in files(&["rs"]).into_iter().filter(|path| !says_nothing(path)) {
        let first = read(&path).lines().find(|line| !line.starts_with("#![")).map(str::to_owned);
        let mark = if path.starts_with(INCLUDED_FOLDER) { "//" } else { "//!" };
        if first.is_none_or(|line| !line.starts_with(mark)) {
            violations.push(path.display().to_string());
        }
    }
    assert_none("these files do not begin with `//!`, what the module owns", &violations);
}
