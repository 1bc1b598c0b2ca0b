//! The operations that engine and oracle both run, and their results in a form that can be
//! compared.

use std::collections::BTreeSet;

use monotable_engine::{
    BatchGetItem, BatchWriteItem, ConsumedCapacity, CreateTable, DeleteItem, DeleteTable,
    Expression, GetItem, PutItem, Query, Scan, TransactGetItems, TransactWriteItems, UpdateItem,
    UpdateTable, UpdateTimeToLive,
};
use monotable_types::Item;

use crate::oracle::Part;

/// One operation. Expressions in it are trees: the oracle can't parse.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the variants are named after the requests they carry")]
pub enum Operation {
    PutItem(PutItem),
    GetItem(GetItem),
    UpdateItem(UpdateItem),
    DeleteItem(DeleteItem),
    Query(Query),
    Scan(Scan),
    BatchGetItem(BatchGetItem),
    BatchWriteItem(BatchWriteItem),
    TransactGetItems(TransactGetItems),
    TransactWriteItems(TransactWriteItems),
    CreateTable(CreateTable),
    DeleteTable(DeleteTable),
    UpdateTable(UpdateTable),
    UpdateTimeToLive(UpdateTimeToLive),
    AdvanceClock {
        seconds: u64,
    },
    SweepExpired,
    /// Closes the database and opens it again; memory databases stay open.
    Reopen,
}

/// How the engine gets the expressions of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// As trees.
    Tree,
    /// Printed to DynamoDB's text with placeholders, for the parser to read back.
    Text,
}

/// One step of a run.
#[derive(Clone, Debug)]
pub struct Step {
    /// The operation.
    pub operation: Operation,
    /// How the engine gets the expressions.
    pub spelling: Spelling,
    /// Why DynamoDB refuses it, if it is malformed. Such a step is not run by the oracle.
    pub refused: Option<Refusal>,
}

/// Why a malformed operation is refused.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The stage.
    pub stage: Stage,
    /// The message.
    pub failure: Failure,
}

/// The stage at which DynamoDB reports an error of a request.
#[derive(Clone, Debug)]
pub enum Stage {
    /// Before it looks up the table.
    Request,
    /// After it has looked up the table with this name.
    Table(&'static str),
}

impl Step {
    /// Creates a well-formed step without expressions.
    pub fn plain(operation: Operation) -> Self {
        Self { operation, spelling: Spelling::Tree, refused: None }
    }
}

/// The result of an operation.
pub type Outcome = Result<Answer, Failure>;

/// All possible parts of a result; unused ones are empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Items by table, in order; `None` where a read of a transaction found nothing.
    pub items: Vec<(String, Option<Item>)>,
    /// `Count` and `ScannedCount`.
    pub counts: Option<(u32, u32)>,
    /// Where the next page starts.
    pub last_evaluated_key: Option<Item>,
    /// Capacity by table.
    pub consumed_capacity: Vec<ConsumedCapacity>,
    /// The tables and partition keys of the item collections that a write reported.
    pub collections: BTreeSet<(String, Part)>,
    /// How many items a sweep removed.
    pub swept: usize,
}

/// An error as DynamoDB words it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The exception's name, or the code of a cancellation reason.
    pub code: String,
    /// The exception's message.
    pub message: String,
    /// The item that a failed condition was evaluated on.
    pub item: Option<Item>,
    /// Why each action of a transaction failed; `None` where it did not.
    pub reasons: Vec<Option<Failure>>,
}

impl Failure {
    /// Creates an exception.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into(), item: None, reasons: Vec::new() }
    }

    /// Creates a `ValidationException`.
    pub fn validation(message: impl Into<String>) -> Self {
        Self::new("ValidationException", message)
    }

    /// Creates the exception with the result of each action of a transaction.
    pub fn cancelled(reasons: Vec<Option<Failure>>) -> Self {
        let code = |reason: &Option<Failure>| match reason {
            None => "None",
            Some(reason) if reason.code.starts_with("Conditional") => "ConditionalCheckFailed",
            Some(_) => "ValidationError",
        };
        let codes: Vec<&str> = reasons.iter().map(code).collect();
        let message = format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        );
        Self { reasons, ..Self::new("TransactionCanceledException", message) }
    }
}

/// Returns the tree of an expression of an operation.
///
/// # Panics
/// Panics if it is a text: operations contain trees.
pub fn tree<T>(expression: &Option<Expression<T>>) -> Option<&T> {
    match expression.as_ref()? {
        Expression::Tree(tree) | Expression::Legacy(tree) => Some(tree),
        Expression::Text(text) => panic!("an operation carries trees, not the text {text:?}"),
    }
}

macro_rules! from_request {
    ($($request:ident),*) => {$(
        impl From<$request> for Operation {
            fn from(request: $request) -> Self {
                Self::$request(request)
            }
        }
    )*};
}

from_request!(
    PutItem,
    GetItem,
    UpdateItem,
    DeleteItem,
    Query,
    Scan,
    BatchGetItem,
    BatchWriteItem,
    TransactGetItems,
    TransactWriteItems,
    CreateTable,
    DeleteTable,
    UpdateTable,
    UpdateTimeToLive
);
