//! Development only: the harnesses that test the engine from outside.

pub mod crash;
