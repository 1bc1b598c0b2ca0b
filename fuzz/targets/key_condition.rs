//! libFuzzer's program for `monotable_fuzz::key_condition`.
#![no_main]

monotable_fuzz::target!(key_condition);
