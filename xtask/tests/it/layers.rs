//! Dependency direction: the table of crates in ARCHITECTURE.md, held against `cargo metadata`.

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

use crate::{assert_none, root};

/// A crate of ours and those of ours that it may depend on.
struct Layer {
    name: &'static str,
    may_use: &'static [&'static str],
}

/// Every crate of the workspace, from the ground up, those to come included. Change it together
/// with the table in ARCHITECTURE.md, and say why in docs/decisions.
const LAYERS: &[Layer] = &[
    Layer { name: "monotable-types", may_use: &[] },
    // Written by the server and by services, which do not know each other.
    Layer { name: "monotable-metrics", may_use: &[] },
    Layer { name: "monotable-expression", may_use: &["monotable-types"] },
    Layer { name: "monotable-engine", may_use: &["monotable-expression", "monotable-types"] },
    // Long jobs over tables. DynamoDB's JSON comes to it from above.
    Layer {
        name: "monotable-lifecycle",
        may_use: &["monotable-engine", "monotable-expression", "monotable-types"],
    },
    Layer {
        name: "monotable-wire",
        may_use: &[
            "monotable-lifecycle",
            "monotable-engine",
            "monotable-expression",
            "monotable-types",
        ],
    },
    // The server passes operations on and never sees an expression.
    Layer {
        name: "monotable-server",
        may_use: &["monotable-wire", "monotable-engine", "monotable-metrics", "monotable-types"],
    },
    // Measures any server from outside, so that it can't favour ours.
    Layer { name: "monotable-load", may_use: &[] },
    // Constants and their rules: the macros use it while a program compiles, so it stands alone.
    Layer { name: "monotable-design", may_use: &[] },
    Layer { name: "monotable-model-derive", may_use: &["monotable-design"] },
    Layer {
        name: "monotable-model",
        may_use: &[
            "monotable-model-derive",
            "monotable-design",
            "monotable-engine",
            "monotable-expression",
            "monotable-types",
        ],
    },
    Layer {
        name: "monotable",
        may_use: &[
            "monotable-model",
            "monotable-design",
            "monotable-engine",
            "monotable-expression",
            "monotable-types",
        ],
    },
    // Services are users: they and what they share know the façade and nothing below it.
    Layer { name: "monotable-kit-derive", may_use: &[] },
    Layer {
        name: "monotable-kit",
        may_use: &["monotable-kit-derive", "monotable-metrics", "monotable"],
    },
    // Runs services without knowing one; sockets and flags are the program's.
    Layer { name: "monotable-host", may_use: &["monotable-kit", "monotable-metrics", "monotable"] },
    // What stands at the end of the chain and is used by nobody.
    Layer { name: "monotable-cli", may_use: &[ANY] },
    Layer { name: "monotable-bench", may_use: &[ANY] },
    // Its pages show how to use the model, and how to write a service.
    Layer { name: "monotable-guide", may_use: &["monotable-host", "monotable-kit", "monotable"] },
    Layer { name: "monotable-testkit", may_use: &[ANY] },
    Layer { name: "xtask", may_use: &[] },
];

/// Stands for every crate of ours but those that are [`ENDS`].
const ANY: &str = "*";

/// Nobody depends on these; on the test kit only as a dev-dependency.
const ENDS: &[&str] = &["monotable-cli", "monotable-bench", "monotable-guide", "xtask", TESTKIT];

/// Development only: the single crate of ours that a dev-dependency may add to the table.
const TESTKIT: &str = "monotable-testkit";

/// One crate per system, all alike: no service knows another.
const SERVICES_FOLDER: &str = "services";
const SERVICE_MAY_USE: &[&str] = &["monotable-host", "monotable-kit", "monotable"];

fn metadata() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().unwrap()
}

fn is_service(package: &Package) -> bool {
    package.manifest_path.starts_with(root().join(SERVICES_FOLDER))
}

fn may_use(package: &Package) -> Option<&'static [&'static str]> {
    if is_service(package) {
        return Some(SERVICE_MAY_USE);
    }
    let layer = LAYERS.iter().find(|layer| layer.name == package.name.as_str());
    layer.map(|layer| layer.may_use)
}

/// Returns what is wrong with one dependency of a crate of ours on another.
fn violation(name: &str, allowed: &[&str], used: &str, kind: DependencyKind) -> Option<String> {
    if allowed.contains(&used) || (allowed.contains(&ANY) && !ENDS.contains(&used)) {
        return None;
    }
    match (used, kind) {
        (TESTKIT, DependencyKind::Development) => None,
        (TESTKIT, _) => Some(format!(
            "{name} depends on {TESTKIT}, which is for development only: make it a dev-dependency"
        )),
        _ => Some(format!(
            "{name} must not depend on {used} ({kind}); it may use: {}",
            allowed.join(", ")
        )),
    }
}

#[test]
fn crates_depend_only_on_the_layers_below_them() {
    let metadata = metadata();
    let packages = metadata.workspace_packages();
    let mut violations = Vec::new();
    for package in &packages {
        let Some(allowed) = may_use(package) else {
            violations.push(format!(
                "{} is a crate without a place: add it to LAYERS in xtask/tests/it/layers.rs and to \
                 the table in ARCHITECTURE.md, with the crates it may depend on",
                package.name
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let ours = packages.iter().any(|other| other.name == dependency.name.as_str());
            if ours && dependency.name != package.name.as_str() {
                violations.extend(violation(
                    &package.name,
                    allowed,
                    &dependency.name,
                    dependency.kind,
                ));
            }
        }
    }
    assert_none("the dependency direction of ARCHITECTURE.md is broken", &violations);
}

/// With the services outside the table, an order exists if each layer uses only layers above it in
/// the list.
#[test]
fn the_table_itself_has_no_cycle() {
    for (index, layer) in LAYERS.iter().enumerate() {
        for used in layer.may_use.iter().filter(|used| **used != ANY) {
            assert!(
                LAYERS[..index].iter().any(|below| below.name == *used),
                "{used} must stand before {} in LAYERS",
                layer.name
            );
        }
    }
}

#[test]
fn a_dependency_upwards_is_found() {
    let check = |allowed: &[&str], used, kind| violation("it", allowed, used, kind).is_some();
    let types = ["monotable-types"];
    assert!(!check(&types, "monotable-types", DependencyKind::Normal));
    assert!(check(&types, "monotable-engine", DependencyKind::Normal));
    assert!(check(&types, "monotable-engine", DependencyKind::Development));
    assert!(check(&types, TESTKIT, DependencyKind::Build));
    assert!(!check(&types, TESTKIT, DependencyKind::Development));
    assert!(!check(&[ANY], "monotable-engine", DependencyKind::Normal));
    assert!(check(&[ANY], TESTKIT, DependencyKind::Normal));
}
