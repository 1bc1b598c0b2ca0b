//! Checks rendering and parsing against each other.

use expect_test::{Expect, expect};
use monotable_design::template::{Piece, parse};
use proptest::prelude::*;

use super::*;
use crate::key::KeyPart;
use crate::time::{Date, EpochSeconds, Timestamp};

/// The fields of the templates below, by position.
const FIELDS: [(&str, PartKind); 8] = [
    ("text", PartKind::TEXT),
    ("id", PartKind::IDENTITY),
    ("number", u32::KIND),
    ("signed", i32::KIND),
    ("day", Date::KIND),
    ("instant", Timestamp::KIND),
    ("expiry", EpochSeconds::KIND),
    ("word", PartKind::WORD),
];

/// Returns a template as the macros make it, but at run time.
fn template(text: &str) -> Template {
    let segments: Vec<Segment> = parse(text)
        .unwrap()
        .into_iter()
        .map(|piece| match piece {
            Piece::Literal(literal) => Segment::Literal(literal.leak()),
            Piece::Shard => Segment::Shard,
            Piece::Field { name, pad } => {
                let position = FIELDS.iter().position(|(field, _)| *field == name).unwrap();
                let (name, kind) = FIELDS[position];
                let position = position as u16;
                Segment::Field { name, position, pad, kind, is_optional: false }
            }
        })
        .collect();
    Template { text: text.to_owned().leak(), segments: segments.leak() }
}

fn check(template_text: &str, key: &str, expected: Expect) {
    let mut parts = ParsedParts::default();
    let follows = parse_template(&template(template_text), key, &mut parts);
    let parts: Vec<String> = parts
        .iter()
        .map(|(position, text)| format!("{}={text}", FIELDS[usize::from(position)].0))
        .collect();
    expected.assert_eq(&if follows { parts.join(" ") } else { "no".to_owned() });
}

#[test]
fn literals_separate_fields() {
    check("TEAM#{id}", "TEAM#red", expect!["id=red"]);
    check("GOAL#{word}#{number:04}#{id}", "GOAL#1#0012#e9", expect!["word=1 number=12 id=e9"]);
    check("METADATA", "METADATA", expect![""]);
    check("METADATA", "METADATA2", expect!["no"]);
    check("TEAM#{id}", "TEAM#", expect!["no"]);
    check("TEAM#{id}", "TEAM#a#b", expect!["no"]);
    check("NOTE#{text}", "NOTE#a#b", expect!["text=a#b"]);
}

#[test]
fn fixed_widths_need_no_literal() {
    check("{day}{id}", "2026-02-22x", expect!["day=2026-02-22 id=x"]);
    check("{id}{day}", "x2026-02-22", expect!["id=x day=2026-02-22"]);
    check("{id}{day}#{word}", "x2026-02-22#a", expect!["id=x day=2026-02-22 word=a"]);
    check("{id}{word}", "ab", expect!["no"]);
    check("{number:04}", "12", expect!["no"]);
    check("{number:04}", "00012", expect!["no"]);
    check("{expiry}", "0001700000", expect!["expiry=1700000"]);
    check("{expiry:012}", "000001700000", expect!["expiry=1700000"]);
}

#[test]
fn the_last_literal_ends_the_key() {
    check("{id}-end", "a-end-b-end", expect!["id=a-end-b"]);
}

#[test]
fn a_number_has_one_text() {
    check("summary#{number}", "summary#7", expect!["number=7"]);
    check("summary#{number}", "summary#07", expect!["no"]);
    check("summary#{number}", "summary#0", expect!["number=0"]);
    check("log#{number:06}", "log#000000", expect!["number=0"]);
    check("m#{id}#shard{shard}", "m#1#shard3", expect!["id=1"]);
    check("m#{id}#shard{shard}", "m#1#shard03", expect!["no"]);
}

#[test]
fn a_field_must_have_the_same_value_in_both_keys() {
    check("{number}#{number:06}", "7#000007", expect!["number=7"]);
    check("{number}#{number:06}", "7#000008", expect!["no"]);
}

#[test]
fn a_key_that_does_not_match_leaves_the_parts_unchanged() {
    let mut parts = ParsedParts::default();
    assert!(parts.insert(1, "red"));
    assert!(!parse_template(&template("{word}#{id}"), "w#blue", &mut parts));
    assert_eq!(parts.iter().collect::<Vec<_>>(), [(1, "red")]);
}

#[test]
fn an_absent_field_renders_no_key() {
    let one: [&dyn PartText; 1] = [&String::from("x")];
    assert_eq!(render(&template("{text}#{id}"), &&one[..], None), Ok(None));
    assert_eq!(render(&template("{text}#{shard}"), &&one[..], None), Ok(None));
    assert_eq!(render(&template("{text}#{shard}"), &&one[..], Some(3)), Ok(Some("x#3".into())));
}

/// An identifier, for fields whose types the macros make.
#[derive(Debug)]
struct Identifier(String);

impl PartText for Identifier {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        crate::key::check_identifier(&self.0)?;
        text.push_str(&self.0);
        Ok(())
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Values {
    text: String,
    id: String,
    number: u32,
    signed: i32,
    day: Date,
    instant: Timestamp,
    expiry: EpochSeconds,
    word: String,
}

impl Values {
    fn render(&self, template: &Template, shard: u16) -> String {
        let (id, word) = (Identifier(self.id.clone()), Identifier(self.word.clone()));
        let parts: [&dyn PartText; 8] = [
            &self.text,
            &id,
            &self.number,
            &self.signed,
            &self.day,
            &self.instant,
            &self.expiry,
            &word,
        ];
        render(template, &&parts[..], Some(shard)).unwrap().unwrap()
    }

    /// Returns whether the parts contain this value.
    fn has(&self, parts: &ParsedParts, position: u16) -> bool {
        match position {
            0 => parts.value(0) == Ok(self.text.clone()),
            1 => parts.get(1) == Some(&self.id),
            2 => parts.value(2) == Ok(self.number),
            3 => parts.value(3) == Ok(self.signed),
            4 => parts.value(4) == Ok(self.day),
            5 => parts.value(5) == Ok(self.instant),
            6 => parts.value(6) == Ok(self.expiry),
            _ => parts.get(7) == Some(&self.word),
        }
    }

    /// Returns whether the fields at these positions are equal.
    fn agrees(&self, other: &Self, positions: &[u16]) -> bool {
        positions.iter().all(|position| match position {
            0 => self.text == other.text,
            1 => self.id == other.id,
            2 => self.number == other.number,
            3 => self.signed == other.signed,
            4 => self.day == other.day,
            5 => self.instant == other.instant,
            6 => self.expiry == other.expiry,
            _ => self.word == other.word,
        })
    }
}

prop_compose! {
    fn values()(
        // Few characters, so that equal and similar texts occur.
        text in "[a#b-]{1,3}",
        id in "[a-c0-1.:-]{1,4}",
        number in prop_oneof![0..20_u32, any::<u32>()],
        signed in prop_oneof![-20..20_i32, any::<i32>()],
        days in 0..3_i32,
        instant in prop_oneof![0..5_i64, Timestamp::MIN.as_ms()..=Timestamp::MAX.as_ms()],
        expiry in 0..=9_999_999_999_i64,
        word in "[a-b]{1,2}",
    ) -> Values {
        Values {
            text, id, number, signed, word,
            day: Date::EPOCH.plus_days(days).unwrap(),
            instant: Timestamp::from_ms(instant).unwrap(),
            expiry: EpochSeconds::new(expiry),
        }
    }
}

/// Generates templates in which every field of variable width is followed by `#` or by the end, and
/// free text occurs only at the end.
fn template_text() -> impl Strategy<Value = String> {
    let field = prop_oneof![
        Just("{id}#"),
        Just("{number}#"),
        Just("{number:010}"),
        Just("{number:012}#"),
        Just("{signed}#"),
        Just("{day}"),
        Just("{instant}"),
        Just("{expiry}"),
        Just("{word}#x"),
        Just("A#"),
        Just("{shard}#"),
        Just("{id}{day}#"),
    ];
    let last = prop_oneof![
        Just("{text}"),
        Just("{id}"),
        Just("{number}"),
        Just("{shard}"),
        Just("{id}-end"),
        Just("Z"),
    ];
    (prop::collection::vec(field, 0..5), last).prop_map(|(fields, last)| fields.concat() + last)
}

/// Returns the positions of the fields of a template.
fn positions(template: &Template) -> Vec<u16> {
    let field = |segment: &Segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        _ => None,
    };
    template.segments.iter().filter_map(field).collect()
}

proptest! {
    #[test]
    fn a_rendered_key_parses_into_its_values(
        text in template_text(), values in values(), shard in 0..20_u16,
    ) {
        let template = template(&text);
        let key = values.render(&template, shard);
        let mut parts = ParsedParts::default();
        prop_assert!(parse_template(&template, &key, &mut parts), "{text}: {key}");
        for position in positions(&template) {
            prop_assert!(values.has(&parts, position), "{text}: {key}: {parts:?}");
        }
    }

    #[test]
    fn different_values_render_different_keys(
        text in template_text(), one in values(), other in values(),
    ) {
        let template = template(&text);
        let agree = one.agrees(&other, &positions(&template));
        prop_assert_eq!(one.render(&template, 0) == other.render(&template, 0), agree, "{}", text);
    }
}
