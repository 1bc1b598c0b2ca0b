//! Templates against values: `TEAM#{team_id}` and `TEAM#42`.

use monotable_design::meta::{Segment, Template};

use super::{KeyError, ParsedParts, Parts};

/// Renders a template. `None` says that an optional field is absent, so there is no such key.
///
/// # Errors
/// If a value can't stand in a key.
pub fn render(
    template: &Template,
    parts: &(impl Parts + ?Sized),
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
                Some(shard) => text.push_str(&shard.to_string()),
                None => return Ok(None),
            },
        }
    }
    Ok(Some(text))
}

/// Takes a rendered key apart, adding the texts of its fields to `parts`. `false` says that the text
/// does not follow the template.
pub fn parse_template(template: &Template, text: &str, parts: &mut ParsedParts) -> bool {
    let mut rest = text;
    let mut segments = template.segments.iter().peekable();
    while let Some(segment) = segments.next() {
        match segment {
            Segment::Literal(literal) => match rest.strip_prefix(literal) {
                Some(behind) => rest = behind,
                None => return false,
            },
            Segment::Field { .. } | Segment::Shard => {
                let bytes = match (width(segment), segments.peek()) {
                    (Some(width), _) => width,
                    (None, None) => rest.len(),
                    (None, Some(Segment::Literal(literal))) => match rest.find(literal) {
                        Some(bytes) => bytes,
                        None => return false,
                    },
                    (None, Some(_)) => return false,
                };
                let Some((value, behind)) = rest.split_at_checked(bytes) else { return false };
                if !fits(segment, value, parts) {
                    return false;
                }
                rest = behind;
            }
        }
    }
    rest.is_empty()
}

/// The bytes that a segment always has.
fn width(segment: &Segment) -> Option<usize> {
    match segment {
        Segment::Field { pad: pad @ 1.., .. } => Some(usize::from(*pad)),
        Segment::Field { kind, .. } if kind.width > 0 => Some(usize::from(kind.width)),
        _ => None,
    }
}

/// Whether a text can be the value of a segment; if so it is remembered.
fn fits(segment: &Segment, value: &str, parts: &mut ParsedParts) -> bool {
    match segment {
        Segment::Field { position, kind, .. } => {
            (kind.may_be_empty || !value.is_empty())
                && value.bytes().all(|byte| kind.charset.contains(byte))
                && parts.insert(*position, value)
        }
        _ => !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()),
    }
}
