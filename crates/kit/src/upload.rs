//! Files in requests. Programs send them as base64 in JSON, browsers in a multipart form, whose
//! parts become the same texts.

use std::fmt;

use base64_simd::STANDARD as BASE64;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;

use crate::field_type::FieldType;
use crate::schema::Kind;

/// The size of a request with a photo of [the largest size](crate::image::IMAGE_BYTES_MAX) as
/// base64, and other fields.
pub const UPLOAD_BODY_BYTES_MAX: usize = 12 * 1024 * 1024;

/// An uploaded file, as a field of a body. Its content must be checked: see
/// [`Image`](crate::image::Image).
#[derive(Clone, PartialEq, Eq)]
pub struct Upload {
    /// The content.
    pub bytes: Bytes,
    /// The declared media type.
    pub media_type: Option<String>,
}

impl Upload {
    /// Returns the text of a file in a body.
    pub(crate) fn text(media_type: &str, bytes: &[u8]) -> String {
        let mut text = format!("data:{media_type};base64,");
        BASE64.encode_append(bytes, &mut text);
        text
    }

    fn read(text: &str) -> Option<Self> {
        let (media_type, data) = parts(text)?;
        let bytes = BASE64.decode_to_vec(data).ok()?.into();
        let media_type = Some(media_type).filter(|it| !it.is_empty()).map(str::to_owned);
        Some(Self { bytes, media_type })
    }
}

/// Returns the declared media type of a text, which may be empty, and its base64.
fn parts(text: &str) -> Option<(&str, &str)> {
    let Some(url) = text.strip_prefix("data:") else { return Some(("", text)) };
    let (declared, data) = url.split_once(',')?;
    Some((declared.strip_suffix(";base64")?, data))
}

/// Returns what is wrong with the text of a file.
pub(crate) fn check(text: &str) -> Result<(), String> {
    match parts(text) {
        Some((_, "")) => Err("must not be empty".to_owned()),
        Some((_, data)) if BASE64.check(data.as_bytes()).is_ok() => Ok(()),
        _ => Err("must be a file as base64 or a data URL".to_owned()),
    }
}

impl fmt::Debug for Upload {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Upload({} bytes)", self.bytes.len())
    }
}

impl FieldType for Upload {
    fn kind() -> Kind {
        Kind::File
    }

    fn example() -> Option<Value> {
        Some("data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==".into())
    }
}

impl<'de> Deserialize<'de> for Upload {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text).ok_or_else(|| serde::de::Error::custom("no base64"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::image::{Image, ImageFormat};

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let text = Upload::text("image/png", b"\0\xff!");
        assert_eq!(text, "data:image/png;base64,AP8h");
        let upload = Upload::read(&text).unwrap();
        assert_eq!(upload.bytes, &b"\0\xff!"[..]);
        assert_eq!(upload.media_type.as_deref(), Some("image/png"));
        for text in ["AP8h", "data:;base64,AP8h"] {
            let upload = Upload::read(text).unwrap();
            assert_eq!((upload.bytes.as_ref(), upload.media_type), (&b"\0\xff!"[..], None));
        }
        for text in ["data:image/png,AP8h", "data:image/png", "AP8", "A P8", "AP8h\n", "AP_h"] {
            assert!(check(text).is_err() && Upload::read(text).is_none(), "{text}");
        }
        for text in ["", "data:;base64,"] {
            assert_eq!(check(text), Err("must not be empty".to_owned()));
        }
    }

    #[test]
    fn the_example_of_the_documentation_is_a_photo() {
        let example = Upload::example().unwrap();
        let upload = Upload::read(example.as_str().unwrap()).unwrap();
        let image = Image::read(&upload.bytes, upload.media_type.as_deref()).unwrap();
        assert_eq!((image.format, image.width, image.height), (ImageFormat::Gif, 1, 1));
    }
}
