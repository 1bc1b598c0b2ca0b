//! Cursors: the end of a page, signed so that clients cannot forge one or use it for another query.

use std::fmt;
use std::str::FromStr;

use base64_simd::URL_SAFE_NO_PAD as BASE64;
use hmac::{Hmac, KeyInit, Mac};
use monotable_types::{AttributeValue, Item, Number};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::rows::Selection;
use crate::error::{Error, Result};

/// How long a cursor is valid.
const VALID_SECONDS: i64 = 24 * 60 * 60;

/// The version of the encoding.
const FORM: u8 = 1;

const SIGNATURE_BYTES: usize = 32;

/// The end of a page, as text that a client may keep for a day and send back.
///
/// The text is signed with the table's cursor key and bound to the pattern and its arguments: a
/// modified or forged cursor, or one of another query, is refused. It is not encrypted: anyone who
/// has it can read the keys of the rows around it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cursor(String);

impl fmt::Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for Cursor {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

/// The direction of a cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Way {
    /// To the rows after the page.
    Onward,
    /// To the rows before the page.
    Back,
}

impl Way {
    /// Returns the opposite direction.
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Onward => Self::Back,
            Self::Back => Self::Onward,
        }
    }
}

/// A position in the rows of a query: one position per shard.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bookmark {
    pub(crate) way: Way,
    pub(crate) positions: Vec<Position>,
}

/// A position in one partition.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Position {
    /// Nothing has been read: the start, or the end if the direction is backward.
    Edge,
    /// Right after this key, or right before it if the direction is backward.
    Key(Item),
}

/// The contents of a cursor.
#[derive(Serialize, Deserialize)]
struct Inside {
    form: u8,
    way: Way,
    /// One key per shard, as attribute, type and text; empty at the edge.
    keys: Vec<Vec<(String, char, String)>>,
    expires: i64,
}

impl Cursor {
    /// Encodes and signs a bookmark.
    pub(crate) fn seal(selection: &Selection, bookmark: &Bookmark) -> Result<Self> {
        let inside = Inside {
            form: FORM,
            way: bookmark.way,
            keys: bookmark.positions.iter().map(write_position).collect::<Result<_>>()?,
            expires: selection.context.now_seconds().as_seconds() + VALID_SECONDS,
        };
        let mut bytes = serde_json::to_vec(&inside).map_err(|_| Error::InvalidCursor)?;
        bytes.extend_from_slice(&signer(selection, &bytes)?.finalize().into_bytes());
        Ok(Self(BASE64.encode_to_string(bytes)))
    }

    /// Decodes a bookmark of the same query.
    pub(crate) fn open(&self, selection: &Selection) -> Result<Bookmark> {
        let bytes = BASE64.decode_to_vec(self.0.as_bytes()).map_err(|_| Error::InvalidCursor)?;
        let split = bytes.len().checked_sub(SIGNATURE_BYTES).ok_or(Error::InvalidCursor)?;
        let (inside, signature) = bytes.split_at(split);
        // The comparison takes constant time.
        signer(selection, inside)?.verify_slice(signature).map_err(|_| Error::InvalidCursor)?;
        let inside: Inside = serde_json::from_slice(inside).map_err(|_| Error::InvalidCursor)?;
        if inside.form != FORM || inside.expires <= selection.context.now_seconds().as_seconds() {
            return Err(Error::InvalidCursor);
        }
        let positions = inside.keys.into_iter().map(read_position).collect::<Result<_>>()?;
        Ok(Bookmark { way: inside.way, positions })
    }
}

/// Returns the signer of cursors of one query: the table, the pattern and all arguments.
fn signer(selection: &Selection, inside: &[u8]) -> Result<Hmac<Sha256>> {
    let pattern = selection.route.pattern;
    let mut query = Sha256::new();
    for text in [&*selection.context.table_name, pattern.name, pattern.index.unwrap_or_default()] {
        query.update((text.len() as u64).to_be_bytes());
        query.update(text);
    }
    query.update(format!("{:?}{:?}", selection.conditions, selection.filter));
    let mut signer = Hmac::<Sha256>::new_from_slice(&selection.context.cursor_key)
        .map_err(|_| Error::InvalidCursor)?;
    signer.update(&query.finalize());
    signer.update(inside);
    Ok(signer)
}

fn write_position(position: &Position) -> Result<Vec<(String, char, String)>> {
    let Position::Key(key) = position else { return Ok(Vec::new()) };
    key.iter()
        .map(|(name, value)| match value {
            AttributeValue::S(text) => Ok((name.clone(), 'S', text.clone())),
            AttributeValue::N(number) => Ok((name.clone(), 'N', number.to_string())),
            AttributeValue::B(bytes) => Ok((name.clone(), 'B', BASE64.encode_to_string(bytes))),
            _ => Err(Error::InvalidCursor),
        })
        .collect()
}

fn read_position(key: Vec<(String, char, String)>) -> Result<Position> {
    if key.is_empty() {
        return Ok(Position::Edge);
    }
    key.into_iter()
        .map(|(name, type_name, text)| {
            let value = match type_name {
                'S' => AttributeValue::S(text),
                'N' => AttributeValue::N(text.parse::<Number>().map_err(|_| Error::InvalidCursor)?),
                'B' => {
                    AttributeValue::B(BASE64.decode_to_vec(text).map_err(|_| Error::InvalidCursor)?)
                }
                _ => return Err(Error::InvalidCursor),
            };
            Ok((name, value))
        })
        .collect::<Result<Item>>()
        .map(Position::Key)
}
