//! Background work that operations promise: deletions in steps, and what is kept of deleted accounts and
//! teams.

pub(crate) mod delete_game;
pub(crate) mod erase_user;
pub(crate) mod purge;
