//! What people see in a browser.

pub(crate) mod story;
