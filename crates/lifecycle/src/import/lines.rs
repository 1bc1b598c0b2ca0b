//! Lines of bounded length.

use std::io::BufRead;

use crate::codec::LineError;

/// The limit of a line's length: an item takes less than half a megabyte, and escapes make it at
/// most ten times longer.
const LINE_BYTES_MAX: usize = 8 << 20;

/// Reads the next line into `line`, without its end. Returns whether there was one.
///
/// # Errors
/// Fails if the line is too long, or if the object can't be read or decompressed.
pub(super) fn read_line(reader: &mut dyn BufRead, line: &mut Vec<u8>) -> Result<bool, LineError> {
    line.clear();
    loop {
        let available = match reader.fill_buf() {
            Ok(available) => available,
            Err(error) => {
                return Err(LineError::Syntax(format!("The object can't be read: {error}")));
            }
        };
        if available.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = available.iter().position(|&byte| byte == b'\n');
        let length = end.unwrap_or(available.len());
        line.extend_from_slice(&available[..length]);
        let used = end.map_or(length, |length| length + 1);
        reader.consume(used);
        if line.len() > LINE_BYTES_MAX {
            return Err(LineError::Syntax(format!("A line has more than {LINE_BYTES_MAX} bytes")));
        }
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(true);
        }
    }
}
