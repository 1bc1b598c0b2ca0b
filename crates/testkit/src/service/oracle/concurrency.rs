//! The concurrency oracle: many processes and tasks send one command at the same time. Guards and
//! counters hold, and none fails with 5xx.

use std::sync::Arc;

use serde_json::Value;

use crate::service::{Actor, Request, Subject, World};

/// Sends each command from this many tasks at once, on a copy of the world and in two processes,
/// and checks the invariants. Returns how often each command succeeded.
///
/// # Panics
/// Panics if a response is 5xx, or if an invariant does not hold afterwards.
pub async fn all_at_once<S: Subject>(
    start: &World<S>,
    tasks: usize,
    commands: &[(Actor<'_>, &str, Value)],
) -> Vec<usize> {
    let mut done = Vec::new();
    for (actor, route, body) in commands {
        let world = start.copy().await;
        let processes = [Arc::new(world.another_process().await), Arc::new(world)];
        let mut running = tokio::task::JoinSet::new();
        for task in 0..tasks {
            let process = Arc::clone(&processes[task % 2]);
            let (token, route, body) = (start.token(*actor), (*route).to_owned(), body.clone());
            running.spawn(async move {
                let actor = token.as_deref().map_or(Actor::Nobody, Actor::Token);
                process.send(actor, Request::new(&route, body)).await
            });
        }
        let responses = running.join_all().await;
        for response in &responses {
            assert!(
                response.status < 500,
                "{route} at once: {} {}",
                response.status,
                response.text
            );
        }
        let when = format!("{tasks} times {route} at once");
        processes[0].finish_work(&when).await;
        processes[0].check_quiet(&when).await;
        done.push(responses.iter().filter(|response| response.is_success()).count());
    }
    done
}
