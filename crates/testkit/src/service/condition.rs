//! The condition lint: a write either declares what must hold of the row that is there (`create`, `edit`,
//! `update` and their like send a condition), or its entity declares why the row may be overwritten
//! whatever it is: `#[entity(allow(W01, because = "…"))]`. Rows of rules, such as counters, are the model's, and
//! so are mirrors: the condition on the entity's own row guards them.

use monotable::design::meta::{EntityMeta, KeyMeta, MirrorMeta, Segment, TableMeta, Template};
use monotable::model::Table;
use monotable::model::backend::request::{Action, BatchAction, Write};
use monotable::{AttributeValue, Item};

use crate::watched::Sent;

/// Fails on a write without a condition, unless its entity allows it.
pub(super) fn check<T: Table>(sent: Sent<'_>) {
    match sent {
        Sent::Read => {}
        Sent::Write(write) => check_write(T::META, write),
        Sent::Transaction(transaction) => {
            transaction.writes.iter().for_each(|write| check_write(T::META, write));
        }
        Sent::BatchWrite(batch) => {
            for action in &batch.writes {
                if let BatchAction::Put(row) = action {
                    check_unconditional(T::META, row);
                }
            }
        }
    }
}

fn check_write(table: &TableMeta, write: &Write) {
    if write.condition.is_some() {
        return;
    }
    match &write.action {
        Action::Put(row) => check_unconditional(table, row),
        Action::Update(key, _) => check_unconditional(table, key),
        Action::Delete(_) | Action::Check(_) => {}
    }
}

fn check_unconditional(table: &TableMeta, row: &Item) {
    let text = |name: &str| row.get(name).and_then(AttributeValue::as_s).unwrap_or_default();
    let partition = text(table.partition_key);
    let sort = table.sort_key.map_or("", text);
    let of_rule = table.rules.iter().any(|rule| has_key(&rule.row.key, partition, sort));
    let of_entity = |entity: &&&EntityMeta| has_key(&entity.key, partition, sort);
    let mut entities = table.entities.iter().filter(of_entity);
    let is_mirror = |mirror: &MirrorMeta| match &mirror.key {
        Some(key) => has_key(key, partition, sort),
        None => entities.clone().any(|entity| entity.name == mirror.entity),
    };
    let of_mirror = table.entities.iter().flat_map(|entity| entity.mirrors).any(is_mirror);
    let is_allowed = |entity: &&EntityMeta| entity.allows.iter().any(|allow| allow.rule == "W01");
    assert!(
        of_rule || of_mirror || entities.any(is_allowed),
        "{partition} / {sort} is written without a condition: use `create` or `edit`, or declare \
         `#[entity(allow(W01, because = \"…\"))]`"
    );
}

fn has_key(key: &KeyMeta, partition: &str, sort: &str) -> bool {
    let sort_fits = key.sort.as_ref().is_none_or(|template| fits(template, sort));
    // A sharded partition has a number after the text of the template.
    let partition_fits = fits(&key.partition, partition)
        || key.shards.is_some() && partition.starts_with(literal_start(&key.partition));
    partition_fits && sort_fits
}

fn literal_start(template: &Template) -> &str {
    match template.segments.first() {
        Some(Segment::Literal(text)) => text,
        _ => "",
    }
}

/// Returns whether a text can be made by a template.
fn fits(template: &Template, text: &str) -> bool {
    let mut rest = text;
    for (position, segment) in template.segments.iter().enumerate() {
        let Segment::Literal(literal) = segment else { continue };
        let Some(found) = rest.find(literal) else { return false };
        if position == 0 && found > 0 {
            return false;
        }
        rest = &rest[found + literal.len()..];
    }
    let ends_open = !matches!(template.segments.last(), Some(Segment::Literal(_)));
    ends_open || rest.is_empty()
}
