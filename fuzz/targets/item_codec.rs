//! libFuzzer's program for `monotable_fuzz::item_codec`.
#![no_main]

monotable_fuzz::target!(item_codec);
