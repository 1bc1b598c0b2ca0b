//! The acts through the service's routes.

use monotable_bench::Result;

use super::world::{Act, Desk, Team, Webhook};
use crate::clients::Stopwatch;
use crate::recorded::recorded;

/// How often the gateway reports each of its two events of a payment.
const DELIVERIES: usize = 2;

/// Returns a client that registers new teams, or the gateway that reports the payments of its own
/// teams.
pub(super) async fn client(
    desk: Desk,
    act: Act,
    teams: Vec<Team>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    let mut calls = Vec::new();
    match act {
        Act::Register => {
            while !watch.is_over() {
                let (_, request) = desk.registration()?;
                let (answer, sent) = recorded(watch.measure(desk.service.done(request))).await;
                answer?;
                calls.push(sent);
            }
        }
        Act::Capture => {
            for team in teams {
                let webhooks = team.payment_webhooks(&desk)?;
                let (answer, sent) = recorded(watch.measure(report(&desk, webhooks))).await;
                answer?;
                calls.push(sent);
                if watch.is_over() {
                    break;
                }
            }
        }
    }
    desk.sent().push(calls);
    Ok(watch)
}

/// Reports the events of a payment, each more than once.
async fn report(desk: &Desk, webhooks: [Webhook; 2]) -> Result<()> {
    for webhook in webhooks {
        for _ in 0..DELIVERIES {
            desk.service.done(webhook.request()?).await?;
        }
    }
    Ok(())
}
