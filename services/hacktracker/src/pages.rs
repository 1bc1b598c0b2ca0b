//! Pages for browsers.

pub(crate) mod live;
pub(crate) mod my_games;
pub(crate) mod score;
