//! The fields of a body that its schema can't judge alone, read with all that is wrong at once.

use std::borrow::Borrow;

use monotable_kit::{FieldProblem, Patch, Problem};

/// Reads fields and keeps what is wrong with them.
#[derive(Default)]
pub(crate) struct Fields(Vec<FieldProblem>);

impl Fields {
    /// A field that may be left out.
    pub(crate) fn read<V: Borrow<B>, B: ?Sized, R>(
        &mut self,
        field: &str,
        value: Option<V>,
        read: impl FnOnce(&B) -> Result<R, String>,
    ) -> Option<R> {
        match read(value?.borrow()) {
            Ok(read) => Some(read),
            Err(message) => {
                self.0.push(FieldProblem::new(field, message));
                None
            }
        }
    }

    /// A field that may be left out, or removed.
    pub(crate) fn read_patch<V: Borrow<B>, B: ?Sized, R>(
        &mut self,
        field: &str,
        value: Patch<V>,
        read: impl FnOnce(&B) -> Result<R, String>,
    ) -> Patch<R> {
        match value {
            Patch::Keep => Patch::Keep,
            Patch::Remove => Patch::Remove,
            Patch::Set(value) => {
                self.read(field, Some(value), read).map_or(Patch::Keep, Patch::Set)
            }
        }
    }

    /// What is wrong with all that was read.
    ///
    /// # Errors
    /// 400 `VALIDATION` with every field.
    pub(crate) fn check(self) -> Result<(), Problem> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(Problem::fields("VALIDATION", &self.0)),
        }
    }
}

/// Changes a field that was named.
pub(crate) fn set<V>(field: &mut V, value: Option<V>) {
    if let Some(value) = value {
        *field = value;
    }
}
