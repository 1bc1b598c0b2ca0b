//! COMPATIBILITY.md lists every operation with its state, and no other.

use std::collections::BTreeMap;

use monotable_wire::Operation;

const DOCUMENT: &str = include_str!("../../../../COMPATIBILITY.md");
const SECTION: &str = "\n## Operations over HTTP\n";
const STATES: [&str; 4] = ["supported", "partly", "empty", "refused"];

/// Returns the state of each operation in the table of the section.
fn documented() -> BTreeMap<&'static str, &'static str> {
    let (_, section) = DOCUMENT.split_once(SECTION).expect("the section is there");
    let section = section.split("\n## ").next().unwrap_or(section);
    let mut states = BTreeMap::new();
    for row in section.lines().filter_map(|line| line.strip_prefix("| ")) {
        let mut cells = row.split(" | ");
        let (Some(operation), Some(state)) = (cells.next(), cells.next()) else { continue };
        if operation != "operation" {
            assert_eq!(states.insert(operation, state), None, "{operation} is listed twice");
        }
    }
    states
}

#[test]
fn every_operation_is_listed_with_its_state() {
    let documented = documented();
    let mut names: Vec<&str> = Operation::ALL.iter().map(|operation| operation.name()).collect();
    names.sort_unstable();
    let listed: Vec<&str> = documented.keys().copied().collect();
    assert_eq!(listed, names);
    for (operation, state) in documented {
        assert!(STATES.contains(&state), "{operation}: {state}");
    }
}

#[test]
fn exactly_the_refused_operations_report_missing_support() {
    let world = crate::fixture::World::new();
    for operation in Operation::ALL {
        let response = world.run(*operation, b"{}");
        let refused = documented().get(operation.name()) == Some(&"refused");
        let says_so = response.contains("is not supported by this server");
        assert_eq!(says_so, refused, "{}: {response}", operation.name());
    }
}

#[test]
fn every_operation_belongs_to_one_service() {
    for operation in Operation::ALL {
        let services = ["DynamoDB_20120810", "DynamoDBStreams_20120810"];
        let found: Vec<Operation> = services
            .iter()
            .filter_map(|service| {
                Operation::from_target(format!("{service}.{}", operation.name()).as_bytes())
            })
            .collect();
        assert_eq!(found, [*operation]);
    }
    assert_eq!(Operation::from_target(b"DynamoDB_20120810.Guess"), None);
    assert_eq!(Operation::from_target(b"DynamoDB_20111205.GetItem"), None);
    assert_eq!(Operation::from_target(b"GetItem"), None);
}
