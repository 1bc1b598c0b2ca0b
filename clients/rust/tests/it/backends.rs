//! The modelling layer's backends that speak through the SDK, held to the suite of `crates/model`:
//! against our own endpoint, and against an independent implementation of DynamoDB.

/// The suite lies in a folder of `crates/model`, as do its modules.
#[path = "../../../../crates/model/tests/it/backends"]
mod shared {
    pub(super) mod suite;
}

use std::io::Write;
use std::sync::Arc;

use aws_sdk_dynamodb::config::Credentials;
use monotable_model::backend::request::{Transaction, TransactionGet};
use monotable_model::backend::{Alternator, Backend, BackendError, Dynamo};
use monotable_types::item;

use self::shared::suite::{self, Difference};
use crate::endpoint::{client, client_of};

/// Names the endpoint of the independent implementation; `cargo xtask test --only clients` sets it,
/// or the second one with the reason why it could not.
const PEER_ENDPOINT: &str = "MONOTABLE_PEER_ENDPOINT";
const PEER_ABSENCE: &str = "MONOTABLE_PEER_ABSENCE";

/// What AWS's own DynamoDB Local does otherwise than the documentation of DynamoDB.
const DIFFERENCES_OF_DYNAMODB_LOCAL: &[Difference] = &[
    Difference {
        case: "batches::missing_rows_are_paid_for",
        reason: "it charges only what it finds; the developer guide says that a read of an item that \
                 does not exist costs as one of the smallest size",
    },
    Difference {
        case: "transactions::every_action_costs_twice",
        reason: "it charges 2 units for four actions; the developer guide says two write units an item",
    },
    Difference {
        case: "transactions::a_malformed_action_is_a_reason",
        reason: "it refuses the whole request; the API reference lists an operand of the wrong type \
                 among the messages of the cancellation reason ValidationError",
    },
    Difference {
        case: "transactions::a_row_both_checked_and_written_is_refused",
        reason: "it evaluates the check; the API reference says that one can't both check and write \
                 an item",
    },
];

#[tokio::test]
async fn our_endpoint_passes_the_suite() {
    suite::run(Arc::new(Dynamo::new(client())), &[]).await.expect_all_passed();
}

#[tokio::test]
async fn our_endpoint_as_alternator_passes_what_needs_no_transactions() {
    let backend = Alternator::new(client());
    assert!(!backend.capabilities().transactions);
    suite::run(Arc::new(backend), &[]).await.expect_all_passed();
}

#[tokio::test]
async fn alternator_refuses_transactions_by_the_rule_s_name() {
    let backend = Alternator::new(client());
    let writes = Transaction { writes: Vec::new(), token: None };
    let gets = TransactionGet {
        table: "league".into(),
        keys: vec![item! { "PK" => "a" }],
        returns_units: false,
    };
    let written = backend.transact(writes).await.map(drop);
    let read = backend.transact_get(gets).await.map(drop);
    for answer in [written, read] {
        match answer {
            Err(BackendError::Refused(text)) => assert!(text.starts_with("[R01] "), "{text}"),
            other => panic!("another answer: {other:?}"),
        }
    }
}

#[tokio::test]
async fn an_independent_implementation_passes_the_suite() {
    let Ok(url) = std::env::var(PEER_ENDPOINT) else {
        let why = std::env::var(PEER_ABSENCE);
        let why = why.unwrap_or_else(|_| format!("{PEER_ENDPOINT} names no endpoint"));
        // Past the test harness, which keeps what passing tests print to itself.
        let mut notice = std::io::stderr();
        writeln!(notice, "\nSKIPPED: the backend suite on an independent implementation: {why}")
            .unwrap();
        return;
    };
    let credentials = Credentials::new("local", "local", None, None, "fixed");
    let backend = Dynamo::new(client_of(url, credentials));
    suite::run(Arc::new(backend), DIFFERENCES_OF_DYNAMODB_LOCAL).await.expect_all_passed();
}
