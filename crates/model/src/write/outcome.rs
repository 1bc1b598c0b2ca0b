//! What a transaction did, and the handles by which its operations are found in it.

use std::any::{Any, type_name};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::backend::Row;

/// One operation of a transaction: what [`Transact::add`](crate::Transact::add) returns.
///
/// It finds what the operation left in the [`Outcome`] of its transaction, and its error in
/// [`Error::of`](crate::Error::of). `O` is what the operation leaves: the entity for creates and edits,
/// `()` for writes whose result no backend returns.
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

/// Tells the transactions of this process apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TransactionId(u64);

impl TransactionId {
    /// Of an operation that runs alone: no handle has it.
    pub(super) const ALONE: Self = Self(0);

    /// Of a new transaction.
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

/// What a transaction did. Index it by the handles of its operations.
#[derive(Default)]
pub struct Outcome {
    transaction: TransactionId,
    outputs: Vec<Option<Output>>,
    /// Whether an operation could not be planned, so that nothing will happen.
    pub(crate) is_partial: bool,
    /// Write units used, where the backend reports them.
    pub units: f64,
    /// The row that a write returned, of an operation that is alone.
    pub(super) row: Option<Row>,
}

/// What an operation left.
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

    /// Adds what the next operation leaves.
    pub(super) fn push(&mut self, output: Option<Output>) {
        self.outputs.push(output);
    }

    /// Takes what the only operation left.
    pub(super) fn take<O: Any + Send + Sync + Clone>(&mut self) -> Option<O> {
        let output = self.outputs.first_mut()?.take()?.downcast::<O>().ok()?;
        Some(Arc::try_unwrap(output).unwrap_or_else(|shared| O::clone(&shared)))
    }
}

/// `done[handle]` is what the operation left: the entity as it is stored, with its version and stamps.
///
/// # Panics
/// If the handle belongs to another transaction.
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
        // What a backend does not return is `()`, even where it happens to be known.
        match output.or((&() as &dyn Any).downcast_ref()) {
            Some(output) => output,
            None => unreachable!("{handle:?} names an operation that leaves something else"),
        }
    }
}
