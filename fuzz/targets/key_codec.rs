//! libFuzzer's program for `monotable_fuzz::key_codec`.
#![no_main]

monotable_fuzz::target!(key_codec);
