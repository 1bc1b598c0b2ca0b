//! libFuzzer's program for `monotable_fuzz::statement`.
#![no_main]

monotable_fuzz::target!(statement);
