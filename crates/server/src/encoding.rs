//! Compressed bodies: requests are decoded within the limits of plain ones, responses are compressed for
//! clients that accept it.

use std::borrow::Cow;
use std::io::{Read, Write as _};

use flate2::Compression;
use flate2::bufread::{MultiGzDecoder, ZlibDecoder};
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::body_memory::BodyShare;
use crate::limits::{ROOM_BYTES_MAX, SMALL_BODY_BYTES};
use crate::worker::Worker;

/// Smaller responses are not compressed.
pub(crate) const COMPRESSED_BYTES_MIN: usize = 4 * 1024;

/// The supported codings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    /// The format of zlib (RFC 1950), which HTTP calls deflate.
    Deflate,
}

/// The `Content-Encoding` of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContentEncoding {
    Identity,
    Coded(Coding),
    /// An unknown coding, or several.
    Unknown,
}

/// Why a body can't be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecodeError {
    Unknown,
    /// It does not match `Content-Encoding`, has a wrong checksum, or is followed by something.
    Broken,
    TooLarge,
    /// There is not enough memory now.
    Busy,
}

impl Coding {
    fn parse(name: &[u8]) -> Option<Self> {
        match name {
            name if name.eq_ignore_ascii_case(b"gzip") => Some(Self::Gzip),
            name if name.eq_ignore_ascii_case(b"x-gzip") => Some(Self::Gzip),
            name if name.eq_ignore_ascii_case(b"deflate") => Some(Self::Deflate),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
        }
    }

    /// Compresses a body; returns `None` if that does not make it smaller.
    pub(crate) fn compress(self, body: &[u8]) -> Option<Vec<u8>> {
        let output = Vec::with_capacity(body.len() / 4);
        let compressed = match self {
            Self::Gzip => {
                let mut encoder = GzEncoder::new(output, Compression::fast());
                encoder.write_all(body).and_then(|()| encoder.finish())
            }
            Self::Deflate => {
                let mut encoder = ZlibEncoder::new(output, Compression::fast());
                encoder.write_all(body).and_then(|()| encoder.finish())
            }
        };
        compressed.ok().filter(|compressed| compressed.len() < body.len())
    }
}

/// The weights of the codings in `Accept-Encoding`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AcceptEncoding {
    gzip: Option<f32>,
    deflate: Option<f32>,
    identity: Option<f32>,
    any: Option<f32>,
}

impl AcceptEncoding {
    /// Adds the weights of another header.
    pub(crate) fn with(mut self, value: &[u8]) -> Self {
        for part in value.split(|&byte| byte == b',') {
            let mut words = part.split(|&byte| byte == b';').map(<[u8]>::trim_ascii);
            let name = words.next().unwrap_or_default();
            let weight = Some(words.find_map(weight).unwrap_or(1.0));
            match Coding::parse(name) {
                Some(Coding::Gzip) => self.gzip = weight,
                Some(Coding::Deflate) => self.deflate = weight,
                None if name == b"*" => self.any = weight,
                None if name.eq_ignore_ascii_case(b"identity") => self.identity = weight,
                None => {}
            }
        }
        self
    }

    /// Returns the coding that the client prefers; `None` for a plain body.
    pub(crate) fn best(self) -> Option<Coding> {
        let any = self.any.unwrap_or(0.0);
        let (gzip, deflate) = (self.gzip.unwrap_or(any), self.deflate.unwrap_or(any));
        let best = gzip.max(deflate);
        match best > 0.0 && best >= self.identity.unwrap_or(0.0) {
            true if gzip >= deflate => Some(Coding::Gzip),
            true => Some(Coding::Deflate),
            false => None,
        }
    }
}

/// Returns the number in `q=0.5`; an invalid one accepts nothing.
fn weight(word: &[u8]) -> Option<f32> {
    let number = word.strip_prefix(b"q=").or_else(|| word.strip_prefix(b"Q="))?;
    let number = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
    Some(number.filter(|number| (0.0..=1.0).contains(number)).unwrap_or(0.0))
}

impl ContentEncoding {
    /// Adds the coding of another header.
    pub(crate) fn with(self, value: &[u8]) -> Self {
        let names = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
        names.fold(self, |encoding, name| match (encoding, Coding::parse(name)) {
            (encoding, None) if name.is_empty() || name.eq_ignore_ascii_case(b"identity") => {
                encoding
            }
            (Self::Identity, Some(coding)) => Self::Coded(coding),
            _ => Self::Unknown,
        })
    }

    /// Returns the body of a request, at most `bytes_max` of it. Its memory is added to the
    /// request's share.
    pub(crate) async fn decode<'b>(
        self,
        body: &'b [u8],
        bytes_max: usize,
        worker: &Worker,
        share: &mut BodyShare,
    ) -> Result<Cow<'b, [u8]>, DecodeError> {
        if body.is_empty() {
            return Ok(Cow::Borrowed(body));
        }
        let decoded = match self {
            Self::Identity => return Ok(Cow::Borrowed(body)),
            Self::Unknown => return Err(DecodeError::Unknown),
            Self::Coded(Coding::Gzip) => {
                read_all(MultiGzDecoder::new(body), bytes_max, worker, share).await?
            }
            Self::Coded(Coding::Deflate) => {
                let mut decoder = ZlibDecoder::new(body);
                let decoded = read_all(&mut decoder, bytes_max, worker, share).await?;
                if !decoder.into_inner().is_empty() {
                    return Err(DecodeError::Broken);
                }
                decoded
            }
        };
        Ok(Cow::Owned(decoded))
    }
}

/// Reads to the end, up to the limit: a small body can decode to one a thousand times as large.
async fn read_all(
    mut decoder: impl Read,
    bytes_max: usize,
    worker: &Worker,
    share: &mut BodyShare,
) -> Result<Vec<u8>, DecodeError> {
    let mut decoded = Vec::new();
    loop {
        let start = decoded.len();
        // One more byte shows that it is too large.
        let room = start
            .clamp(SMALL_BODY_BYTES, ROOM_BYTES_MAX)
            .min((bytes_max - start).saturating_add(1));
        if start + room > SMALL_BODY_BYTES {
            let grown = worker.shared().body_memory.grow(share, room);
            let grown = tokio::time::timeout(worker.limits().body_timeout, grown).await;
            grown.map_err(|_| DecodeError::Busy)?;
            // Other connections of this thread must not wait for all of it.
            tokio::task::yield_now().await;
        }
        decoded.reserve_exact(room);
        let read = decoder.by_ref().take(room as u64).read_to_end(&mut decoded);
        let read = read.map_err(|_| DecodeError::Broken)?;
        if decoded.len() > bytes_max {
            return Err(DecodeError::TooLarge);
        }
        if read < room {
            return Ok(decoded);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_accepted_coding_is_taken() {
        for (value, expected) in [
            ("gzip", Some(Coding::Gzip)),
            ("GZIP, deflate, br", Some(Coding::Gzip)),
            ("deflate", Some(Coding::Deflate)),
            ("gzip;q=0.5, deflate;q=0.8", Some(Coding::Deflate)),
            ("br;q=1.0, gzip ; q=0.2", Some(Coding::Gzip)),
            ("*", Some(Coding::Gzip)),
            ("gzip;q=0, *", Some(Coding::Deflate)),
            ("x-gzip", Some(Coding::Gzip)),
            ("", None),
            ("identity", None),
            ("identity, gzip", Some(Coding::Gzip)),
            ("identity;q=1, gzip;q=0.1", None),
            ("identity;q=0.5, *", Some(Coding::Gzip)),
            ("br, zstd", None),
            ("gzip;q=0", None),
            ("gzip;q=0.000, deflate;Q=0", None),
            ("gzip;q=2", None),
            ("gzip;q=x", None),
            ("*;q=0", None),
            ("gzipped", None),
        ] {
            let accepted = AcceptEncoding::default().with(value.as_bytes());
            assert_eq!(accepted.best(), expected, "{value}");
        }
    }

    #[test]
    fn one_coding_is_known_and_two_are_not() {
        let parse = |value: &str| ContentEncoding::Identity.with(value.as_bytes());
        for (value, expected) in [
            ("", ContentEncoding::Identity),
            ("identity", ContentEncoding::Identity),
            ("GZip", ContentEncoding::Coded(Coding::Gzip)),
            ("deflate", ContentEncoding::Coded(Coding::Deflate)),
            ("identity, gzip", ContentEncoding::Coded(Coding::Gzip)),
            ("gzip, gzip", ContentEncoding::Unknown),
            ("gzip, br", ContentEncoding::Unknown),
            ("br", ContentEncoding::Unknown),
            ("aws-chunked", ContentEncoding::Unknown),
            ("gzip;q=1", ContentEncoding::Unknown),
        ] {
            assert_eq!(parse(value), expected, "{value}");
        }
        assert_eq!(parse("gzip").with(b"deflate"), ContentEncoding::Unknown);
        assert_eq!(parse("br").with(b"identity"), ContentEncoding::Unknown);
    }

    #[test]
    fn what_does_not_become_smaller_is_not_compressed() {
        let text = "abc".repeat(2_000);
        for coding in [Coding::Gzip, Coding::Deflate] {
            assert!(coding.compress(text.as_bytes()).unwrap().len() < 200);
            assert_eq!(coding.compress(b"abc"), None);
        }
    }
}
