//! What people see in a browser.

pub(crate) mod my_matches;
pub(crate) mod story;
