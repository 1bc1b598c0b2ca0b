//! Photos that users upload: their format, their size, and the removal of everything that is not
//! needed to draw them.
//!
//! | | kept | dropped |
//! |---|---|---|
//! | JPEG | frames, scans and their tables, Adobe's colour mark, the orientation | EXIF, GPS, XMP, colour profiles, comments, previews |
//! | PNG | header, palette, transparency, pixels | texts, EXIF, times, colour profiles, animation |
//! | GIF | the first picture with its palette and transparency | comments, application data, further pictures |
//! | WebP | pixels and transparency | EXIF, XMP, colour profiles |
//!
//! Data after the end of a picture is dropped in all four formats, so that no other file can hide
//! there. The only EXIF value that drawing needs is the orientation of a JPEG: it is written again,
//! alone. Other formats such as SVG and HTML are refused, whatever their name or declared type.
//! Pixels are not decoded here, but the inflated size of a PNG is measured; dimensions are bounded,
//! because browsers will draw them.

mod bytes;
mod gif;
mod jpeg;
mod photo;
mod png;
mod webp;

use ::bytes::Bytes;

pub use self::photo::Photo;

use self::bytes::Reader;
use crate::problem::{Problem, ProblemKind};

/// Bytes of a photo at most.
pub const IMAGE_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Pixels along a side at most.
const SIDE_MAX: u32 = 10_000;
/// Pixels at most.
const PIXELS_MAX: u64 = 50_000_000;

/// A photo that browsers can show, reduced to the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The file.
    pub bytes: Bytes,
    /// Its format.
    pub format: ImageFormat,
    /// The displayed width in pixels.
    pub width: u32,
    /// The displayed height in pixels.
    pub height: u32,
}

/// A format of photos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// `image/jpeg`
    Jpeg,
    /// `image/png`
    Png,
    /// `image/gif`
    Gif,
    /// `image/webp`
    WebP,
}

/// All of them, with their media types and the extensions of their files.
const FORMATS: [(ImageFormat, &str, &str); 4] = [
    (ImageFormat::Jpeg, "image/jpeg", "jpg"),
    (ImageFormat::Png, "image/png", "png"),
    (ImageFormat::Gif, "image/gif", "gif"),
    (ImageFormat::WebP, "image/webp", "webp"),
];

impl ImageFormat {
    /// Returns the format of a media type.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        let media_type = media_type.split(';').next().unwrap_or_default().trim();
        // Some programs use this name for JPEG.
        if media_type.eq_ignore_ascii_case("image/jpg") {
            return Some(Self::Jpeg);
        }
        let mut formats = FORMATS.into_iter();
        formats.find(|(_, name, _)| media_type.eq_ignore_ascii_case(name)).map(|(it, ..)| it)
    }

    /// Returns the format of the files with an extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        FORMATS.into_iter().find(|(.., known)| *known == extension).map(|(it, ..)| it)
    }

    /// Returns its media type.
    pub fn media_type(self) -> &'static str {
        self.row().1
    }

    /// Returns the extension of its files, without a dot.
    pub fn extension(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (Self, &'static str, &'static str) {
        FORMATS.into_iter().find(|(it, ..)| *it == self).unwrap_or(FORMATS[0])
    }

    /// Detects the format by the first bytes of a file.
    fn of_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ if bytes.starts_with(png::SIGNATURE) => Some(Self::Png),
            _ if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") => Some(Self::Gif),
            _ => None,
        }
    }
}

/// Why a file is refused as a photo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It has more than 8 MB.
    #[error("The photo is larger than 8 MB.")]
    TooManyBytes,
    /// It is in none of the four formats.
    #[error("The file is not a photo. Send a JPEG, PNG, GIF or WebP file.")]
    NotAnImage,
    /// Its declared type is not its actual type.
    #[error("The file does not have its declared type.")]
    OtherType,
    /// It is truncated, or violates its format.
    #[error("The photo is damaged: {0}.")]
    Damaged(&'static str),
    /// It has too many pixels.
    #[error(
        "The photo has too many pixels. Send one of at most 50 million, with sides of at most 10,000."
    )]
    TooManyPixels,
    /// It is animated.
    #[error("The picture is animated. Send a photo.")]
    Animated,
}

impl ImageError {
    /// Returns the problem of a request that has sent the file: 413 `PHOTO_TOO_LARGE`, or 400 `BAD_IMAGE`.
    pub fn problem(self) -> Problem {
        match self {
            Self::TooManyBytes => {
                Problem::new(ProblemKind::TooLarge, "PHOTO_TOO_LARGE", self.to_string())
            }
            _ => Problem::invalid("BAD_IMAGE", self.to_string()),
        }
    }
}

/// The result of parsing and stripping a file.
struct Stripped {
    bytes: Vec<u8>,
    width: u32,
    height: u32,
}

impl Image {
    /// Reads an uploaded photo. Its first bytes decide the format; `declared` is the media type
    /// that the client sent, if any.
    ///
    /// # Errors
    /// Fails if the file is refused.
    pub fn read(bytes: &[u8], declared: Option<&str>) -> Result<Self, ImageError> {
        if bytes.len() > IMAGE_BYTES_MAX {
            return Err(ImageError::TooManyBytes);
        }
        let format = ImageFormat::of_bytes(bytes).ok_or(ImageError::NotAnImage)?;
        if declared.is_some_and(|declared| ImageFormat::of_media_type(declared) != Some(format)) {
            return Err(ImageError::OtherType);
        }
        let reader = Reader::new(bytes);
        let Stripped { bytes, width, height } = match format {
            ImageFormat::Jpeg => jpeg::strip(reader)?,
            ImageFormat::Png => png::strip(reader)?,
            ImageFormat::Gif => gif::strip(reader)?,
            ImageFormat::WebP => webp::strip(reader)?,
        };
        Ok(Self { bytes: bytes.into(), format, width, height })
    }

    /// Reads a photo on a thread for blocking work.
    ///
    /// # Errors
    /// Returns the errors of [`read`](Self::read), as problems of the request.
    pub async fn received(bytes: Bytes, declared: Option<String>) -> Result<Self, Problem> {
        let read = tokio::task::spawn_blocking(move || Self::read(&bytes, declared.as_deref()));
        let read = read.await.map_err(|_| Problem::internal("reading a photo panicked"))?;
        read.map_err(ImageError::problem)
    }
}

/// Refuses dimensions that are zero or too large to be drawn.
fn check_size(width: u32, height: u32) -> Result<(), ImageError> {
    if width == 0 || height == 0 {
        return Err(ImageError::Damaged("it has no pixels"));
    }
    let is_too_large =
        width.max(height) > SIDE_MAX || u64::from(width) * u64::from(height) > PIXELS_MAX;
    if is_too_large { Err(ImageError::TooManyPixels) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
