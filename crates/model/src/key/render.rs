//! Templates against values: `TEAM#{team_id}` and `TEAM#42`.

use monotable_design::meta::{Segment, Template};
use monotable_design::part::{Form, PartKind};

use super::{KeyError, ParsedParts, PartText, Parts};

/// Renders a template. `None` says that an optional field is absent, so there is no such key.
///
/// # Errors
/// If a value can't stand in a key.
pub fn render(
    template: &Template,
    parts: &dyn Parts,
    shard: Option<u16>,
) -> Result<Option<String>, KeyError> {
    let mut text = String::with_capacity(template.text.len() + 32);
    for segment in template.segments {
        match segment {
            Segment::Literal(literal) => text.push_str(literal),
            Segment::Field { position, pad, .. } => {
                if !parts.write_part(*position, *pad, &mut text)? {
                    return Ok(None);
                }
            }
            Segment::Shard => match shard {
                Some(shard) => shard.write(0, &mut text)?,
                None => return Ok(None),
            },
        }
    }
    Ok(Some(text))
}

/// Takes a rendered key apart, adding the texts of its fields to `parts`: numbers without the zeros of
/// their padding, so that a field has the same text wherever it stands. `false` says that no values
/// render this text, or others than those in `parts` already; then `parts` is as before.
pub fn parse_template(template: &Template, text: &str, parts: &mut ParsedParts) -> bool {
    let known = parts.0.len();
    let follows = parse_segments(template.segments, text, parts).is_some();
    if !follows {
        parts.0.truncate(known);
    }
    follows
}

fn parse_segments(segments: &[Segment], text: &str, parts: &mut ParsedParts) -> Option<()> {
    let mut rest = text;
    let mut segments = segments;
    while let [segment, behind @ ..] = segments {
        segments = behind;
        if let Segment::Literal(literal) = segment {
            rest = rest.strip_prefix(literal)?;
            continue;
        }
        let (value, after) = rest.split_at_checked(value_bytes(segment, behind, rest)?)?;
        if !fits(segment, value, parts) {
            return None;
        }
        rest = after;
    }
    rest.is_empty().then_some(())
}

/// How many bytes of the text belong to a field: as many as it always has, or all up to the next
/// literal, apart from the fields of fixed width between.
fn value_bytes(segment: &Segment, behind: &[Segment], rest: &str) -> Option<usize> {
    if let Some(bytes) = width(segment) {
        return Some(bytes);
    }
    let mut fixed = 0;
    for (position, segment) in behind.iter().enumerate() {
        let Segment::Literal(literal) = segment else {
            // Two fields of varying width side by side can't be told apart.
            fixed += width(segment)?;
            continue;
        };
        let found = if position + 1 == behind.len() {
            // The last literal ends the key, even where the value has the same characters.
            rest.strip_suffix(literal).map(str::len)
        } else {
            rest.find(literal)
        };
        return found?.checked_sub(fixed);
    }
    rest.len().checked_sub(fixed)
}

/// The bytes that a segment always has.
fn width(segment: &Segment) -> Option<usize> {
    match segment {
        Segment::Field { pad: pad @ 1.., kind, .. } if is_unsigned(*kind) => {
            Some(usize::from((*pad).max(kind.width)))
        }
        Segment::Field { kind, .. } if kind.width > 0 => Some(usize::from(kind.width)),
        _ => None,
    }
}

const fn is_unsigned(kind: PartKind) -> bool {
    matches!(kind.form, Form::Unsigned { .. })
}

/// Whether a text can be the value of a segment; if so it is remembered.
fn fits(segment: &Segment, value: &str, parts: &mut ParsedParts) -> bool {
    let Segment::Field { position, kind, .. } = segment else {
        return is_number(value);
    };
    if value.is_empty() || !value.bytes().all(|byte| kind.charset.contains(byte)) {
        return false;
    }
    match (is_unsigned(*kind), width(segment)) {
        (true, Some(_)) => parts.insert(*position, without_padding(value)),
        (true, None) => is_number(value) && parts.insert(*position, value),
        (false, _) => parts.insert(*position, value),
    }
}

/// Whether a text is a number as it is written without padding. `007` is not: the key of 7 is another.
fn is_number(value: &str) -> bool {
    value.bytes().all(|byte| byte.is_ascii_digit())
        && (value == "0" || !(value.is_empty() || value.starts_with('0')))
}

fn without_padding(value: &str) -> &str {
    let number = value.trim_start_matches('0');
    if number.is_empty() { "0" } else { number }
}

#[cfg(test)]
mod tests;
