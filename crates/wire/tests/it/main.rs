//! The protocol from outside.

mod fixture;
mod items;
mod pages;
mod signatures;
