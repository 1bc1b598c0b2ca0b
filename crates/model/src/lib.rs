//! The modelling layer.

pub mod backend;
pub mod key;
pub mod time;
