//! The shape of the workspace as tests: which crate may use which, what every manifest says, how
//! long files may be, what documents may not contain, how texts for users are worded.
//!
//! Each rule is a table or a constant in the file of its name; a failure says where to change it.

#![expect(clippy::unwrap_used, reason = "clippy knows test functions, not what they call")]

mod layers;
mod manifests;
mod source_files;
mod wording;

use std::path::{Path, PathBuf};

/// Returns the root of the checkout.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Fails with every violation, not only the first.
fn assert_none(rule: &str, violations: &[String]) {
    assert!(violations.is_empty(), "{rule}:\n  {}\n", violations.join("\n  "));
}
