//! Permissions of the files that a server writes.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// The permissions of everyone but the owner.
const OTHERS: u32 = 0o077;

/// Makes every file and directory that this process creates inaccessible to other users.
pub(crate) fn keep_new_files_private() {
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(OTHERS));
}

/// Returns a warning if other users can read a data directory. That may be on purpose, for example for
/// a backup, so its mode is not changed.
pub(crate) fn warning(directory: &Path) -> Option<String> {
    let mode = std::fs::metadata(directory).ok()?.permissions().mode();
    (mode & OTHERS != 0).then(|| {
        let directory = directory.display();
        format!("{directory} is open to other users; to close it: chmod 700 {directory}")
    })
}
