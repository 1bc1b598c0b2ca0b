//! A program without the feature `cloud`, which can't connect to other stores.

use std::convert::Infallible;
use std::sync::Arc;

use anyhow::{Result, bail};
use monotable::model::backend::Backend;

/// A connection to another store, which can't be created.
pub(crate) struct Connection(Infallible);

/// Refuses to connect.
///
/// # Errors
/// Fails always, with instructions to build a program that can.
pub(crate) fn check() -> Result<()> {
    bail!(
        "this program was built without the cloud; build it with `cargo build --release --features cloud`, \
         or install it with `cargo install --path crates/cli --features cloud`"
    )
}

impl Connection {
    pub(crate) fn open(_: Option<&str>, _: Option<&str>) -> Result<Self> {
        check()?;
        unreachable!("the check refuses")
    }

    pub(crate) fn region(&self) -> &str {
        match self.0 {}
    }

    pub(crate) fn tables(&self) -> Result<Vec<String>> {
        match self.0 {}
    }

    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        match self.0 {}
    }
}
