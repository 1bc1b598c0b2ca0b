//! Index keys that are numbers: I11 for prefixes of them, P04 for texts compared with them.

use super::attributes::field_with;
use super::report::Report;
use super::rows::{Row, is_native};
use super::verdict::Message;
use crate::meta::{
    Allow, EntityMeta, IndexKind, IndexMeta, PatternMeta, Segment, SortTest, Template, WireType,
};
use crate::part::Form;
use crate::rules;

/// A pattern that finds a row of an entity in an index.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) pattern: &'a PatternMeta,
    pub(super) entity: &'a EntityMeta,
    pub(super) index: &'a IndexMeta,
    pub(super) row: Row<'a>,
    pub(super) allows: &'a [&'static [Allow]],
}

/// Every attribute of the index key that is a number.
pub(super) const fn numbers(found: Found<'_>, report: &mut Report) {
    let Found { pattern, index, row, .. } = found;
    if matches!(index.kind, IndexKind::Global) {
        let mut at = 0;
        while at < pattern.partition.len() && at < index.partition.len() {
            if is_number(found, row.partition, at, index.partition[at]) {
                text(found, &pattern.partition[at], index.partition[at], report);
            }
            at += 1;
        }
    }
    let mut at = 0;
    while at < pattern.sort.len() && at < index.sort.len() {
        if is_number(found, row.sort, at, index.sort[at]) {
            test(found, &pattern.sort[at], index.sort[at], report);
        }
        at += 1;
    }
}

const fn is_number(found: Found<'_>, templates: &[Template], at: usize, attribute: &str) -> bool {
    at < templates.len()
        && is_native(found.entity, &templates[at], attribute)
        && match field_with(found.entity, attribute) {
            Some(field) => matches!(field.wire_type, WireType::N),
            None => false,
        }
}

const fn test(found: Found<'_>, test: &SortTest, attribute: &str, report: &mut Report) {
    match test {
        SortTest::BeginsWith(_) => beginning(found, attribute, report),
        SortTest::Between(from, to) => {
            text(found, from, attribute, report);
            text(found, to, attribute, report);
        }
        SortTest::Equals(key)
        | SortTest::From(key)
        | SortTest::UpTo(key)
        | SortTest::After(key)
        | SortTest::Before(key) => text(found, key, attribute, report),
    }
}

/// I11: a number has no beginning.
const fn beginning(found: Found<'_>, attribute: &str, report: &mut Report) {
    if report.wants(&rules::I11, found.allows) {
        let message = Message::new(&rules::I11).push("pattern ").push(found.pattern.name);
        let message =
            message.push(" tests what `").push(attribute).push("` begins with, a number in ");
        report.add(message.push("index ").push(found.index.name).end_with(
            "only texts have beginnings, and DynamoDB refuses the request",
            "write the value, or a range such as `\"{from}\"..=\"{to}\"`",
        ));
    }
}

/// P04: a text is compared with a number in the rows.
const fn text(found: Found<'_>, template: &Template, attribute: &str, report: &mut Report) {
    let [Segment::Field { name, kind, .. }] = template.segments else { return };
    if matches!(kind.form, Form::Text) && report.wants(&rules::P04, found.allows) {
        let message = Message::new(&rules::P04).push("`{").push(name).push("}` in pattern ");
        let message = message.push(found.pattern.name).push(" is a text, but `").push(attribute);
        let message = message.push("` is a number in index ").push(found.index.name);
        report.add(message.end_with(
            "values of two types are never equal",
            "give the argument the type of the field",
        ));
    }
}
