//! JPEG (ITU T.81): segments between its first and its last marker.

use super::bytes::Reader;
use super::{ImageError, Stripped, check_size};

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const QUANTIZATION: u8 = 0xdb;
const RESTART_INTERVAL: u8 = 0xdd;
const HUFFMAN: u8 = 0xc4;
const EXIF: u8 = 0xe1;
const ADOBE: u8 = 0xee;

/// The maximum number of scans of a progressive photo: more make it slow to draw. Programs write up
/// to 14.
const SCANS_MAX: usize = 64;

/// EXIF with only an orientation. Its last byte comes before the end of the directory.
const ORIENTATION: [u8; 36] =
    *b"\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
/// The position of the orientation in it.
const ORIENTATION_AT: usize = 29;

pub(super) fn strip(mut file: Reader<'_>) -> Result<Stripped, ImageError> {
    file.take(2)?;
    let mut photo = Photo::default();
    loop {
        match marker(&mut file)? {
            END if photo.scans > 0 => return photo.finish(),
            kind @ (SCAN | QUANTIZATION | RESTART_INTERVAL | HUFFMAN | 0xc0..=0xc3) => {
                let content = segment(&mut file)?;
                photo.add(kind, content)?;
                if kind == SCAN {
                    photo.add_entropy(&mut file);
                }
            }
            EXIF => {
                let content = segment(&mut file)?;
                photo.orientation = photo.orientation.or_else(|| orientation(content));
            }
            ADOBE => photo.add_adobe(segment(&mut file)?),
            // Application data and comments.
            0xe0..=0xef | 0xfe => drop(segment(&mut file)?),
            _ => return Err(ImageError::Damaged("it has a part of an unknown kind")),
        }
    }
}

/// The parts of a photo that are kept.
#[derive(Default)]
struct Photo {
    kept: Vec<u8>,
    size: Option<(u32, u32)>,
    orientation: Option<u8>,
    scans: usize,
}

impl Photo {
    /// Keeps a segment that drawing needs, if it has exactly the required form.
    fn add(&mut self, kind: u8, content: &[u8]) -> Result<(), ImageError> {
        let is_whole = match kind {
            SCAN => {
                self.scans += 1;
                let count = content.first().copied().unwrap_or(0);
                self.size.is_some()
                    && (1..=4).contains(&count)
                    && content.len() == 4 + 2 * usize::from(count)
            }
            QUANTIZATION => is_sequence(content, |table| {
                let bytes = if table.byte()? >> 4 == 0 { 64 } else { 128 };
                table.take(bytes).map(drop)
            }),
            HUFFMAN => is_sequence(content, |table| {
                table.byte()?;
                let counts: [u8; 16] = table.array()?;
                table.take(counts.into_iter().map(usize::from).sum()).map(drop)
            }),
            RESTART_INTERVAL => content.len() == 2,
            _ => self.add_frame(kind, content)?,
        };
        if !is_whole || self.scans > SCANS_MAX {
            return Err(ImageError::Damaged("a part of it is malformed"));
        }
        self.kept.extend([0xff, kind]);
        // The length includes its own two bytes.
        self.kept.extend(u16::try_from(content.len() + 2).unwrap_or(u16::MAX).to_be_bytes());
        self.kept.extend(content);
        Ok(())
    }

    /// Reads the header of the frame. There must be only one.
    fn add_frame(&mut self, kind: u8, content: &[u8]) -> Result<bool, ImageError> {
        // Browsers draw baseline, extended and progressive frames with Huffman codes.
        if self.size.is_some() || kind == 0xc3 {
            return Ok(false);
        }
        let mut frame = Reader::new(content);
        frame.byte()?;
        let (height, width) = (frame.big_u16()?.into(), frame.big_u16()?.into());
        let components = frame.byte()?;
        check_size(width, height)?;
        self.size = Some((width, height));
        Ok(matches!(components, 1 | 3 | 4) && frame.rest().len() == 3 * usize::from(components))
    }

    /// Keeps the colour transform, without other data in the segment.
    fn add_adobe(&mut self, content: &[u8]) {
        if let Some(mark) = content.get(..12).filter(|mark| mark.starts_with(b"Adobe")) {
            self.kept.extend([0xff, ADOBE, 0, 14]);
            self.kept.extend(mark);
        }
    }

    /// Keeps coded pixels, up to the next marker that does not belong to them.
    fn add_entropy(&mut self, file: &mut Reader<'_>) {
        let bytes = file.rest();
        let mut end = 0;
        while let Some(offset) = bytes[end..].iter().position(|byte| *byte == 0xff) {
            end += offset;
            match bytes.get(end + 1) {
                Some(0 | 0xd0..=0xd7) => end += 2,
                _ => break,
            }
        }
        // Without a marker the file is truncated, which the next step reports.
        let end = if bytes.get(end) == Some(&0xff) { end } else { bytes.len() };
        self.kept.extend(file.take(end).unwrap_or_default());
    }

    fn finish(self) -> Result<Stripped, ImageError> {
        let (width, height) = self.size.ok_or(ImageError::Damaged("it has no frame"))?;
        let mut bytes = vec![0xff, START];
        let orientation = self.orientation.unwrap_or(1);
        if orientation > 1 {
            let mut exif = ORIENTATION;
            exif[ORIENTATION_AT] = orientation;
            bytes.extend(exif);
        }
        bytes.extend(self.kept);
        bytes.extend([0xff, END]);
        // These orientations rotate by 90 degrees.
        let (width, height) = if orientation > 4 { (height, width) } else { (width, height) };
        Ok(Stripped { bytes, width, height })
    }
}

/// Takes the next marker, which may be preceded by padding.
fn marker(file: &mut Reader<'_>) -> Result<u8, ImageError> {
    if file.byte()? != 0xff {
        return Err(ImageError::Damaged("it has data where a part must begin"));
    }
    loop {
        let kind = file.byte()?;
        if kind != 0xff {
            return Ok(kind);
        }
    }
}

/// Takes the content of a segment.
fn segment<'a>(file: &mut Reader<'a>) -> Result<&'a [u8], ImageError> {
    let length = usize::from(file.big_u16()?);
    let content = length.checked_sub(2).ok_or(ImageError::Damaged("a part of it has no length"))?;
    file.take(content)
}

/// Returns whether bytes consist of one or more elements.
fn is_sequence(bytes: &[u8], element: impl Fn(&mut Reader<'_>) -> Result<(), ImageError>) -> bool {
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        if element(&mut reader).is_err() {
            return false;
        }
    }
    !bytes.is_empty()
}

/// Reads the orientation in EXIF, from 1 to 8; 1 is upright.
fn orientation(content: &[u8]) -> Option<u8> {
    let tiff = content.strip_prefix(b"Exif\0\0")?;
    let is_little = match tiff.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let u16_at = |at: usize| {
        let bytes = <[u8; 2]>::try_from(tiff.get(at..at.checked_add(2)?)?).ok()?;
        Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let (one, other) = (u16_at(4)?, u16_at(6)?);
    let (high, low) = if is_little { (other, one) } else { (one, other) };
    let directory = usize::from(high) << 16 | usize::from(low);
    let entries = usize::from(u16_at(directory)?);
    let mut entries = (0..entries).map(|entry| directory + 2 + 12 * entry);
    let found = entries.find(|at| u16_at(*at) == Some(0x0112))?;
    // A short number, which is at the beginning of the entry's value.
    let value = u16_at(found + 8).filter(|_| u16_at(found + 2) == Some(3))?;
    u8::try_from(value).ok().filter(|value| (1..=8).contains(value))
}
