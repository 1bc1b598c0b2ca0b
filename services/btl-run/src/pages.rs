//! Pages for browsers.

pub(crate) mod my_matches;
pub(crate) mod story;
