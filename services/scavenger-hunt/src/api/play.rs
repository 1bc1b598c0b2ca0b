//! What players do.

pub(crate) mod clear_chat;
pub(crate) mod erase_me;
pub(crate) mod follow;
pub(crate) mod join;
pub(crate) mod leaderboard;
pub(crate) mod level;
pub(crate) mod me;
pub(crate) mod me_zip;
pub(crate) mod message;
pub(crate) mod ping;
pub(crate) mod scan;
pub(crate) mod scan_photo;
pub(crate) mod state;
pub(crate) mod talk;
