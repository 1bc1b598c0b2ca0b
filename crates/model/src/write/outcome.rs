//! The results of a transaction, and the handles of its operations.

use std::any::{Any, type_name};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::backend::Row;

/// One operation of a transaction: what [`Transact::add`](crate::Transact::add) returns.
///
/// It finds the result of the operation in the [`Outcome`] of its transaction, and its error with
/// [`Error::of`](crate::Error::of). `O` is the type of the result: the entity for creates and
/// edits, `()` for writes whose result no backend returns.
pub struct Handle<O> {
    pub(crate) at: Position,
    output: PhantomData<fn() -> O>,
}

/// An operation by its transaction and its number in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) transaction: TransactionId,
    pub(crate) operation: usize,
}

/// Identifies a transaction within this process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TransactionId(u64);

impl TransactionId {
    /// The id of an operation that runs alone, to which no handle belongs.
    pub(super) const ALONE: Self = Self(0);

    /// Returns the id of a new transaction.
    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl<O> Handle<O> {
    pub(super) fn new(transaction: TransactionId, operation: usize) -> Self {
        Self { at: Position { transaction, operation }, output: PhantomData }
    }
}

impl<O> Clone for Handle<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Handle<O> {}

impl<O> fmt::Debug for Handle<O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = type_name::<O>().rsplit("::").next().unwrap_or_default();
        write!(formatter, "Handle<{name}>({})", self.at.operation)
    }
}

/// The results of a transaction. Index it with the handles of its operations.
#[derive(Default)]
pub struct Outcome {
    transaction: TransactionId,
    outputs: Vec<Option<Output>>,
    /// Whether an operation could not be planned, so that nothing will be written.
    pub(crate) is_partial: bool,
    /// The consumed write units, if the backend reports them.
    pub units: f64,
    /// The row that the write of a single operation returned.
    pub(super) row: Option<Row>,
}

/// The result of an operation.
type Output = Arc<dyn Any + Send + Sync>;

impl fmt::Debug for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Outcome")
            .field("operations", &self.outputs.len())
            .field("units", &self.units)
            .finish_non_exhaustive()
    }
}

impl Outcome {
    /// Makes the outcome of a transaction before its first operation.
    pub(super) fn new(transaction: TransactionId, operations: usize) -> Self {
        let outputs = Vec::with_capacity(operations);
        Self { transaction, outputs, is_partial: false, units: 0.0, row: None }
    }

    /// Adds the result of the next operation.
    pub(super) fn push(&mut self, output: Option<Output>) {
        self.outputs.push(output);
    }

    /// Takes the result of the only operation.
    pub(super) fn take<O: Any + Send + Sync + Clone>(&mut self) -> Option<O> {
        let output = self.outputs.first_mut()?.take()?.downcast::<O>().ok()?;
        Some(Arc::try_unwrap(output).unwrap_or_else(|shared| O::clone(&shared)))
    }
}

/// `done[handle]` is the result of the operation: the entity as stored, with its version and
/// stamps.
///
/// # Panics
///
/// The handle belongs to another transaction.
impl<O: 'static> Index<Handle<O>> for Outcome {
    type Output = O;

    fn index(&self, handle: Handle<O>) -> &O {
        let Position { transaction, operation } = handle.at;
        assert!(
            transaction == self.transaction,
            "{handle:?} belongs to another transaction; use the handles that `add` of this transaction returned"
        );
        let output = self.outputs.get(operation).and_then(Option::as_deref);
        let output = output.and_then(|output| output.downcast_ref());
        // A result that no backend returns is `()`, even where it happens to be known.
        match output.or((&() as &dyn Any).downcast_ref()) {
            Some(output) => output,
            None => unreachable!("{handle:?} names an operation with another result"),
        }
    }
}
