//! Random requests: every operation either succeeds or returns a client error, and the server never
//! fails.

mod bodies;

use std::ops::Range;

use monotable_wire::Operation;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use self::bodies::BODIES;
use crate::fixture::{World, known};

/// Values that many members do not accept.
const VALUES: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "9223372036854775808",
    r#""""#,
    r#""a""#,
    r#""\u0000\ud83d\ude00""#,
    r#""arn:aws:dynamodb:us-east-1:123456789012:table/plain""#,
    "[]",
    "[null]",
    "[[]]",
    "{}",
    r#"{"":{}}"#,
    r#"{"S":"a"}"#,
    r#"{"N":"-0e0"}"#,
    r#"{"SS":["a"]}"#,
    r#"{"L":[{"M":{"a":{"NULL":true}}}]}"#,
    r#"{"PK":{"S":"a"},"SK":{"S":"b"}}"#,
];

/// One change of a body.
#[derive(Clone, Debug)]
enum Change {
    /// Changes bits of one byte.
    Flip(Index, u8),
    /// Cuts off the end.
    Cut(Index),
    /// Inserts bytes.
    Insert(Index, Vec<u8>),
    /// Replaces one of the JSON values.
    Replace(Index, &'static str),
    /// Copies one of the JSON values in place of another.
    Move(Index, Index),
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![
        1 => (any::<Index>(), 1..=255_u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        1 => any::<Index>().prop_map(Change::Cut),
        1 => (any::<Index>(), any::<Vec<u8>>()).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        6 => (any::<Index>(), select(VALUES)).prop_map(|(at, value)| Change::Replace(at, value)),
        6 => (any::<Index>(), any::<Index>()).prop_map(|(to, from)| Change::Move(to, from)),
    ]
}

impl Change {
    fn apply(&self, body: &mut Vec<u8>) {
        if body.is_empty() {
            return;
        }
        match self {
            Self::Flip(at, bits) => {
                let at = at.index(body.len());
                body[at] ^= bits;
            }
            Self::Cut(at) => body.truncate(at.index(body.len())),
            Self::Insert(at, bytes) => {
                let at = at.index(body.len());
                body.splice(at..at, bytes.iter().copied());
            }
            Self::Replace(at, value) => {
                let values = values(body);
                if !values.is_empty() {
                    body.splice(at.get(&values).clone(), value.bytes());
                }
            }
            Self::Move(to, from) => {
                let values = values(body);
                if !values.is_empty() {
                    let value = body[from.get(&values).clone()].to_vec();
                    body.splice(to.get(&values).clone(), value);
                }
            }
        }
    }
}

/// Returns the positions of the values of members and elements.
fn values(body: &[u8]) -> Vec<Range<usize>> {
    let starts = (1..body.len()).filter(|&at| {
        let before = body[..at].iter().rfind(|byte| !byte.is_ascii_whitespace());
        !body[at].is_ascii_whitespace() && matches!(before, Some(b':' | b'[' | b','))
    });
    starts.map(|start| start..end_of_value(body, start)).collect()
}

fn end_of_value(body: &[u8], start: usize) -> usize {
    let mut depth = 0;
    let mut in_string = false;
    let mut escaped = false;
    for (at, &byte) in body.iter().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => {
                in_string = !in_string;
                if !in_string && depth == 0 {
                    return at + 1;
                }
            }
            _ if in_string => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' | b',' if depth == 0 => return at,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    body.len()
}

fn world() -> World {
    let world = World::new();
    world.put(
        "league",
        r#"{"PK":{"S":"a"},"SK":{"S":"b"},"city":{"S":"Graz"},"score":{"N":"1"},"l":{"L":[]}}"#,
    );
    world
}

/// Sends a body and checks the response; a panic or a server error fails the test.
#[track_caller]
fn exercise(world: &World, operation: Operation, body: &[u8]) {
    let response = world.run(operation, body);
    let shown = String::from_utf8_lossy(body);
    let is_object = response.starts_with('{') && response.ends_with('}');
    let may_be_empty = matches!(operation, Operation::TagResource | Operation::UntagResource);
    assert!(is_object || may_be_empty && response.is_empty(), "{shown}\n{response}");
    assert!(!response.contains("InternalServerError"), "{operation:?} {shown}\n{response}");
}

#[test]
fn every_unchanged_body_is_valid() {
    for (operation, body) in BODIES {
        world().answer(operation, body);
    }
}

#[test]
fn every_operation_handles_the_bodies_of_all_others() {
    for operation in Operation::ALL {
        let world = world();
        exercise(&world, *operation, b"{}");
        for (_, body) in BODIES {
            exercise(&world, *operation, body.as_bytes());
        }
    }
}

proptest! {
    #[test]
    fn any_change_of_a_valid_body_is_handled(
        (operation, body) in select(BODIES),
        changes in prop::collection::vec(changes(), 1..4),
        other in select(Operation::ALL),
    ) {
        let mut body = body.as_bytes().to_vec();
        changes.iter().for_each(|change| change.apply(&mut body));
        let world = world();
        exercise(&world, known(operation), &body);
        exercise(&world, other, &body);
    }

    #[test]
    fn any_bytes_are_handled(
        body in any::<Vec<u8>>(),
        operation in select(Operation::ALL),
    ) {
        exercise(&world(), operation, &body);
    }
}
