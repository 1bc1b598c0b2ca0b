//! The modelling layer.

pub mod backend;
pub mod codec;
pub mod key;
pub mod time;
