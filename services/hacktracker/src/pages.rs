//! What people see in a browser.

pub(crate) mod live;
pub(crate) mod my_games;
pub(crate) mod score;
