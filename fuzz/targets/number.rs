//! libFuzzer's program for `monotable_fuzz::number`.
#![no_main]

monotable_fuzz::target!(number);
