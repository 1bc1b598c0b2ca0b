//! What was done to a team, for those who may correct it.

pub(crate) mod list;
