//! The acts through the service's routes.

use monotable_bench::Result;

use super::world::{Act, CALLS, Desk, Team};
use crate::clients::Stopwatch;
use crate::recorded::recorded;

/// Returns a client with the phones of its teams. All acts take turns, and one of them is measured.
pub(super) async fn client(
    desk: Desk,
    act: Act,
    teams: Vec<Team>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    let (mut calls, mut is_measured) = (Vec::new(), false);
    for team in teams.iter().cycle() {
        // On a slow machine a slice may end before the turn of what is measured.
        if watch.is_over() && (is_measured || calls.len() >= CALLS * teams.len()) {
            break;
        }
        let (called, request) = desk.next(team)?;
        let call = watch.measure_if(called == act, desk.service.done(request));
        let (answer, sent) = recorded(call).await;
        answer?;
        is_measured |= called == act;
        calls.push((called, sent));
    }
    desk.sent().push(calls);
    Ok(watch)
}
