//! An endpoint with a table, for the targets that speak the protocol.

use std::cell::RefCell;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use monotable_engine::{CreateTable, Database, IndexDefinition, PutItem, item, list};
use monotable_wire::{Endpoint, Operation, Request};

/// After how many requests a new database follows, so that what inputs write does not pile up.
const REQUESTS_MAX: usize = 2_000;

thread_local! {
    static ENDPOINT: RefCell<(Endpoint, usize)> = RefCell::new((fresh(), 0));
}

/// Sends a request to a database in memory. The answer must be JSON, and no fault of the server's.
pub(crate) fn call(operation: Operation, body: &[u8]) {
    ENDPOINT.with_borrow_mut(|(endpoint, requests)| {
        *requests += 1;
        if *requests > REQUESTS_MAX {
            *endpoint = fresh();
            *requests = 0;
        }
        let mut answer = Vec::new();
        let request = Request { host: "localhost", body, identity: None };
        let result = ready(endpoint.call(operation, request, &mut answer));
        if let Err(failure) = result {
            assert_ne!(failure.status(), 500, "{operation:?}: {failure:?}");
        }
        let json: Result<serde_json::Value, _> = serde_json::from_slice(&answer);
        assert!(json.is_ok(), "{operation:?}: {}", String::from_utf8_lossy(&answer));
    });
}

/// In memory nothing has to be waited for.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a database in memory answers at once"),
    }
}

fn fresh() -> Endpoint {
    let database = Database::memory();
    let create = || {
        let table = CreateTable::new("tab").partition_key("pk", "S")?.sort_key("sk", "N")?;
        let index = IndexDefinition::new("index", &["a"], &["pk"]);
        database.create_table(table.attribute("a", "S")?.global_index(index))?;
        for number in 0..3 {
            let item = item! { "pk" => "p", "sk" => number, "a" => "x", "l" => list![1, "two"] };
            database.put_item(PutItem::new("tab", item))?;
        }
        Ok::<_, monotable_engine::Error>(())
    };
    create().expect("the table is well-formed");
    Endpoint::new(database)
}
