//! The rules for one rule key in its table, among the entities and the rule keys before it: K01, K02, K03,
//! K11, D01, D02.

use super::entity_in_table::sort_key;
use super::keys_in_table::{against, begins_with_field, is_prefix, open, prefix};
use super::report::Report;
use super::rows::{Row, table_row, table_row_count};
use super::verdict::Message;
use crate::meta::{EntityMeta, RuleMeta, TableMeta, TypeAttribute};
use crate::{rules, text};

pub(super) const fn rule(table: &TableMeta, position: usize, report: &mut Report) {
    let rule = table.rules[position];
    if rule.row.is_unreadable() {
        return;
    }
    let mut entities = table.entities;
    while let [entity, rest @ ..] = entities {
        if !entity.is_unreadable() && !entity.reads_rule(&rule.row) {
            compare_rows(table, &rule.row, entity, report);
        }
        same_name(table, rule, entity, report);
        entities = rest;
    }
    let (mut earlier, _) = table.rules.split_at(position);
    while let [other, rest @ ..] = earlier {
        if !other.row.is_unreadable() {
            compare_rows(table, &rule.row, &other.row, report);
        }
        same_name(table, rule, &other.row, report);
        earlier = rest;
    }
    among_its_own(table, &rule.row, report);
    sort_key(table, &rule.row, report);
    attributes(table, rule, report);
}

/// Compares the rows of a rule with those of an entity, or of another rule.
const fn compare_rows(
    table: &TableMeta,
    rule: &EntityMeta,
    other: &EntityMeta,
    report: &mut Report,
) {
    let mut mine = 0;
    while mine < table_row_count(rule) {
        if let Some(row) = table_row(rule, mine) {
            against(table, (rule, row), (other, table_row_count(other)), report);
        }
        mine += 1;
    }
    if let Some(row) = table_row(rule, 0)
        && let Some(theirs) = table_row(other, 0)
        && row.shares_partition(theirs)
    {
        shared_partition(table, (rule, row), (other, theirs), report);
    }
}

/// K02 and K03: rows of both lie in one partition.
const fn shared_partition(
    table: &TableMeta,
    (rule, row): (&EntityMeta, Row<'_>),
    (other, theirs): (&EntityMeta, Row<'_>),
    report: &mut Report,
) {
    if is_prefix(row, theirs) {
        prefix(table, (rule, row), (other, theirs), None, report);
    }
    if begins_with_field(rule, row, None) {
        open(table, (rule, row), (other, theirs), None, report);
    } else if begins_with_field(other, theirs, None) {
        open(table, (other, theirs), (rule, row), None, report);
    }
}

/// K01: the key of a log's snapshot is one of its events.
const fn among_its_own(table: &TableMeta, rule: &EntityMeta, report: &mut Report) {
    let mut mine = 1;
    while mine < table_row_count(rule) {
        if let Some(row) = table_row(rule, mine) {
            against(table, (rule, row), (rule, mine), report);
        }
        mine += 1;
    }
}

/// D02: an entity or an earlier rule key has the same name. Documents and messages know both by it.
const fn same_name(table: &TableMeta, rule: &RuleMeta, other: &EntityMeta, report: &mut Report) {
    if text::equal(rule.row.name, other.name) && report.wants(&rules::D02, &[table.allows]) {
        let message = Message::new(&rules::D02).push(table.name).push(" has two declarations ");
        report.add(message.push(other.name).end_with(
            "documents and messages know entities and rule keys by the names of their structs",
            "rename one of the structs",
        ));
    }
}

/// D01: the rule writes a value into a key attribute or the type attribute of the table.
const fn attributes(table: &TableMeta, rule: &RuleMeta, report: &mut Report) {
    let names = rule.written();
    let mut at = 0;
    while at < names.len() {
        if let Some(name) = names[at]
            && let Some(role) = role_in_table(table, name)
            && report.wants(&rules::D01, &[rule.row.allows, table.allows])
        {
            let message = Message::new(&rules::D01).push("the rule key ").push(rule.row.name);
            let message = message.push(" writes `").push(name).push("`, which is ").push(role);
            report.add(message.push(table.name).end_with_fix("name another attribute"));
        }
        at += 1;
    }
}

/// Returns what the table uses an attribute for.
const fn role_in_table(table: &TableMeta, attribute: &str) -> Option<&'static str> {
    if text::equal(table.partition_key, attribute) {
        return Some("the partition key of ");
    }
    if let Some(sort_key) = table.sort_key
        && text::equal(sort_key, attribute)
    {
        return Some("the sort key of ");
    }
    if let TypeAttribute::Named(name) = table.type_attribute
        && text::equal(name, attribute)
    {
        return Some("the type attribute of ");
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        if text::is_in(index.partition, attribute) || text::is_in(index.sort, attribute) {
            return Some("a key of an index of ");
        }
        indexes = rest;
    }
    None
}
