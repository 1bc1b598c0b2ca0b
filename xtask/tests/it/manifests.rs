//! What every manifest of the workspace says: the lints, the licence, and no unsafe code.

use std::fs;

use cargo_metadata::MetadataCommand;
use toml::Table;

use crate::{assert_none, root};

const LICENCE: &str = "MIT OR Apache-2.0";

fn manifest(path: impl AsRef<std::path::Path>) -> Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn every_crate_has_the_lints_and_the_licence_of_the_workspace() {
    let metadata =
        MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap();
    let mut violations = Vec::new();
    for package in metadata.workspace_packages() {
        let name = &package.name;
        let manifest = manifest(&package.manifest_path);
        let lints = manifest.get("lints").and_then(|lints| lints.get("workspace"));
        if lints.and_then(|inherited| inherited.as_bool()) != Some(true) {
            violations.push(format!("{name} needs `[lints] workspace = true`"));
        }
        if package.license.as_deref() != Some(LICENCE) {
            violations.push(format!("{name} needs `license.workspace = true`"));
        }
        if package.description.as_deref().is_none_or(str::is_empty) {
            violations.push(format!("{name} needs a `description`"));
        }
    }
    assert_none("manifests are incomplete", &violations);
}

#[test]
fn the_workspace_forbids_unsafe_code() {
    let manifest = manifest(root().join("Cargo.toml"));
    let level = &manifest["workspace"]["lints"]["rust"]["unsafe_code"];
    assert_eq!(level.as_str(), Some("forbid"), "unsafe code is forbidden in the whole workspace");
}
