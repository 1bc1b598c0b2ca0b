//! What a simulated gateway reports, delivered within the process.

use monotable_kit::{Problem, repeat};

use crate::api::payment::webhook;
use crate::app::App;

/// Delivers the webhooks that wait, unless a test does so. One that can't be taken now waits for the next time; one that is
/// refused would be refused again.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn deliver(app: &App) -> Result<(), Problem> {
    let simulator = app.cashier.gateway.simulator().filter(|it| it.delivers_webhooks());
    let Some(simulator) = simulator else { return Ok(()) };
    for _ in 0..simulator.waiting_webhooks() {
        let Some(waiting) = simulator.take_webhook(0) else { break };
        let event_id = Some(waiting.event_id.as_str());
        let body = waiting.body.as_bytes();
        match repeat(|| webhook::receive(app, body, &waiting.signature, event_id)).await {
            Err(problem) if problem.status() >= 500 => {
                simulator.return_webhook(waiting);
                return Err(problem);
            }
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}
