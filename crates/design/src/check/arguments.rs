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
    /// The end of the pattern's, where the key goes on with a literal.
    GoesOn(&'static str),
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
            Walk::GoesOn(next) if is_prefix => cut_short(found, first, Some(next), report),
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
    let message = Message::new(&rules::P04).say("pattern ").say(pattern.name).say(" reads ");
    let message = match read {
        0 => message.say("one partition"),
        _ => message.say_number(read as usize, 1).say(" shards"),
    };
    let message = message.say(", but ").say(entity.name);
    if written == 0 {
        report.add(message.say(" is not spread over shards there").end_with(
            "nobody writes the number of a shard, so that nothing is found",
            "write the partition key without `{shard}`, and leave `shards` out",
        ));
        return;
    }
    let message = message.say(" is spread over ").say_number(written as usize, 1).say(" shards");
    let message = message.say(match read {
        0 => {
            "; only the rows of one shard are found; write `{shard}` into the partition key, and \
             `shards = "
        }
        _ if read < written => "; the rows of the others are never found; write `shards = ",
        _ => "; shards that nobody writes are read and paid for; write `shards = ",
    });
    report.add(message.say_number(written as usize, 1).say("`"));
}

/// Walks both templates as long as their parts stand for each other.
const fn walk(found: Found<'_>, asked: &Template, written: &Template, is_range: bool) -> Walk {
    let mut pairs = Pairs::new(asked.segments, written.segments);
    let mut last = None;
    loop {
        let (name, pad, kind, other) = match pairs.next() {
            Next::Pair(Segment::Field { name, pad, kind, .. }, other) => (name, pad, kind, other),
            Next::End(Rest::Literal(next)) => return Walk::GoesOn(next),
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

/// P03: a prefix ends with a value where the key goes on or ends, so that longer values begin with it,
/// too. Free text is taken as it is: whoever passes it looks for a beginning.
const fn cut_short(found: Found<'_>, prefix: &Template, next: Option<&str>, report: &mut Report) {
    let [.., Segment::Field { name, pad, kind, .. }] = prefix.segments else { return };
    if digits(*pad, kind) > 0 || matches!(kind.charset, Charset::Any) {
        return;
    }
    if !report.wants(&rules::P03, found.allows) {
        return;
    }
    let message = Message::new(&rules::P03).say("pattern ").say(found.pattern.name);
    let message = message.say(" begins with `{").say(name).say("}`, where the key of ");
    let message = message.say(found.entity.name);
    report.add(match next {
        Some(next) => {
            let message = message.say(" goes on with `").say(next).say("`").say(LONGER);
            message.say("write begins_with(\"").say(prefix.text).say(next).say("\")")
        }
        None => {
            let message = message.say(" ends").say(LONGER).say("write `sk = \"").say(prefix.text);
            let message = message.say("\"` for this value alone, take a `&str` to look for ");
            let message = message.say("beginnings, or let the key go on with a `#` and write ");
            message.say("begins_with(\"").say(prefix.text).say("#\")")
        }
    });
}

/// Why a prefix must not end with a value that may be the beginning of another.
const LONGER: &str = "; `1` would find the rows of `10`, too; ";

/// How many digits a number has at least.
const fn digits(pad: u8, kind: &PartKind) -> u8 {
    if pad > kind.width { pad } else { kind.width }
}

/// Free text may be anything, ids and words are told apart by the names of their types, and a day is what
/// the instants in it begin with.
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

/// Whether both are typed ids or words, of two types.
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
    let message = Message::new(&rules::P04).say("`{").say(pair.argument).say("}` in pattern ");
    let message = message.say(found.pattern.name).say(" is ");
    report.add(if is_other_kind(pair) {
        let message = message.say(form_name(pair.argument_kind.form)).say(", but `{");
        let message = message.say(pair.field).say("}` in the key of ").say(found.entity.name);
        message.say(" is ").say(form_name(pair.field_kind.form)).end_with(
            "the texts of the two never meet, so that nothing is found",
            "give the argument the type of the field",
        )
    } else if is_other_width(pair) {
        other_width(message, found.entity, pair)
    } else {
        let message = message.say("`").say(pair.argument_type).say("`, but `{").say(pair.field);
        let message = message.say("}` in the key of ").say(found.entity.name).say(" is `");
        message.say(pair.field_type).say("`").end_with(
            "what identifies one thing finds nothing, or a wrong row, where another is meant",
            "give the argument the type of the field",
        )
    });
}

const fn other_width(message: Message, entity: &EntityMeta, pair: Pair) -> Message {
    let message = if pair.field_pad == 0 {
        message.say("padded, but not in the key of ").say(entity.name)
    } else {
        let message = message.say("padded to ").say_number(pair.field_pad as usize, 1);
        message.say(" digits in the key of ").say(entity.name)
    };
    let message =
        message.say("; another number of digits is another text, which finds no row or a ");
    let message = message.say("wrong one; write `{").say(pair.argument);
    match pair.field_pad {
        0 => message.say("}`"),
        pad => message.say(":0").say_number(pad as usize, 1).say("}`"),
    }
}

/// What a value is, in messages.
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
