//! Background work that operations promise.

pub(crate) mod delete_game;
