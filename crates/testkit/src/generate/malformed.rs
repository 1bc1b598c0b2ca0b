//! Requests that DynamoDB refuses, each with its message and the stage of the check. Each is wrong
//! in one way only, because AWS documents no order among the errors of one stage.

mod reads;
mod writes;

use monotable_types::{AttributeValue as V, Item, item};
use proptest::prelude::*;
use proptest::sample::select;

use crate::operation::{Failure, Operation, Refusal, Spelling, Stage, Step};

const LEAGUE: Stage = Stage::Table("league");
const EVENTS: Stage = Stage::Table("events");
const BLOBS: Stage = Stage::Table("blobs");
const MISMATCH: &str = "The provided key element does not match the schema";
const START: &str = "The provided starting key is invalid";

/// Returns all of them.
pub fn all() -> Vec<Step> {
    [writes::all(), reads::all()].concat()
}

/// Returns one of them.
pub(super) fn step() -> BoxedStrategy<Step> {
    select(all()).boxed()
}

fn refused(operation: impl Into<Operation>, stage: Stage, message: &str) -> Step {
    let failure = Failure::validation(message);
    Step {
        operation: operation.into(),
        spelling: Spelling::Tree,
        refused: Some(Refusal { stage, failure }),
    }
}

fn cancelled(operation: impl Into<Operation>, reasons: Vec<Option<&str>>) -> Step {
    let reasons = reasons.into_iter().map(|reason| reason.map(Failure::validation)).collect();
    let refused = Some(Refusal { stage: LEAGUE, failure: Failure::cancelled(reasons) });
    Step { operation: operation.into(), spelling: Spelling::Tree, refused }
}

/// Returns an item of the league with one attribute changed.
fn league(name: &str, value: impl Into<V>) -> Item {
    let mut item = item! { "PK" => "a", "SK" => "1" };
    item.insert(name.to_owned(), value.into());
    item
}

fn empty(name: &str, kind: &str) -> String {
    format!(
        "One or more parameter values are not valid. The AttributeValue for a key attribute cannot \
         contain an empty {kind} value. Key: {name}"
    )
}

/// Returns keys that are not valid for the league.
fn wrong_keys() -> [(Item, String); 5] {
    [
        (item! { "PK" => "a" }, MISMATCH.to_owned()),
        (item! { "PK" => "a", "other" => "1" }, MISMATCH.to_owned()),
        (league("other", 1), MISMATCH.to_owned()),
        (league("SK", 1), MISMATCH.to_owned()),
        (league("PK", ""), empty("PK", "string")),
    ]
}
