//! HTTP/1.1 as polite clients speak it.

mod bodies;
mod connections;
mod doors;
mod encodings;
mod responses;
