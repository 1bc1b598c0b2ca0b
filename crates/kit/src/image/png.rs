//! PNG (ISO/IEC 15948): chunks with checksums.

use std::io::Read as _;

use flate2::bufread::ZlibDecoder;

use super::bytes::Reader;
use super::{ImageError, Stripped, check_size};

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Bytes of pixels at most.
const INFLATED_BYTES_MAX: u64 = 256 * 1024 * 1024;

pub(super) fn strip(mut file: Reader<'_>) -> Result<Stripped, ImageError> {
    file.take(SIGNATURE.len())?;
    let (kind, content) = chunk(&mut file)?;
    if &kind != b"IHDR" {
        return Err(ImageError::Damaged("it has no header"));
    }
    let header = Header::read(content)?;
    let mut bytes = SIGNATURE.to_vec();
    write(&mut bytes, b"IHDR", content);
    let mut pixels: Vec<u8> = Vec::new();
    loop {
        let (kind, content) = chunk(&mut file)?;
        match &kind {
            b"PLTE" | b"tRNS" if pixels.is_empty() => {
                let bytes_max = if &kind == b"PLTE" { 3 * 256 } else { 256 };
                if content.len() > bytes_max {
                    return Err(ImageError::Damaged("its palette is too large"));
                }
                write(&mut bytes, &kind, content);
            }
            b"IDAT" => pixels.extend(content),
            b"IEND" => break,
            // The first letter of a critical chunk is a capital; other critical chunks are refused.
            [b'A'..=b'Z', ..] => {
                return Err(ImageError::Damaged("it has a part of an unknown kind"));
            }
            _ => {}
        }
    }
    header.check_pixels(&pixels)?;
    write(&mut bytes, b"IDAT", &pixels);
    write(&mut bytes, b"IEND", &[]);
    Ok(Stripped { bytes, width: header.width, height: header.height })
}

/// Takes a chunk: its kind and its content.
fn chunk<'a>(file: &mut Reader<'a>) -> Result<([u8; 4], &'a [u8]), ImageError> {
    let length = file.big_u32()?;
    let kind = file.array()?;
    let content = file.take(usize::try_from(length).unwrap_or(usize::MAX))?;
    if file.big_u32()? != checksum(&kind, content) {
        return Err(ImageError::Damaged("a checksum in it is wrong"));
    }
    Ok((kind, content))
}

fn write(bytes: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    bytes.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(kind);
    bytes.extend(content);
    bytes.extend(checksum(kind, content).to_be_bytes());
}

fn checksum(kind: &[u8], content: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(kind);
    hasher.update(content);
    hasher.finalize()
}

/// The header of a file.
struct Header {
    width: u32,
    height: u32,
    bits_per_pixel: u64,
    is_interlaced: bool,
}

/// The seven passes of Adam7: the start and the steps of each, horizontally and vertically.
const PASSES: [[u32; 4]; 7] = [
    [0, 8, 0, 8],
    [4, 8, 0, 8],
    [0, 4, 4, 8],
    [2, 4, 0, 4],
    [0, 2, 2, 4],
    [1, 2, 0, 2],
    [0, 1, 1, 2],
];

impl Header {
    fn read(content: &[u8]) -> Result<Self, ImageError> {
        let mut header = Reader::new(content);
        let (width, height) = (header.big_u32()?, header.big_u32()?);
        check_size(width, height)?;
        let channels = match header.array()? {
            [1 | 2 | 4 | 8 | 16, 0] => 1,
            [8 | 16, 2] => 3,
            [1 | 2 | 4 | 8, 3] => 1,
            [8 | 16, 4] => 2,
            [8 | 16, 6] => 4,
            _ => return Err(ImageError::Damaged("its colours are malformed")),
        };
        let bits_per_pixel = channels * u64::from(content[8]);
        let [0, 0, interlacing @ (0 | 1)] = header.array()? else {
            return Err(ImageError::Damaged("it is compressed in an unknown way"));
        };
        if !header.is_empty() {
            return Err(ImageError::Damaged("its header is too long"));
        }
        Ok(Self { width, height, bits_per_pixel, is_interlaced: interlacing == 1 })
    }

    /// Returns the inflated size of the pixels.
    fn inflated_bytes(&self) -> u64 {
        let of = |width: u32, height: u32| {
            let row = (u64::from(width) * self.bits_per_pixel).div_ceil(8) + 1;
            if width == 0 { 0 } else { row * u64::from(height) }
        };
        if !self.is_interlaced {
            return of(self.width, self.height);
        }
        let steps = |size: u32, start: u32, step: u32| size.saturating_sub(start).div_ceil(step);
        let passes =
            PASSES.map(|[x, dx, y, dy]| of(steps(self.width, x, dx), steps(self.height, y, dy)));
        passes.into_iter().sum()
    }

    /// Inflates the pixels and discards them: their number must be exactly that of the header.
    fn check_pixels(&self, pixels: &[u8]) -> Result<(), ImageError> {
        let expected = self.inflated_bytes();
        if expected > INFLATED_BYTES_MAX {
            return Err(ImageError::TooManyPixels);
        }
        let mut inflated = ZlibDecoder::new(pixels).take(expected + 1);
        let count = std::io::copy(&mut inflated, &mut std::io::sink());
        let count = count.map_err(|_| ImageError::Damaged("its pixels can't be inflated"))?;
        let used = inflated.into_inner().total_in();
        if count == expected && used == pixels.len() as u64 {
            Ok(())
        } else {
            Err(ImageError::Damaged("its number of pixels differs from its header"))
        }
    }
}
