//! Renders templates with values, and parses them: `TEAM#{team_id}` and `TEAM#42`.

use monotable_design::meta::{Segment, Template};
use monotable_design::part::{Form, PartKind};

use super::{KeyError, ParsedParts, PartText, Parts};

/// Renders a template. Returns `None` if an optional field is absent, so that the key does not
/// exist.
///
/// # Errors
///
/// A value is not valid in a key.
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

/// Parses a rendered key and adds the texts of its fields to `parts`: numbers without their
/// padding, so that a field has the same text in every template. Returns `false` and leaves `parts`
/// unchanged if no values render this text, or if they differ from those already in `parts`.
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

/// Returns how many bytes of the text belong to a field: its fixed width, or everything up to the
/// next literal without the fields of fixed width in between.
fn value_bytes(segment: &Segment, behind: &[Segment], rest: &str) -> Option<usize> {
    if let Some(bytes) = width(segment) {
        return Some(bytes);
    }
    let mut fixed = 0;
    for (position, segment) in behind.iter().enumerate() {
        let Segment::Literal(literal) = segment else {
            // Two adjacent fields of variable width cannot be separated.
            fixed += width(segment)?;
            continue;
        };
        let found = if position + 1 == behind.len() {
            // The last literal ends the key, even if the value contains the same characters.
            rest.strip_suffix(literal).map(str::len)
        } else {
            rest.find(literal)
        };
        return found?.checked_sub(fixed);
    }
    rest.len().checked_sub(fixed)
}

/// Returns the fixed width of a segment in bytes, if it has one.
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

/// Returns whether a text can be the value of a segment; if so, adds it to the parts.
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

/// Returns whether a text is a number without padding. `007` is not: it is another key than that of
/// 7.
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
