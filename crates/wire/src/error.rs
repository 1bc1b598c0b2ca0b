//! The table of errors: how each appears to a client.

use monotable_engine::{Error, Item};
use monotable_lifecycle::{Error as LifecycleError, Refusal};

use crate::access::Denied;
use crate::json::{Reader, Syntax, Writer};
use crate::sigv4::SignatureError;
use crate::value::write_item;

/// The result of handling a request.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// The reason why a request failed.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The body is not JSON (then AWS sends no message), or a member has the wrong type.
    Serialization(Option<String>),
    /// `X-Amz-Target` names no operation.
    UnknownOperation,
    /// The request is not signed, or its signature is wrong.
    Signature(SignatureError),
    /// The key that signed the request may not do this.
    Denied(Denied),
    /// The key of an `INSERT` in PartiQL already exists.
    DuplicateItem,
    /// At least one statement of a transaction failed; nothing was written.
    StatementsCanceled(Vec<StatementReason>),
    /// A resource that the request names does not exist, and AWS has an exception of its own for
    /// it.
    NotFound(MissingResource, String),
    /// An error of the engine.
    Engine(Error),
    /// An error of a backup, an export or an import.
    Lifecycle(LifecycleError),
}

/// Resources whose absence has its own exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingResource {
    /// A table, in operations on backups.
    Table,
    /// A global table.
    GlobalTable,
}

impl MissingResource {
    fn code(self) -> &'static str {
        match self {
            Self::Table => "TableNotFoundException",
            Self::GlobalTable => "GlobalTableNotFoundException",
        }
    }
}

/// The result of one statement of a transaction: its error, or that it did not fail.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementReason {
    pub(crate) code: &'static str,
    pub(crate) message: Option<String>,
    pub(crate) item: Option<Box<Item>>,
}

impl StatementReason {
    /// Returns the reason of a statement that did not fail itself.
    pub(crate) fn none() -> Self {
        Self { code: "None", message: None, item: None }
    }

    /// Returns the reason of a statement that failed.
    pub(crate) fn failed(code: &'static str, message: String) -> Self {
        Self { code, message: Some(message), item: None }
    }
}

/// The form of a failure in a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    status: u16,
    /// The package of AWS's exception, a part of `__type`.
    package: &'static str,
    code: &'static str,
    /// The name of the message member, which AWS spells in two ways.
    message_name: &'static str,
}

const SERVICE: &str = "com.amazonaws.dynamodb.v20120810";
const CORAL_SERVICE: &str = "com.amazon.coral.service";
const CORAL_VALIDATION: &str = "com.amazon.coral.validate";

/// The code of a cancellation reason of an action that was throttled.
const THROTTLED_ACTION: &str = "ThrottlingError";

const fn shape(status: u16, package: &'static str, code: &'static str) -> Shape {
    Shape { status, package, code, message_name: "message" }
}

impl Failure {
    /// Makes a `ValidationException`.
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::Engine(Error::Validation(message.into()))
    }

    /// Wraps the failure in the sentence that operations on one item add.
    pub(crate) fn enveloped(self) -> Self {
        match self {
            Self::Engine(error) => Self::Engine(error.enveloped()),
            other => other,
        }
    }

    /// Returns the failure of a request whose target names no operation. A body that is not JSON
    /// takes precedence.
    pub fn unknown_operation(body: &[u8]) -> Self {
        let is_json =
            || Reader::new(body).and_then(|mut reader| reader.skip().and_then(|()| reader.end()));
        if body.is_empty() || is_json().is_ok() {
            Self::UnknownOperation
        } else {
            Self::Serialization(None)
        }
    }

    /// Maps the failure to its response. No `_` arm on purpose: a new variant does not compile
    /// until someone has decided what clients see.
    fn shape(&self) -> Shape {
        match self {
            Self::Serialization(_) => Shape {
                message_name: "Message",
                ..shape(400, CORAL_SERVICE, "SerializationException")
            },
            Self::UnknownOperation => shape(400, CORAL_SERVICE, "UnknownOperationException"),
            Self::Signature(error) => shape(error.status(), CORAL_SERVICE, error.code()),
            Self::Denied(_) => Shape {
                message_name: "Message",
                ..shape(400, CORAL_SERVICE, "AccessDeniedException")
            },
            Self::DuplicateItem => shape(400, SERVICE, "DuplicateItemException"),
            Self::StatementsCanceled(_) => Shape {
                message_name: "Message",
                ..shape(400, SERVICE, "TransactionCanceledException")
            },
            Self::NotFound(missing, _) => shape(400, SERVICE, missing.code()),
            Self::Lifecycle(LifecycleError::Refused { kind: Refusal::Validation, .. }) => {
                shape(400, CORAL_VALIDATION, Refusal::Validation.code())
            }
            Self::Lifecycle(LifecycleError::Refused { kind, .. }) => {
                shape(400, SERVICE, kind.code())
            }
            Self::Lifecycle(error) => shape(500, SERVICE, error.code()),
            Self::Engine(error) => match error {
                Error::Validation(_) => shape(400, CORAL_VALIDATION, error.code()),
                Error::AccessDenied(_) => {
                    Shape { message_name: "Message", ..shape(400, CORAL_SERVICE, error.code()) }
                }
                Error::TransactionCanceled { .. } => {
                    Shape { message_name: "Message", ..shape(400, SERVICE, error.code()) }
                }
                Error::ConditionalCheckFailed { .. }
                | Error::ResourceNotFound(_)
                | Error::ResourceInUse(_)
                | Error::LimitExceeded(_)
                | Error::TransactionConflict
                | Error::IdempotentParameterMismatch
                | Error::ProvisionedThroughputExceeded
                | Error::IndexThroughputExceeded
                | Error::ExpiredIterator(_)
                | Error::PolicyNotFound(_)
                | Error::TrimmedDataAccess(_) => shape(400, SERVICE, error.code()),
                Error::Open(_) | Error::Corrupted(_) | Error::Poisoned(_) | Error::Storage(_) => {
                    shape(500, SERVICE, error.code())
                }
            },
        }
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.shape().status
    }

    /// Returns AWS's name of the exception.
    pub fn code(&self) -> &'static str {
        self.shape().code
    }

    /// Returns whether a partition had no capacity left for the request, or for an action of a transaction.
    pub fn is_throttled(&self) -> bool {
        match self {
            Self::Engine(Error::TransactionCanceled { reasons }) => {
                reasons.iter().any(|reason| reason.code() == THROTTLED_ACTION)
            }
            Self::StatementsCanceled(reasons) => {
                reasons.iter().any(|reason| reason.code == THROTTLED_ACTION)
            }
            Self::Engine(error) => matches!(
                error,
                Error::ProvisionedThroughputExceeded | Error::IndexThroughputExceeded
            ),
            _ => false,
        }
    }

    /// Returns the message for the client. Messages of storage failures are general, because their
    /// details contain file names.
    pub(crate) fn message(&self) -> Option<String> {
        match self {
            Self::Serialization(message) => message.clone(),
            Self::UnknownOperation => None,
            Self::Signature(error) => Some(error.to_string()),
            Self::Denied(denied) => Some(denied.to_string()),
            Self::DuplicateItem => Some("Duplicate primary key exists in table".to_owned()),
            Self::StatementsCanceled(reasons) => {
                let codes: Vec<&str> = reasons.iter().map(|reason| reason.code).collect();
                Some(format!(
                    "Transaction cancelled, please refer cancellation reasons for specific reasons \
                     [{}]",
                    codes.join(", ")
                ))
            }
            Self::NotFound(_, message) => Some(message.clone()),
            Self::Lifecycle(error @ LifecycleError::Refused { .. }) => Some(error.to_string()),
            Self::Lifecycle(_) => Some(
                "The request could not be completed because of a failure of its files.".to_owned(),
            ),
            Self::Engine(error) if self.shape().status == 500 => Some(
                match error {
                    Error::Poisoned(_) => {
                        "The server stopped accepting writes after a storage failure and must be \
                         restarted."
                    }
                    _ => "The request could not be completed because of a storage failure.",
                }
                .to_owned(),
            ),
            Self::Engine(error) => Some(error.to_string()),
        }
    }

    /// Returns the details of a server error for the log.
    pub fn internal_details(&self) -> Option<String> {
        match self {
            Self::Engine(error) if self.shape().status == 500 => Some(error.to_string()),
            Self::Lifecycle(error) if self.shape().status == 500 => Some(error.to_string()),
            _ => None,
        }
    }

    /// Writes the body of the response.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Shape { package, code, message_name, .. } = self.shape();
        let mut json = Writer::new(out);
        json.begin_object();
        json.name("__type");
        json.plain(format_args!("{package}#{code}"));
        if let Some(message) = self.message() {
            json.name(message_name);
            json.string(&message);
        }
        match self {
            Self::Engine(Error::ConditionalCheckFailed { item: Some(item) }) => {
                write_failed_item(&mut json, item);
            }
            Self::Engine(Error::TransactionCanceled { reasons }) => {
                json.name("CancellationReasons");
                json.begin_array();
                for reason in reasons {
                    let message = reason.message();
                    write_reason(&mut json, reason.code(), message.as_deref(), reason.item());
                }
                json.end_array();
            }
            Self::StatementsCanceled(reasons) => {
                json.name("CancellationReasons");
                json.begin_array();
                for StatementReason { code, message, item } in reasons {
                    write_reason(&mut json, code, message.as_deref(), item.as_deref());
                }
                json.end_array();
            }
            _ => {}
        }
        json.end_object();
    }
}

fn write_failed_item(json: &mut Writer<'_>, item: &Item) {
    json.name("Item");
    write_item(json, item);
}

fn write_reason(json: &mut Writer<'_>, code: &str, message: Option<&str>, item: Option<&Item>) {
    json.begin_object();
    json.name("Code");
    json.string(code);
    if let Some(message) = message {
        json.name("Message");
        json.string(message);
    }
    if let Some(item) = item {
        write_failed_item(json, item);
    }
    json.end_object();
}

impl From<Syntax> for Failure {
    fn from(_: Syntax) -> Self {
        Self::Serialization(None)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Engine(error)
    }
}

impl From<LifecycleError> for Failure {
    fn from(error: LifecycleError) -> Self {
        match error {
            LifecycleError::Engine(error) => Self::Engine(error),
            error => Self::Lifecycle(error),
        }
    }
}

impl From<monotable_expression::ExpressionError> for Failure {
    fn from(error: monotable_expression::ExpressionError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<Denied> for Failure {
    fn from(denied: Denied) -> Self {
        Self::Denied(denied)
    }
}

impl From<SignatureError> for Failure {
    fn from(error: SignatureError) -> Self {
        Self::Signature(error)
    }
}
