//! libFuzzer's program for `monotable_fuzz::wire_request`.
#![no_main]

monotable_fuzz::target!(wire_request);
