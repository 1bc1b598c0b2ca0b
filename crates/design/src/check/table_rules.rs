//! The rules for a table as a whole and for each of its indexes: I03, I12, D02, R01.

use super::attributes::is_projected;
use super::report::Report;
use super::verdict::Message;
use crate::meta::{
    EntityMeta, IndexKind, IndexMeta, PatternMeta, Projection, TableMeta, Target, TypeAttribute,
};
use crate::{rules, text};

/// The limits of DynamoDB for a table (AWS: "Quotas in Amazon DynamoDB").
const GLOBAL_INDEXES_MAX: usize = 20;
const LOCAL_INDEXES_MAX: usize = 5;
const PROJECTED_ATTRIBUTES_MAX: usize = 100;
const KEY_ATTRIBUTES_MAX: usize = 4;

/// One index of a table, together with the indexes before it: I03, I12, D02.
pub(super) const fn index(table: &TableMeta, position: usize, report: &mut Report) {
    let index = &table.indexes[position];
    key_attributes(table, index, report);
    let mut earlier = 0;
    while earlier < position {
        if text::equal(table.indexes[earlier].name, index.name)
            && report.wants(&rules::I12, &[index.allows, table.allows])
        {
            let message = Message::new(&rules::I12).push(table.name).push(" has two indexes ");
            report.add(message.push(index.name).end_with_fix("give one of them another name"));
        }
        earlier += 1;
    }
    read_types(table, index, report);
}

/// What a table has too much of, and what its targets lack: I12, R01.
pub(super) const fn table(table: &TableMeta, report: &mut Report) {
    let (mut global, mut local, mut projected) = (0, 0, 0);
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        match index.kind {
            IndexKind::Global => global += 1,
            IndexKind::Local => local += 1,
        }
        if let Projection::Include(attributes) = index.projection {
            projected += attributes.len();
        }
        at += 1;
    }
    limit(table, global, GLOBAL_INDEXES_MAX, " global indexes", report);
    limit(table, local, LOCAL_INDEXES_MAX, " local indexes", report);
    limit(table, projected, PROJECTED_ATTRIBUTES_MAX, " attributes in projections", report);
    targets(table, report);
}

/// I12: too many of something.
const fn limit(table: &TableMeta, count: usize, count_max: usize, what: &str, report: &mut Report) {
    if count > count_max && report.wants(&rules::I12, &[table.allows]) {
        let message = Message::new(&rules::I12).push(table.name).push(" has ");
        let message = message.push_number(count, 1).push(what).push(", and at most ");
        report.add(message.push_number(count_max, 1).push(" are possible").end());
    }
}

/// I12: the key of an index has too few or too many attributes.
const fn key_attributes(table: &TableMeta, index: &IndexMeta, report: &mut Report) {
    let (partition, sort) = (index.partition.len(), index.sort.len());
    let (is_right, fix) = match index.kind {
        // The partition key of a local index is the table's, whether it is named again or not.
        IndexKind::Local => (partition <= 1 && sort == 1, "give a local index one sort key"),
        IndexKind::Global => (
            partition >= 1 && partition <= KEY_ATTRIBUTES_MAX && sort <= KEY_ATTRIBUTES_MAX,
            "give it 1 to 4 partition attributes and up to 4 sort attributes",
        ),
    };
    if !is_right && report.wants(&rules::I12, &[index.allows, table.allows]) {
        let message = Message::new(&rules::I12).push("index ").push(index.name).push(" has ");
        let message = message.push_number(partition, 1).push(" partition and ");
        let message = message.push_number(sort, 1).push(" sort key attributes");
        report.add(message.end_with_fix(fix));
    }
}

/// I03 and D02: what the patterns read of an index.
const fn read_types(table: &TableMeta, index: &IndexMeta, report: &mut Report) {
    let mut is_used = false;
    let mut set = 0;
    while set < table.pattern_sets.len() {
        let patterns = table.pattern_sets[set].patterns;
        let mut at = 0;
        while at < patterns.len() {
            if let Some(name) = patterns[at].index
                && text::equal(name, index.name)
            {
                is_used = true;
                type_attribute(table, index, &patterns[at], report);
            }
            at += 1;
        }
        set += 1;
    }
    if !is_used && report.wants(&rules::I03, &[index.allows, table.allows]) {
        let message = Message::new(&rules::I03).push("index ").push(index.name);
        report.add(message.push(" of ").push(table.name).push(" is used by no pattern").end());
    }
}

/// D02: a pattern returns several entities from an index without their type.
const fn type_attribute(
    table: &TableMeta,
    index: &IndexMeta,
    pattern: &PatternMeta,
    report: &mut Report,
) {
    let TypeAttribute::Named(attribute) = table.type_attribute else { return };
    if pattern.returns.len() > 1
        && !is_projected(table, index, attribute)
        && report.wants(&rules::D02, &[pattern.allows, index.allows, table.allows])
    {
        let message = Message::new(&rules::D02).push("pattern ").push(pattern.name);
        let message = message.push(" returns several entities from index ").push(index.name);
        let message = message.push(", which does not carry `").push(attribute).push("`").why();
        report.add(message.push("include `").push(attribute).push("` in the projection"));
    }
}

/// R01: something needs what Alternator lacks.
const fn targets(table: &TableMeta, report: &mut Report) {
    let mut is_target = false;
    let mut at = 0;
    while at < table.targets.len() {
        is_target = is_target || matches!(table.targets[at], Target::Alternator);
        at += 1;
    }
    if !is_target {
        return;
    }
    let mut at = 0;
    while at < table.entities.len() {
        transactions(table, table.entities[at], report);
        at += 1;
    }
    let mut at = 0;
    while at < table.indexes.len() {
        let index = &table.indexes[at];
        if (index.partition.len() > 1 || index.sort.len() > 1)
            && report.wants(&rules::R01, &[index.allows, table.allows])
        {
            let message = Message::new(&rules::R01).push("index ").push(index.name).push(" of ");
            let message = message.push(table.name).push(" has a key of several attributes");
            report.add(
                message.end_with_fix(
                    "concatenate them in one template, or remove the target Alternator",
                ),
            );
        }
        at += 1;
    }
}

const fn transactions(table: &TableMeta, entity: &EntityMeta, report: &mut Report) {
    let what = if !entity.unique.is_empty() {
        " has a unique constraint, which is kept by transactions"
    } else if !entity.mirrors.is_empty() {
        " has a mirror, which is kept by transactions"
    } else {
        return;
    };
    if report.wants(&rules::R01, &[entity.allows, table.allows]) {
        let message = Message::new(&rules::R01).push(entity.name).push(what);
        report.add(message.push(", and ").push(table.name).push(" must run on Alternator").end());
    }
}
