//! libFuzzer's program for `monotable_fuzz::condition`.
#![no_main]

monotable_fuzz::target!(condition);
