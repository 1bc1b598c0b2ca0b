//! The README, for the compiler: every snippet in it is a test.
#![doc = include_str!("../../../README.md")]
