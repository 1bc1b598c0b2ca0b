//! A database in a race: loaded once, then measured slice by slice, in turn with the others.

use crate::{Result, Slice, Slicing, Subject, Table, run_slice};

/// Something that is measured, in this process or in another.
pub trait Contender {
    /// Returns the name in tables.
    fn name(&self) -> &str;

    /// Measures one slice.
    fn slice(&mut self, slicing: Slicing) -> Result<Slice>;
}

/// A subject in this process. It is loaded again when its table has grown too large.
pub struct Local<S, F> {
    name: String,
    items: u64,
    load: F,
    loaded: Option<(S, Table)>,
}

impl<S: Subject, F: FnMut(u64) -> Result<S>> Local<S, F> {
    /// Loads a subject with `items` items.
    pub fn new(name: &str, items: u64, load: F) -> Result<Self> {
        let mut local = Self { name: name.to_owned(), items, load, loaded: None };
        local.reload()?;
        Ok(local)
    }

    fn reload(&mut self) -> Result<()> {
        // The old one goes first: both may not fit into memory, or use the same directory.
        self.loaded = None;
        self.loaded = Some(((self.load)(self.items)?, Table::new(self.items)));
        Ok(())
    }
}

impl<S: Subject, F: FnMut(u64) -> Result<S>> Contender for Local<S, F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn slice(&mut self, slicing: Slicing) -> Result<Slice> {
        let is_full = self.loaded.as_ref().is_none_or(|(_, table)| table.is_full());
        if slicing.workload.writes() && is_full {
            self.reload()?;
        }
        let (subject, table) = self.loaded.as_ref().ok_or("nothing is loaded")?;
        run_slice(subject, table, slicing)
    }
}
