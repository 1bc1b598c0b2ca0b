//! Writes that DynamoDB refuses.

use monotable_engine::{
    BatchWriteItem, ConditionCheck, DeleteItem, PutItem, ReturnValues, TransactWriteItems,
    UpdateItem,
};
use monotable_expression::{Condition, Path, SetOperand, Update, attribute_exists};
use monotable_types::{AttributeValue as V, item, list};

use super::{BLOBS, EVENTS, LEAGUE, MISMATCH, cancelled, empty, league, refused, wrong_keys};
use crate::operation::{Stage, Step};

/// Returns all of them.
pub(super) fn all() -> Vec<Step> {
    [puts(), keys(), updates(), batches(), transactions()].concat()
}

fn puts() -> Vec<Step> {
    let put = |item| PutItem::new("league", item);
    let wrong = "One or more parameter values were invalid";
    let index_empty = "One or more parameter values are not valid. A value specified for a secondary \
        index key is not supported. The AttributeValue for a key attribute cannot contain an empty";
    let deep = (0..32).fold(V::from(1), |inner, _| list![inner]);
    vec![
        refused(
            put(item! { "PK" => "a" }),
            LEAGUE,
            &format!("{wrong}: Missing the key SK in the item"),
        ),
        refused(
            put(league("PK", 1)),
            LEAGUE,
            &format!("{wrong}: Type mismatch for key PK expected: S actual: N"),
        ),
        refused(
            put(league("SK", list![])),
            LEAGUE,
            &format!("{wrong}: Type mismatch for key SK expected: S actual: L"),
        ),
        refused(put(league("SK", "")), LEAGUE, &empty("SK", "string")),
        refused(
            PutItem::new("blobs", item! { "hash" => V::B(vec![]) }),
            BLOBS,
            &empty("hash", "binary"),
        ),
        refused(
            put(league("PK", "p".repeat(2049))),
            LEAGUE,
            &format!("{wrong}: Size of hashkey has exceeded the maximum size limit of2048 bytes"),
        ),
        refused(
            put(league("SK", "s".repeat(1025))),
            LEAGUE,
            &format!(
                "{wrong}: Aggregated size of all range keys has exceeded the size limit of 1024 bytes"
            ),
        ),
        refused(
            put(league("gn", "1")),
            LEAGUE,
            &format!(
                "{wrong}: Type mismatch for Index Key gn Expected: N Actual: S IndexName: g3-include"
            ),
        ),
        refused(
            put(league("gt", true)),
            LEAGUE,
            &format!(
                "{wrong}: Type mismatch for Index Key gt Expected: S Actual: BOOL IndexName: g1-all"
            ),
        ),
        refused(
            put(league("gs", "")),
            LEAGUE,
            &format!("{index_empty} string value. IndexName: g1-all, IndexKey: gs"),
        ),
        refused(
            PutItem::new("events", item! { "PK" => "a", "at" => 1, "gb" => V::B(vec![]) }),
            EVENTS,
            &format!("{index_empty} binary value. IndexName: g1-multi, IndexKey: gb"),
        ),
        refused(
            put(league("big", "z".repeat(409_600))),
            Stage::Request,
            "Item size has exceeded the maximum allowed size",
        ),
        refused(
            put(league("y", deep)),
            Stage::Request,
            "1 validation error detected: Nesting Levels have exceeded supported limits: Attributes \
             in the item have nested levels beyond supported limit",
        ),
        refused(
            put(league("y", 1)).return_values(ReturnValues::UpdatedNew),
            Stage::Request,
            "1 validation error detected: ReturnValues can only be ALL_OLD or NONE",
        ),
        refused(
            PutItem::new("no table!", league("y", 1)),
            Stage::Request,
            "1 validation error detected: Value 'no table!' at 'tableName' failed to satisfy \
             constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
    ]
}

fn keys() -> Vec<Step> {
    let mut steps = Vec::new();
    for (key, message) in wrong_keys() {
        steps.push(refused(DeleteItem::new("league", key.clone()), LEAGUE, &message));
        let update = Update::new().set("y", 1);
        steps.push(refused(UpdateItem::new("league", key).update(update), LEAGUE, &message));
    }
    let delete = DeleteItem::new("league", league("SK", "1")).return_values(ReturnValues::AllNew);
    steps.push(refused(
        delete,
        Stage::Request,
        "1 validation error detected: ReturnValues can only be ALL_OLD or NONE",
    ));
    steps
}

fn updates() -> Vec<Step> {
    let wrong = "One or more parameter values were invalid";
    let update = |update: Update| UpdateItem::new("league", league("SK", "1")).update(update);
    let keyed = |name| {
        format!("{wrong}: Cannot update attribute {name}. This attribute is part of the key")
    };
    // Both are reported before the condition, which could not be true.
    let never = Condition::And(vec![attribute_exists("PK"), !attribute_exists("PK")]);
    vec![
        refused(update(Update::new().set("SK", "2")), LEAGUE, &keyed("SK")),
        refused(update(Update::new().remove("PK")).condition(never.clone()), LEAGUE, &keyed("PK")),
        refused(update(Update::new().add("PK", 1)), LEAGUE, &keyed("PK")),
        refused(
            update(Update::new().set("gn", "1")).condition(never),
            LEAGUE,
            &format!(
                "{wrong}: Type mismatch for Index Key gn Expected: N Actual: S IndexName: g3-include"
            ),
        ),
        refused(
            update(Update::new().set("gs", "")),
            LEAGUE,
            "One or more parameter values are not valid. The update expression attempted to update \
             a secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty string value.",
        ),
        refused(
            update(Update::new().set("gs", SetOperand::if_not_exists("nothing", 1))),
            LEAGUE,
            "The update expression attempted to update the secondary index key to unsupported type",
        ),
    ]
}

fn batches() -> Vec<Step> {
    let one = || league("SK", "1");
    let short = || item! { "PK" => "a" };
    let duplicates = "Provided list of item keys contains duplicates";
    vec![
        refused(
            BatchWriteItem::new(),
            Stage::Request,
            "The requestItems parameter is required for BatchWriteItem",
        ),
        refused(
            BatchWriteItem::new().put("league", one()).delete("league", one()),
            LEAGUE,
            duplicates,
        ),
        refused(
            BatchWriteItem::new().put("league", one()).delete("league", short()),
            LEAGUE,
            MISMATCH,
        ),
        refused(BatchWriteItem::new().put("league", short()), LEAGUE, MISMATCH),
        refused(BatchWriteItem::new().put("league", league("SK", 1)), LEAGUE, MISMATCH),
        refused(
            BatchWriteItem::new().put("league", league("SK", "")),
            LEAGUE,
            &empty("SK", "string"),
        ),
        refused(
            BatchWriteItem::new().put("league", league("gt", 1)),
            LEAGUE,
            "One or more parameter values were invalid: Type mismatch for Index Key gt Expected: S \
             Actual: N IndexName: g1-all",
        ),
        refused(
            BatchWriteItem::new().put("league", league("big", "z".repeat(409_600))),
            Stage::Request,
            "Item size has exceeded the maximum allowed size",
        ),
    ]
}

fn transactions() -> Vec<Step> {
    let put = |item| PutItem::new("league", item);
    let missing = || league("SK", "nobody");
    let write = TransactWriteItems::new;
    let wrong = "One or more parameter values were invalid";
    vec![
        refused(
            write()
                .action(put(league("SK", "2")))
                .action(DeleteItem::new("league", league("SK", "2"))),
            LEAGUE,
            "Transaction request cannot include multiple operations on one item",
        ),
        refused(write().action(put(league("SK", ""))), LEAGUE, &empty("SK", "string")),
        refused(
            write()
                .action(UpdateItem::new("league", missing()).update(Update::new().set("gs", ""))),
            LEAGUE,
            "One or more parameter values are not valid. The update expression attempted to update \
             a secondary index key to a value that is not supported. The AttributeValue for a key \
             attribute cannot contain an empty string value.",
        ),
        cancelled(
            write().action(put(league("SK", "2"))).action(put(league("PK", 1))),
            vec![None, Some(&format!("{wrong}: Type mismatch for key PK expected: S actual: N"))],
        ),
        cancelled(
            write()
                .action(DeleteItem::new("league", item! { "PK" => "a" }))
                .action(put(league("SK", "2"))),
            vec![Some(MISMATCH), None],
        ),
        cancelled(
            write().action(put(league("gn", "1"))),
            vec![Some(&format!(
                "{wrong}: Type mismatch for Index Key gn Expected: N Actual: S IndexName: g3-include"
            ))],
        ),
        cancelled(
            write()
                .action(UpdateItem::new("league", missing()).update(Update::new().set("SK", "1"))),
            vec![Some(&format!(
                "{wrong}: Cannot update attribute SK. This attribute is part of the key"
            ))],
        ),
        cancelled(
            write()
                .action(
                    UpdateItem::new("league", missing())
                        .update(Update::new().set("y", Path::attribute("m"))),
                )
                .action(ConditionCheck::new(
                    "league",
                    league("SK", "no one"),
                    !attribute_exists("PK"),
                )),
            vec![
                Some(
                    "The provided expression refers to an attribute that does not exist in the item",
                ),
                None,
            ],
        ),
    ]
}
