//! The values in the templates of a pattern, compared with those of the rows that it is to find (P04).

use super::align::{Next, Pairs, Rest};
use super::report::Report;
use super::rows::Row;
use super::verdict::Message;
use crate::meta::{Allow, EntityMeta, PatternMeta, Segment, SortTest, Template};
use crate::part::{Charset, Form, PartKind};
use crate::rust_type::TypeName;
use crate::{rules, text};

/// A pattern, and an entity that it finds by a row of these keys.
#[derive(Clone, Copy)]
struct Found<'a> {
    pattern: &'a PatternMeta,
    entity: &'a EntityMeta,
    row: Row<'a>,
    allows: &'a [&'static [Allow]],
}

/// A value in a template of a pattern, and the one in the key of the rows.
#[derive(Clone, Copy)]
struct Pair {
    argument: &'static str,
    field: &'static str,
    /// The types as written; empty where nothing shows them.
    argument_type: &'static str,
    field_type: &'static str,
    argument_pad: u8,
    field_pad: u8,
    argument_kind: PartKind,
    field_kind: PartKind,
    /// Whether the argument may be only the beginning of the field.
    is_beginning: bool,
}

/// What a walk through a template of a pattern and one of a key comes to.
enum Walk {
    /// The end of one of them, or parts that can't be compared.
    End,
    /// A value that is written otherwise in the key.
    Differs(Pair),
    /// The end of the pattern's template, where the key continues with a literal.
    Continues(&'static str),
    /// The end of both, with this kind of value in the key.
    Ends(PartKind),
}

/// P04: the pattern reads other shards than the row is spread over, or an argument is written in another
/// way than the field that it stands for, so that the texts never meet. P03: a prefix is cut short.
pub(super) const fn arguments(
    pattern: &PatternMeta,
    (entity, row): (&EntityMeta, Row<'_>),
    allows: &[&'static [Allow]],
    report: &mut Report,
) {
    let found = Found { pattern, entity, row, allows };
    shards(found, report);
    let mut at = 0;
    while at < pattern.partition.len() && at < row.partition.len() {
        if let Walk::Differs(pair) = walk(found, &pattern.partition[at], &row.partition[at], false)
        {
            differs(found, pair, report);
        }
        at += 1;
    }
    let mut at = 0;
    while at < pattern.sort.len() && at < row.sort.len() {
        let written = &row.sort[at];
        let (first, second) = match &pattern.sort[at] {
            SortTest::Between(from, to) => (from, Some(to)),
            SortTest::Equals(key)
            | SortTest::BeginsWith(key)
            | SortTest::From(key)
            | SortTest::UpTo(key)
            | SortTest::After(key)
            | SortTest::Before(key) => (key, None),
        };
        let is_range = !matches!(pattern.sort[at], SortTest::Equals(_));
        let is_prefix = matches!(pattern.sort[at], SortTest::BeginsWith(_));
        match walk(found, first, written, is_range) {
            Walk::Differs(pair) => differs(found, pair, report),
            Walk::Continues(next) if is_prefix => cut_short(found, first, Some(next), report),
            Walk::Ends(kind) if is_prefix && !matches!(kind.charset, Charset::Any) => {
                cut_short(found, first, None, report);
            }
            _ => {}
        }
        if let Some(second) = second
            && let Walk::Differs(pair) = walk(found, second, written, is_range)
        {
            differs(found, pair, report);
        }
        at += 1;
    }
}

/// An argument that is the value of a field by itself.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    pub(super) entity: &'a EntityMeta,
    pub(super) asked: &'static Segment,
    pub(super) written: &'static Segment,
    pub(super) allows: &'a [&'static [Allow]],
}

/// P04: an argument is of another type than the field that it is the value of.
pub(super) const fn value(pattern: &PatternMeta, value: Value<'_>, report: &mut Report) {
    let Value { entity, asked, written, allows } = value;
    let (
        Segment::Field { name, kind, .. },
        Segment::Field { name: field, kind: field_kind, position, .. },
    ) = (asked, written)
    else {
        return;
    };
    let row = Row { partition: &[], sort: &[], constraint: None, shards: None };
    let pair = Pair {
        argument: name,
        field,
        argument_type: argument_type(pattern, name),
        field_type: field_type(entity, *position),
        argument_pad: 0,
        field_pad: 0,
        argument_kind: *kind,
        field_kind: *field_kind,
        is_beginning: false,
    };
    if is_other_kind(pair) || is_other_type(pair) {
        differs(Found { pattern, entity, row, allows }, pair, report);
    }
}

/// P04: a query over all shards reads exactly those that are written.
const fn shards(found: Found<'_>, report: &mut Report) {
    let Found { pattern, entity, row, allows } = found;
    if pattern.partition.is_empty() {
        return;
    }
    let written = match row.shards {
        Some(shards) => shards.count,
        None => 0,
    };
    let read = match pattern.shards {
        Some(count) => count,
        None => 0,
    };
    if written == read || !report.wants(&rules::P04, allows) {
        return;
    }
    let message = Message::new(&rules::P04).push("pattern ").push(pattern.name).push(" reads ");
    let message = match read {
        0 => message.push("one partition"),
        _ => message.push_number(read as usize, 1).push(" shards"),
    };
    let message = message.push(", but ").push(entity.name);
    if written == 0 {
        report.add(message.push(" is not spread over shards there").end_with(
            "no row contains the number of a shard, so the pattern finds nothing",
            "write the partition key without `{shard}`, and leave `shards` out",
        ));
        return;
    }
    let message = message.push(" is spread over ").push_number(written as usize, 1).push(" shards");
    let message = message.push(match read {
        0 => {
            "; only the rows of one shard are found; write `{shard}` into the partition key, and \
             `shards = "
        }
        _ if read < written => "; the rows of the others are never found; write `shards = ",
        _ => "; unused shards are read and paid for; write `shards = ",
    });
    report.add(message.push_number(written as usize, 1).push("`"));
}

/// Walks both templates as long as their parts stand for each other.
const fn walk(found: Found<'_>, asked: &Template, written: &Template, is_range: bool) -> Walk {
    let mut pairs = Pairs::new(asked.segments, written.segments);
    let mut last = None;
    loop {
        let (name, pad, kind, other) = match pairs.next() {
            Next::Pair(Segment::Field { name, pad, kind, .. }, other) => (name, pad, kind, other),
            Next::End(Rest::Literal(next)) => return Walk::Continues(next),
            Next::End(Rest::Nothing) => match last {
                Some(kind) => return Walk::Ends(kind),
                None => return Walk::End,
            },
            Next::Pair(..) | Next::End(Rest::Field) | Next::Unclear => return Walk::End,
        };
        let Segment::Field { name: field, pad: field_pad, kind: field_kind, position, .. } = other
        else {
            return Walk::End;
        };
        let pair = Pair {
            argument: name,
            field,
            argument_type: argument_type(found.pattern, name),
            field_type: field_type(found.entity, *position),
            argument_pad: digits(*pad, kind),
            field_pad: digits(*field_pad, field_kind),
            argument_kind: *kind,
            field_kind: *field_kind,
            is_beginning: is_range && pairs.is_asked(),
        };
        if is_other_kind(pair) || is_other_width(pair) || is_other_type(pair) {
            return Walk::Differs(pair);
        }
        last = Some(*field_kind);
    }
}

const fn argument_type(pattern: &PatternMeta, name: &str) -> &'static str {
    let mut arguments = pattern.arguments;
    while let [argument, rest @ ..] = arguments {
        if text::equal(argument.name, name) {
            return argument.rust_type;
        }
        arguments = rest;
    }
    ""
}

const fn field_type(entity: &EntityMeta, position: u16) -> &'static str {
    let position = position as usize;
    if position < entity.fields.len() { entity.fields[position].rust_type } else { "" }
}

/// P03: a prefix ends with a value where the key continues or ends, so that longer values begin
/// with it, too. Free text is accepted: its purpose is searching by a beginning.
const fn cut_short(found: Found<'_>, prefix: &Template, next: Option<&str>, report: &mut Report) {
    let [.., Segment::Field { name, pad, kind, .. }] = prefix.segments else { return };
    if digits(*pad, kind) > 0 || matches!(kind.charset, Charset::Any) {
        return;
    }
    if !report.wants(&rules::P03, found.allows) {
        return;
    }
    let message = Message::new(&rules::P03).push("pattern ").push(found.pattern.name);
    let message = message.push(" begins with `{").push(name).push("}`, where the key of ");
    let message = message.push(found.entity.name);
    report.add(match next {
        Some(next) => {
            let message = message.push(" continues with `").push(next).push("`").push(LONGER);
            message.push("write begins_with(\"").push(prefix.text).push(next).push("\")")
        }
        None => {
            let message =
                message.push(" ends").push(LONGER).push("write `sk = \"").push(prefix.text);
            let message = message.push("\"` for this value alone, take a `&str` to look for ");
            let message = message.push("beginnings, or let the key continue with a `#` and write ");
            message.push("begins_with(\"").push(prefix.text).push("#\")")
        }
    });
}

/// Why a prefix must not end with a value that can be the beginning of another value.
const LONGER: &str = "; `1` would also find the rows of `10`; ";

/// Returns how many digits a number has at least.
const fn digits(pad: u8, kind: &PartKind) -> u8 {
    if pad > kind.width { pad } else { kind.width }
}

/// Returns whether two types never have the same values. Free text can be anything, ids and words
/// differ by the names of their types, and a day is the beginning of its instants.
const fn is_other_kind(pair: Pair) -> bool {
    match (pair.argument_kind.form, pair.field_kind.form) {
        (Form::Text, _) if matches!(pair.argument_kind.charset, Charset::Any) => false,
        (Form::Text | Form::Word, Form::Text | Form::Word)
        | (Form::Unsigned { .. }, Form::Unsigned { .. })
        | (Form::Signed, Form::Signed)
        | (Form::Date, Form::Date)
        | (Form::Instant, Form::Instant)
        | (Form::UnsortableTime, Form::UnsortableTime) => false,
        (Form::Date, Form::Instant) => !pair.is_beginning,
        _ => true,
    }
}

const fn is_other_width(pair: Pair) -> bool {
    matches!(pair.argument_kind.form, Form::Unsigned { .. }) && pair.argument_pad != pair.field_pad
}

/// Returns whether both are typed ids or words, of two types.
const fn is_other_type(pair: Pair) -> bool {
    is_named(pair.argument_kind)
        && is_named(pair.field_kind)
        && TypeName::of(pair.argument_type).is_other(TypeName::of(pair.field_type))
}

const fn is_named(kind: PartKind) -> bool {
    kind.is_identity || matches!(kind.form, Form::Word)
}

const fn differs(found: Found<'_>, pair: Pair, report: &mut Report) {
    if !report.wants(&rules::P04, found.allows) {
        return;
    }
    let message = Message::new(&rules::P04).push("`{").push(pair.argument).push("}` in pattern ");
    let message = message.push(found.pattern.name).push(" is ");
    report.add(if is_other_kind(pair) {
        let message = message.push(form_name(pair.argument_kind.form)).push(", but `{");
        let message = message.push(pair.field).push("}` in the key of ").push(found.entity.name);
        message.push(" is ").push(form_name(pair.field_kind.form)).end_with(
            "their texts are never equal, so the pattern finds nothing",
            "give the argument the type of the field",
        )
    } else if is_other_width(pair) {
        other_width(message, found.entity, pair)
    } else {
        let message = message.push("`").push(pair.argument_type).push("`, but `{").push(pair.field);
        let message = message.push("}` in the key of ").push(found.entity.name).push(" is `");
        message.push(pair.field_type).push("`").end_with(
            "an id of one type finds nothing, or a wrong row, in place of another",
            "give the argument the type of the field",
        )
    });
}

const fn other_width(message: Message, entity: &EntityMeta, pair: Pair) -> Message {
    let message = if pair.field_pad == 0 {
        message.push("padded, but not in the key of ").push(entity.name)
    } else {
        let message = message.push("padded to ").push_number(pair.field_pad as usize, 1);
        message.push(" digits in the key of ").push(entity.name)
    };
    let message =
        message.push("; another number of digits is another text, which finds no row or a ");
    let message = message.push("wrong one; write `{").push(pair.argument);
    match pair.field_pad {
        0 => message.push("}`"),
        pad => message.push(":0").push_number(pad as usize, 1).push("}`"),
    }
}

/// Returns what a value is, in messages.
const fn form_name(form: Form) -> &'static str {
    match form {
        Form::Text => "a text",
        Form::Unsigned { .. } => "a number",
        Form::Signed => "a number with a sign",
        Form::Date => "a day",
        Form::Instant => "an instant",
        Form::UnsortableTime => "a time with an offset or a varying width",
        Form::Word => "a word",
    }
}
