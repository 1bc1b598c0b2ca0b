//! What `#[derive(Entity)]` makes of a declaration: metadata, keys and their way back, stamps, and
//! updates that keep the keys of indexes right.

mod aliases;
mod declared;
mod hygiene;
mod keys;
mod renamed;
mod updates;
mod words;
