//! The one table of errors: what each looks like to a client.

use monotable_engine::{Error, Item};

use crate::access::Denied;
use crate::json::{Reader, Syntax, Writer};
use crate::sigv4::SignatureError;
use crate::value::write_item;

/// The result of anything that a request asks for.
pub(crate) type Result<T, E = Failure> = std::result::Result<T, E>;

/// Why a request got no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// The body is not JSON (then AWS has no words for it), or a member is not of its type.
    Serialization(Option<String>),
    /// `X-Amz-Target` names no operation.
    UnknownOperation,
    /// The request is not signed, or not rightly.
    Signature(SignatureError),
    /// The key that signed the request may not do this.
    Denied(Denied),
    /// PartiQL's INSERT found the key taken.
    DuplicateItem,
    /// At least one statement of a transaction failed; nothing happened.
    StatementsCanceled(Vec<StatementReason>),
    /// Something that the request names is not there, of a kind that has an exception of its own.
    NotFound(Absent, String),
    /// What the engine says.
    Engine(Error),
}

/// Kinds of things with their own exception for one that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absent {
    /// A table, for operations around backups.
    Table,
    /// A backup.
    Backup,
    /// A global table.
    GlobalTable,
    /// An export.
    Export,
    /// An import.
    Import,
}

impl Absent {
    fn code(self) -> &'static str {
        match self {
            Self::Table => "TableNotFoundException",
            Self::Backup => "BackupNotFoundException",
            Self::GlobalTable => "GlobalTableNotFoundException",
            Self::Export => "ExportNotFoundException",
            Self::Import => "ImportNotFoundException",
        }
    }
}

/// Why one statement of a transaction failed, or that it did not.
#[derive(Clone, Debug, PartialEq)]
pub struct StatementReason {
    pub(crate) code: &'static str,
    pub(crate) message: Option<String>,
    pub(crate) item: Option<Box<Item>>,
}

impl StatementReason {
    /// The statement was fine; another one failed.
    pub(crate) fn none() -> Self {
        Self { code: "None", message: None, item: None }
    }

    /// The statement failed.
    pub(crate) fn failed(code: &'static str, message: String) -> Self {
        Self { code, message: Some(message), item: None }
    }
}

/// How a failure looks on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    status: u16,
    /// AWS's package of the exception, a part of `__type`.
    package: &'static str,
    code: &'static str,
    /// AWS is of two minds how the member is spelled.
    message_name: &'static str,
}

const SERVICE: &str = "com.amazonaws.dynamodb.v20120810";
const CORAL_SERVICE: &str = "com.amazon.coral.service";
const CORAL_VALIDATION: &str = "com.amazon.coral.validate";

const fn shape(status: u16, package: &'static str, code: &'static str) -> Shape {
    Shape { status, package, code, message_name: "message" }
}

impl Failure {
    /// A `ValidationException`.
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::Engine(Error::Validation(message.into()))
    }

    /// The failure as the operations on one item report what is wrong with their requests.
    pub(crate) fn enveloped(self) -> Self {
        match self {
            Self::Engine(error) => Self::Engine(error.enveloped()),
            other => other,
        }
    }

    /// The answer to a request whose target names no operation; a body that is not JSON is worse.
    pub fn unknown_operation(body: &[u8]) -> Self {
        let is_json =
            || Reader::new(body).and_then(|mut reader| reader.skip().and_then(|()| reader.end()));
        match body.is_empty() || is_json().is_ok() {
            true => Self::UnknownOperation,
            false => Self::Serialization(None),
        }
    }

    /// The table. No `_` arm on purpose: a new variant does not compile until someone has decided
    /// what clients will see.
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
            Self::NotFound(absent, _) => shape(400, SERVICE, absent.code()),
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

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.shape().status
    }

    /// AWS's name of the exception.
    pub fn code(&self) -> &'static str {
        self.shape().code
    }

    /// What the client is told. Storage failures are told in general: the details name files.
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

    /// What the log keeps of a failure that is the server's own fault.
    pub fn internal_details(&self) -> Option<String> {
        match self {
            Self::Engine(error) if self.shape().status == 500 => Some(error.to_string()),
            _ => None,
        }
    }

    /// Writes the response's body.
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
