//! libFuzzer's program for `monotable_fuzz::update`.
#![no_main]

monotable_fuzz::target!(update);
