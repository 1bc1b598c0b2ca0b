#![allow(unreachable_patterns)]
use monotable::prelude::*;

#[derive(Id, Clone)]
pub struct Number(u64);

#[derive(Id, Clone)]
pub struct Pair {
    left: String,
}

#[derive(Id, Clone)]
pub enum Either {
    Left,
}

#[derive(KeyWord, Clone, Copy, Serialize, Deserialize)]
pub enum Status {
    Open,
    #[serde(rename = "in progress")]
    InProgress,
    #[serde(rename = "Open")]
    Reopened,
    Closed(u8),
}

#[derive(KeyWord, Clone)]
pub struct Word(String);

fn main() {}
