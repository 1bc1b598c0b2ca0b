//! What everybody may know of the event.

pub(crate) mod get;
pub(crate) mod health;
pub(crate) mod tracks;
