//! libFuzzer's program for `monotable_fuzz::signature`.
#![no_main]

monotable_fuzz::target!(signature);
