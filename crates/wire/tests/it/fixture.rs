//! A database in memory behind the protocol, and the one way in which tests send requests to it.

use std::future::Future;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use monotable_engine::{CreateTable, Database, IndexDefinition, Options, Projection};
use monotable_lifecycle::{Lifecycle, LifecycleOptions};
use monotable_wire::access::Permissions;
use monotable_wire::sigv4::{AccessKey, Identity, SecretKey};
use monotable_wire::{Endpoint, ItemLines, Operation, Request};

/// An endpoint with four tables:
///
/// - `league`: PK and SK are strings; the global index `by-city` (city) projects all, `by-name`
///   (name) only keys, the local index `by-score` has the number score as its sort key
/// - `plain`, `numbers`, `blobs`: id is a string, a number, a binary
pub(crate) struct World(Endpoint, Lifecycle);

impl World {
    pub(crate) fn new() -> Self {
        Self::with(Options::default())
    }

    pub(crate) fn with(options: Options) -> Self {
        let database = Database::memory_with(options);
        for table in tables() {
            database.create_table(table).unwrap();
        }
        Self::with_buckets(database, None)
    }

    /// An endpoint whose buckets are in this directory.
    pub(crate) fn with_buckets(database: Database, buckets: Option<PathBuf>) -> Self {
        let options = LifecycleOptions {
            backups: None,
            history: None,
            buckets,
            attached: Vec::new(),
            codec: Arc::new(ItemLines),
        };
        Self::over(Lifecycle::open(database, options).unwrap())
    }

    /// An endpoint of a lifecycle.
    pub(crate) fn over(lifecycle: Lifecycle) -> Self {
        Self(Endpoint::with_lifecycle(lifecycle.clone()), lifecycle)
    }

    /// Waits for all jobs.
    pub(crate) fn finish_jobs(&self) {
        self.1.finish_jobs();
    }

    /// Returns the body of the response, also of an error.
    pub(crate) fn call(&self, operation: &str, body: &[u8]) -> String {
        self.run(known(operation), body)
    }

    pub(crate) fn run(&self, operation: Operation, body: &[u8]) -> String {
        self.send(operation, Request { host: "localhost:8000", body, identity: None })
    }

    /// Returns the body of the response for a caller with only these permissions.
    pub(crate) fn call_as(&self, permissions: Permissions, operation: &str, body: &str) -> String {
        let key = AccessKey::new("AKIAEXAMPLE", SecretKey::new("secret"), "ada", permissions);
        let identity = Identity { key: &key, region: "us-east-1".into() };
        let request =
            Request { host: "localhost:8000", body: body.as_bytes(), identity: Some(&identity) };
        self.send(known(operation), request)
    }

    fn send(&self, operation: Operation, request: Request<'_>) -> String {
        let mut response = Vec::new();
        let result = block_on(self.0.call(operation, request, &mut response));
        let response = String::from_utf8(response).expect("JSON is text");
        assert_eq!(result.is_err(), response.starts_with(r#"{"__type":"#), "{response}");
        response
    }

    /// Sends a request that must succeed, and returns the body of its response.
    #[track_caller]
    pub(crate) fn answer(&self, operation: &str, body: &str) -> String {
        let response = self.call(operation, body.as_bytes());
        assert!(!response.starts_with(r#"{"__type":"#), "{operation} {body}\n{response}");
        response
    }

    /// Puts an item, given in DynamoDB's JSON.
    #[track_caller]
    pub(crate) fn put(&self, table: &str, item: &str) {
        self.answer("PutItem", &format!(r#"{{"TableName":"{table}","Item":{item}}}"#));
    }
}

/// Returns the operation with this name.
pub(crate) fn known(operation: &str) -> Operation {
    let is_named = |candidate: &&Operation| candidate.name() == operation;
    *Operation::ALL.iter().find(is_named).expect("a known operation")
}

fn tables() -> Vec<CreateTable> {
    let league = CreateTable::new("league").partition_key("PK", "S").unwrap();
    let league = league.sort_key("SK", "S").unwrap();
    let league = league.attribute("city", "S").unwrap().attribute("name", "S").unwrap();
    let by_name = IndexDefinition::new("by-name", &["name"], &[]);
    let mut tables = vec![
        league
            .attribute("score", "N")
            .unwrap()
            .global_index(IndexDefinition::new("by-city", &["city"], &[]))
            .global_index(by_name.projection(Projection::KeysOnly))
            .local_index(IndexDefinition::new("by-score", &["PK"], &["score"])),
    ];
    for (table, scalar_type) in [("plain", "S"), ("numbers", "N"), ("blobs", "B")] {
        tables.push(CreateTable::new(table).partition_key("id", scalar_type).unwrap());
    }
    tables
}

/// Wakes the thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

pub(crate) const VALIDATION: &str = "ValidationException";
pub(crate) const SERIALIZATION: &str = "SerializationException";
pub(crate) const NOT_FOUND: &str = "ResourceNotFoundException";

/// A request that is refused: the operation, the body, AWS's exception and its message (empty if
/// the exception has none).
pub(crate) type Refusal<'a> = (&'a str, &'a str, &'a str, &'a str);

/// Sends every request to the same database and compares the complete bodies of the errors.
#[track_caller]
pub(crate) fn check_refusals(refusals: &[Refusal<'_>]) {
    let world = World::new();
    let mut wrong = String::new();
    for (operation, body, code, message) in refusals {
        let response = world.call(operation, body.as_bytes());
        let expected = error_body(code, message);
        if response != expected {
            let shown: String = body.chars().take(400).collect();
            wrong += &format!("\n{operation} {shown}\n   got {response}\nwanted {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns the message of an error in the form of the operation: PutItem, UpdateItem and DeleteItem
/// add a prefix.
pub(crate) fn reported(operation: &str, message: &str) -> String {
    match operation {
        "PutItem" | "UpdateItem" | "DeleteItem" => {
            format!("1 validation error detected: {message}")
        }
        _ => message.to_owned(),
    }
}

/// Returns the body of an error as AWS writes it.
pub(crate) fn error_body(code: &str, message: &str) -> String {
    let (package, message_name) = match code {
        "SerializationException" => ("com.amazon.coral.service", "Message"),
        "ValidationException" => ("com.amazon.coral.validate", "message"),
        _ => ("com.amazonaws.dynamodb.v20120810", "message"),
    };
    let message = message.replace('\\', "\\\\").replace('"', "\\\"");
    if message.is_empty() {
        format!(r#"{{"__type":"{package}#{code}"}}"#)
    } else {
        format!(r#"{{"__type":"{package}#{code}","{message_name}":"{message}"}}"#)
    }
}
