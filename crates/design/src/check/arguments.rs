//! The values in the templates of a pattern, compared with those of the rows that it is to find (P04).

use super::report::Report;
use super::rows::Row;
use super::verdict::Message;
use crate::meta::{Allow, PatternMeta, Segment, SortTest, Template};
use crate::part::{Charset, Form, PartKind};
use crate::{rules, text};

/// A value in a template of a pattern, and the one in the key of the rows.
#[derive(Clone, Copy)]
struct Pair {
    argument: &'static str,
    field: &'static str,
    argument_pad: u8,
    field_pad: u8,
    argument_kind: PartKind,
    field_kind: PartKind,
    /// Whether the argument may be only the beginning of the field.
    is_beginning: bool,
}

/// P04: an argument is written in another way than the field that it stands for, so that the texts
/// never meet.
pub(super) const fn arguments(
    pattern: &PatternMeta,
    (entity, row): (&str, Row<'_>),
    allows: &[&'static [Allow]],
    report: &mut Report,
) {
    let mut at = 0;
    while at < pattern.partition.len() && at < row.partition.len() {
        let pair = first_difference(&pattern.partition[at], &row.partition[at], false);
        differs(pattern, entity, pair, allows, report);
        at += 1;
    }
    let mut at = 0;
    while at < pattern.sort.len() && at < row.sort.len() {
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
        let pair = first_difference(first, &row.sort[at], is_range);
        differs(pattern, entity, pair, allows, report);
        if let Some(second) = second {
            let pair = first_difference(second, &row.sort[at], is_range);
            differs(pattern, entity, pair, allows, report);
        }
        if let SortTest::BeginsWith(prefix) = &pattern.sort[at] {
            cut_short(pattern, entity, (prefix, &row.sort[at]), allows, report);
        }
        at += 1;
    }
}

/// Walks both templates as long as their literals are the same.
const fn first_difference(asked: &Template, written: &Template, is_range: bool) -> Option<Pair> {
    let (mut asked, mut written) = (asked.segments, written.segments);
    while let [one, asked_rest @ ..] = asked
        && let [other, written_rest @ ..] = written
    {
        match (one, other) {
            (Segment::Literal(one), Segment::Literal(other)) if text::equal(one, other) => {}
            (Segment::Shard, Segment::Shard) => {}
            (
                Segment::Field { name, pad, kind, .. },
                Segment::Field { name: field, pad: field_pad, kind: field_kind, .. },
            ) => {
                let pair = Pair {
                    argument: name,
                    field,
                    argument_pad: digits(*pad, kind),
                    field_pad: digits(*field_pad, field_kind),
                    argument_kind: *kind,
                    field_kind: *field_kind,
                    is_beginning: is_range && asked_rest.is_empty(),
                };
                if is_other_kind(pair) || is_other_width(pair) {
                    return Some(pair);
                }
            }
            _ => return None,
        }
        (asked, written) = (asked_rest, written_rest);
    }
    None
}

/// P03: a prefix ends with a value where the key goes on, so that longer values begin with it, too. Free
/// text is taken as it is: whoever passes it looks for a beginning.
const fn cut_short(
    pattern: &PatternMeta,
    entity: &str,
    (prefix, written): (&Template, &Template),
    allows: &[&'static [Allow]],
    report: &mut Report,
) {
    let [.., Segment::Field { name, pad, kind, .. }] = prefix.segments else { return };
    if digits(*pad, kind) > 0 || matches!(kind.charset, Charset::Any) {
        return;
    }
    let (mut asked, mut rest) = (prefix.segments, written.segments);
    while let [one, asked_rest @ ..] = asked
        && let [other, written_rest @ ..] = rest
    {
        match (one, other) {
            (Segment::Literal(one), Segment::Literal(other)) if text::equal(one, other) => {}
            (Segment::Shard, Segment::Shard) | (Segment::Field { .. }, Segment::Field { .. }) => {}
            _ => return,
        }
        (asked, rest) = (asked_rest, written_rest);
    }
    if let ([], [Segment::Literal(next), ..]) = (asked, rest)
        && report.wants(&rules::P03, allows)
    {
        let message = Message::new(&rules::P03).say("pattern ").say(pattern.name);
        let message = message.say(" begins with `{").say(name).say("}`, where the key of ");
        let message = message.say(entity).say(" goes on with `").say(next);
        let message = message.say("`; `1` would find the rows of `10`, too; write begins_with(\"");
        report.add(message.say(prefix.text).say(next).say("\")"));
    }
}

/// How many digits a number has at least.
const fn digits(pad: u8, kind: &PartKind) -> u8 {
    if pad > kind.width { pad } else { kind.width }
}

/// Free text may be anything, ids and words are told apart by their types only, and a day is what the
/// instants in it begin with.
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

const fn differs(
    pattern: &PatternMeta,
    entity: &str,
    pair: Option<Pair>,
    allows: &[&'static [Allow]],
    report: &mut Report,
) {
    let Some(pair) = pair else { return };
    if !report.wants(&rules::P04, allows) {
        return;
    }
    let message = Message::new(&rules::P04).say("`{").say(pair.argument).say("}` in pattern ");
    let message = message.say(pattern.name).say(" is ");
    if is_other_kind(pair) {
        let message = message.say(form_name(pair.argument_kind.form)).say(", but `{");
        let message = message.say(pair.field).say("}` in the key of ").say(entity).say(" is ");
        report.add(message.say(form_name(pair.field_kind.form)).end_with(
            "the texts of the two never meet, so that nothing is found",
            "give the argument the type of the field",
        ));
        return;
    }
    let message = if pair.field_pad == 0 {
        message.say("padded, but not in the key of ").say(entity)
    } else {
        let message = message.say("padded to ").say_number(pair.field_pad as usize, 1);
        message.say(" digits in the key of ").say(entity)
    };
    let message =
        message.say("; another number of digits is another text, which finds no row or a ");
    let message = message.say("wrong one; write `{").say(pair.argument);
    report.add(match pair.field_pad {
        0 => message.say("}`"),
        pad => message.say(":0").say_number(pad as usize, 1).say("}`"),
    });
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
