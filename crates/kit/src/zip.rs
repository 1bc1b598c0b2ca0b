//! ZIP files, written while they are sent. Files are not compressed, because photos already are.

use bytes::Bytes;
use monotable::model::time::Timestamp;

/// Writes a ZIP file in pieces: [`file`](Self::file) for each file, then [`finish`](Self::finish). A ZIP file without
/// the extensions for large ones has at most 65,535 files and 4 GB.
///
/// ```
/// # use monotable_kit::ZipWriter;
/// # use monotable::model::time::Timestamp;
/// let mut zip = ZipWriter::default();
/// let mut sent = zip.file("hello.txt", b"Hello!", Timestamp::EPOCH).unwrap().to_vec();
/// sent.extend_from_slice(b"Hello!");
/// sent.extend(zip.finish());
/// assert!(sent.starts_with(b"PK"));
/// ```
#[derive(Debug, Default)]
pub struct ZipWriter {
    /// The number of bytes that were written so far.
    written: u32,
    files: u16,
    /// The directory at the end of the file.
    directory: Vec<u8>,
}

/// The ZIP file can't contain another file of this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a ZIP file has at most 65,535 files and 4 GB")]
pub struct ZipFull;

/// The version of ZIP that readers need.
const VERSION: u16 = 20;
/// Names are in UTF-8.
const UTF8: u16 = 1 << 11;
/// Bytes of a header in front of the name of its file.
const HEADER_BYTES: u32 = 30;

impl ZipWriter {
    /// Returns the header of a file, which is followed by the bytes of the file.
    ///
    /// # Errors
    /// Fails if the ZIP file can't contain it.
    pub fn file(&mut self, name: &str, bytes: &[u8], time: Timestamp) -> Result<Bytes, ZipFull> {
        let length = u32::try_from(bytes.len()).map_err(|_| ZipFull)?;
        let name_length = u16::try_from(name.len()).map_err(|_| ZipFull)?;
        let size = HEADER_BYTES + u32::from(name_length);
        let end = self.written.checked_add(size).and_then(|end| end.checked_add(length));
        // The directory must fit, too.
        let end = end.filter(|end| *end < u32::MAX / 2).ok_or(ZipFull)?;
        self.files = self.files.checked_add(1).filter(|files| *files < u16::MAX).ok_or(ZipFull)?;
        let (date, clock) = dos_time(time);
        let mut shared = Vec::new();
        for number in [VERSION, UTF8, 0, clock, date] {
            shared.extend(number.to_le_bytes());
        }
        for number in [crc32fast::hash(bytes), length, length] {
            shared.extend(number.to_le_bytes());
        }
        shared.extend(name_length.to_le_bytes());
        shared.extend([0; 2]);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(&shared);
        // No comment, the first disk, no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(self.written.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.written = end;
        Ok([b"PK\x03\x04", &shared[..], name.as_bytes()].concat().into())
    }

    /// Returns the directory after the last file.
    pub fn finish(self) -> Bytes {
        let mut end = self.directory;
        let size = u32::try_from(end.len()).unwrap_or(u32::MAX);
        end.extend(b"PK\x05\x06\0\0\0\0");
        end.extend(self.files.to_le_bytes());
        end.extend(self.files.to_le_bytes());
        end.extend(size.to_le_bytes());
        end.extend(self.written.to_le_bytes());
        end.extend([0; 2]);
        end.into()
    }
}

/// Returns a time in the format of MS-DOS, in UTC: date and time of day, in steps of two seconds,
/// from 1980 to 2107.
fn dos_time(time: Timestamp) -> (u16, u16) {
    let text = time.to_string();
    let number = |range: std::ops::Range<usize>| -> u16 {
        text.get(range).and_then(|digits| digits.parse().ok()).unwrap_or(0)
    };
    let year = number(0..4).clamp(1980, 2107) - 1980;
    let date = year << 9 | number(5..7) << 5 | number(8..10);
    let clock = number(11..13) << 11 | number(14..16) << 5 | (number(17..19) / 2);
    (date, clock)
}
