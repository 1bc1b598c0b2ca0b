//! The value of a value row: JSON text, compressed when it is long.

use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use monotable_types::{AttributeValue, Item, item_size_bytes};

use super::location::{CONTENT_TYPE, META, VALUE};
use super::{CodecError, CodecProblem};

/// The longest JSON text that is not compressed, in bytes.
pub const PLAIN_JSON_BYTES_MAX: usize = 10_000;
/// The maximum size of a value row's attributes, which leaves space for its key.
pub const VALUE_ROW_BYTES_MAX: usize = 390 * 1024;
/// The maximum size of JSON text before compression, so that a row cannot fill the memory of a
/// reader.
pub const JSON_BYTES_MAX: usize = 16 << 20;

/// The mark of a compressed value in `meta`.
pub(crate) const COMPRESSED: &str = "compressed";
/// The first bytes of gzip's output.
const GZIP_START: [u8; 2] = [0x1f, 0x8b];
const JSON_CONTENT_TYPE: &str = "application/json";

/// Writes JSON text into a row.
pub(crate) fn write_json(row: &mut Item, json: String) -> Result<(), CodecError> {
    if json.len() > JSON_BYTES_MAX {
        return Err(too_large(json.len(), JSON_BYTES_MAX));
    }
    row.insert(CONTENT_TYPE.to_owned(), JSON_CONTENT_TYPE.into());
    let value = if json.len() > PLAIN_JSON_BYTES_MAX {
        let meta = Item::from([(COMPRESSED.to_owned(), AttributeValue::Bool(true))]);
        row.insert(META.to_owned(), AttributeValue::M(meta));
        AttributeValue::B(compress(json.as_bytes())?)
    } else {
        AttributeValue::S(json)
    };
    row.insert(VALUE.to_owned(), value);
    Ok(())
}

/// Refuses a row that exceeds the maximum size.
pub(crate) fn check_size(row: &Item) -> Result<(), CodecError> {
    let bytes = item_size_bytes(row);
    if bytes > VALUE_ROW_BYTES_MAX {
        return Err(too_large(bytes, VALUE_ROW_BYTES_MAX));
    }
    Ok(())
}

fn too_large(bytes: usize, bytes_max: usize) -> CodecError {
    CodecError::new(CodecProblem::ValueTooLarge { bytes, bytes_max }).inside(VALUE)
}

/// Takes the value out of a row, and decompresses it if its `meta` marks it as compressed.
pub(super) fn take_value(row: &mut Item) -> Result<Option<AttributeValue>, CodecError> {
    let value = row.remove(VALUE);
    let is_compressed =
        row.get(META).and_then(|meta| meta.as_m()?.get(COMPRESSED)?.as_bool()).unwrap_or(false);
    match value {
        Some(AttributeValue::B(bytes)) if is_compressed => {
            let bytes = decompress(&bytes).map_err(|error| error.inside(VALUE))?;
            Ok(Some(match String::from_utf8(bytes) {
                Ok(text) => AttributeValue::S(text),
                Err(error) => AttributeValue::B(error.into_bytes()),
            }))
        }
        value => Ok(value),
    }
}

/// Takes the value of a row that does not store binary data: bytes become text, also those of a
/// program that compressed them without the mark. No text starts with gzip's first bytes.
pub(crate) fn take_text(row: &mut Item) -> Result<Option<AttributeValue>, CodecError> {
    let bytes = match take_value(row)? {
        Some(AttributeValue::B(bytes)) if bytes.starts_with(&GZIP_START) => {
            decompress(&bytes).map_err(|error| error.inside(VALUE))?
        }
        Some(AttributeValue::B(bytes)) => bytes,
        value => return Ok(value),
    };
    let text = String::from_utf8(bytes);
    text.map(|text| Some(text.into())).map_err(|error| CodecError::damaged(error).inside(VALUE))
}

/// Decompresses the value of a value row that stores text; returns whether it was compressed. Programs that look at
/// rows without their types use this and [`pack_value`].
///
/// # Errors
/// If the value can't be decompressed.
pub fn unpack_value(row: &mut Item) -> Result<bool, CodecError> {
    if !matches!(row.get(VALUE), Some(AttributeValue::B(bytes)) if bytes.starts_with(&GZIP_START)) {
        return Ok(false);
    }
    if let Some(text) = take_text(row)? {
        row.insert(VALUE.to_owned(), text);
    }
    if let Some(AttributeValue::M(meta)) = row.remove(META) {
        let meta = without_compressed(meta);
        if !meta.is_empty() {
            row.insert(META.to_owned(), AttributeValue::M(meta));
        }
    }
    Ok(true)
}

/// Compresses the text of a value row again if it is long.
///
/// # Errors
/// If the text is too long to be read.
pub fn pack_value(row: &mut Item) -> Result<(), CodecError> {
    match row.get(VALUE) {
        Some(AttributeValue::S(text)) if text.len() > PLAIN_JSON_BYTES_MAX => {
            let (text, meta) = (text.clone(), row.remove(META));
            write_json(row, text)?;
            if let (Some(AttributeValue::M(kept)), Some(AttributeValue::M(meta))) =
                (meta, row.get_mut(META))
            {
                meta.extend(kept);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Takes the JSON text out of a row; a row without a value yields an empty object.
pub(super) fn take_json(row: &mut Item) -> Result<String, CodecError> {
    match take_text(row)? {
        None => Ok("{}".to_owned()),
        Some(AttributeValue::S(text)) => Ok(text),
        Some(other) => Err(CodecError::mismatch("JSON text", &other).inside(VALUE)),
    }
}

/// Returns the entries of `meta` other than the compression mark, which also apply to the next
/// value.
pub(super) fn without_compressed(mut meta: Item) -> Item {
    meta.remove(COMPRESSED);
    meta
}

fn compress(bytes: &[u8]) -> Result<Vec<u8>, CodecError> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(CodecError::damaged)
}

fn decompress(bytes: &[u8]) -> Result<Vec<u8>, CodecError> {
    let mut decompressed = Vec::new();
    let bytes_max = JSON_BYTES_MAX as u64;
    GzDecoder::new(bytes)
        .take(bytes_max + 1)
        .read_to_end(&mut decompressed)
        .map_err(|error| CodecError::damaged(format!("the compressed value: {error}")))?;
    if decompressed.len() > JSON_BYTES_MAX {
        return Err(CodecError::damaged(format!(
            "the compressed value is larger than {JSON_BYTES_MAX} bytes"
        )));
    }
    Ok(decompressed)
}
