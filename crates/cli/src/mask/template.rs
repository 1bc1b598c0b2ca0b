//! Parsing of keys by their templates: the text of each field.

use anyhow::{Result, anyhow};
use monotable::design::template::{Piece, parse};

/// A template, or a key without one.
#[derive(Clone, Debug)]
pub(super) struct Template(Vec<Piece>);

/// A part of a key: a literal, or the text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part<'t, 'k> {
    Literal(&'t str),
    Field(&'t str, &'k str),
    Shard(&'k str),
}

impl Template {
    pub(super) fn parse(text: &str) -> Result<Self> {
        parse(text).map(Self).map_err(|error| anyhow!("{}", error.message))
    }

    /// Splits a key; `None` if it does not match the template.
    pub(super) fn split<'t, 'k>(&'t self, key: &'k str) -> Option<Vec<Part<'t, 'k>>> {
        let mut parts = Vec::with_capacity(self.0.len());
        split(&self.0, key, &mut parts).then_some(parts)
    }
}

/// Adds the parts of a key; returns false if it does not match the pieces. A field ends where the
/// next piece matches first.
fn split<'t, 'k>(pieces: &'t [Piece], key: &'k str, parts: &mut Vec<Part<'t, 'k>>) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return key.is_empty() };
    if let Piece::Literal(literal) = piece {
        let Some(behind) = key.strip_prefix(literal.as_str()) else { return false };
        parts.push(Part::Literal(literal));
        return split(rest, behind, parts);
    }
    let count = parts.len();
    let ends = key.char_indices().map(|(position, _)| position).chain([key.len()]);
    for end in ends {
        // Fields of keys contain no `#`: it is encoded.
        if key[..end].contains('#') {
            return false;
        }
        parts.push(match piece {
            Piece::Field { name, .. } => Part::Field(name, &key[..end]),
            Piece::Shard | Piece::Literal(_) => Part::Shard(&key[..end]),
        });
        if split(rest, &key[end..], parts) {
            return true;
        }
        parts.truncate(count);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_split_as_their_templates_say() {
        let template = Template::parse("TEAM#{team}#{number:04}").unwrap();
        let expected = [
            Part::Literal("TEAM#"),
            Part::Field("team", "red"),
            Part::Literal("#"),
            Part::Field("number", "0007"),
        ];
        assert_eq!(template.split("TEAM#red#0007").unwrap(), expected);
        for other in ["TEAM#red", "USER#red#0007", "TEAM#red#0007#x", ""] {
            assert_eq!(template.split(other), None, "{other}");
        }
        let shard = Template::parse("ALL{shard}").unwrap();
        assert_eq!(shard.split("ALL7").unwrap()[1], Part::Shard("7"));
        assert_eq!(Template::parse("METADATA").unwrap().split("METADATA").unwrap().len(), 1);
    }
}
