//! The protocol from outside.

mod signatures;
