//! Money: whatever happens to requests, calls, webhooks and processes, nobody loses any.

mod crashes;
mod days;
mod dying;
mod forgeries;
mod histories;
mod invariants;
mod orders;
mod pay_page;

use std::sync::Arc;

use monotable::model::backend::Backend;
use monotable_codekurukshetra::CodeKurukshetraService;
use monotable_kit::payment_gateway::Gateway;
use monotable_testkit::service::Setting;

use crate::world::{Event, World};

const MINUTE_MS: u64 = 60 * 1_000;
/// Rounds after which work must have ended.
const ROUNDS_MAX: usize = 40;

/// Returns an event of its own with the same rows, orders and webhooks.
async fn copy_of(event: &Event) -> Event {
    let gateway = Arc::new(event.gateway.copy());
    let copy = event.world.copy().await;
    let world = copy.another_process_with(paying_at(Arc::clone(&gateway) as _)).await;
    Event { world: Arc::new(world), gateway }
}

/// Returns another process on the same table, which reaches it by this backend.
async fn over(event: &Event, backend: impl Backend) -> Event {
    let world: World = event.world.over(backend).await;
    Event { world: Arc::new(world), gateway: Arc::clone(&event.gateway) }
}

/// Returns a new process on the same table.
async fn restarted(event: &Event) -> Event {
    let world = event.another_process_with(paying_at(Arc::clone(&event.gateway) as _)).await;
    Event { world: Arc::new(world), gateway: Arc::clone(&event.gateway) }
}

fn paying_at(gateway: Arc<dyn Gateway>) -> Setting {
    Setting::new(CodeKurukshetraService::default().gateway(gateway))
}

/// Works until nothing is left to do: events that were lost are found by looking orders up.
async fn finish(event: &Event, when: &str) {
    event.gateway.answer_calls();
    for _ in 0..ROUNDS_MAX {
        event.clock.advance_ms(15 * MINUTE_MS);
        event.app.work().await.unwrap_or_else(|problem| panic!("{when}: {problem:?}"));
        for response in event.deliver().await {
            assert!(response.status < 500, "{when}: {}", response.text);
        }
        if invariants::open_work(event).await == 0 {
            // Indexes may lag behind.
            event.clock.advance_ms(MINUTE_MS);
            return;
        }
    }
    panic!("{when}: the work does not end");
}

/// Checks what must hold at every moment.
async fn check(event: &Event, when: &str) {
    let wrong = invariants::always(event).await;
    assert!(wrong.is_empty(), "{when}:\n{}", wrong.join("\n"));
}

/// Checks what must hold when all work is done.
async fn check_quiet(event: &Event, when: &str) {
    let wrong = invariants::quiet(event).await;
    assert!(wrong.is_empty(), "{when}:\n{}", wrong.join("\n"));
}
