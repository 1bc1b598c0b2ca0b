//! libFuzzer's program for `monotable_fuzz::projection`.
#![no_main]

monotable_fuzz::target!(projection);
