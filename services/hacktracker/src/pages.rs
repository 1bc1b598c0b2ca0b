//! What people see in a browser.

pub(crate) mod live;
pub(crate) mod score;
