//! Reads files that nobody else should read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::error::Warning;

/// More than any list of keys: a larger file is the wrong one.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Reads a text, and warns if others can read it as well.
pub(super) fn read_private(path: &Path, warnings: &mut Vec<Warning>) -> io::Result<String> {
    let file = File::open(path)?;
    if file.metadata()?.len() > FILE_BYTES_MAX {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 1 MiB"));
    }
    if is_readable_by_others(&file)? {
        warnings.push(Warning::ReadableByOthers(path.to_owned()));
    }
    let mut text = String::new();
    file.take(FILE_BYTES_MAX).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(unix)]
fn is_readable_by_others(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;

    Ok(file.metadata()?.permissions().mode() & 0o077 != 0)
}

/// Elsewhere the directory decides who can read a file, and its rules can't be read from here.
#[cfg(not(unix))]
fn is_readable_by_others(_: &File) -> io::Result<bool> {
    Ok(false)
}
