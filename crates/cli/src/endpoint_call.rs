//! DynamoDB's operations within a command: the same JSON as clients send.

use anyhow::{Result, anyhow};
use monotable_wire::{Endpoint, Operation, Request};
use serde_json::Value;

/// Sends a request to the endpoint and returns the response.
///
/// # Errors
/// Returns AWS's exception with its message.
pub(crate) async fn call(endpoint: &Endpoint, operation: Operation, body: &Value) -> Result<Value> {
    let body = body.to_string();
    let request = Request { host: "localhost", body: body.as_bytes(), identity: None };
    let mut response = Vec::new();
    let called = endpoint.call(operation, request, &mut response).await;
    let response =
        if response.is_empty() { Value::Null } else { serde_json::from_slice(&response)? };
    match called {
        Ok(()) => Ok(response),
        Err(failure) => {
            let message = response["message"].as_str().or_else(|| response["Message"].as_str());
            Err(anyhow!("{}: {}", failure.code(), message.unwrap_or_default()))
        }
    }
}
