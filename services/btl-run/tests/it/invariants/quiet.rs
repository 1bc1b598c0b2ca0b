//! What holds when all work is done, beside what holds always.

use std::collections::BTreeSet;

use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_btl_run::rules::events::EventBody;
use monotable_btl_run::rules::state::Status;

use super::rows::{Stored, StoredMatch, matches, stored};
use super::wrong;
use crate::world::World;

/// Everything that does not hold when all work is done.
pub(crate) fn wrong_when_quiet(world: &World) -> Vec<String> {
    let mut wrong = wrong(world);
    let rows = stored(world);
    for row in rows.iter().filter(|row| row.pk.starts_with("task#")) {
        wrong.push(format!("there is work left: {} {}", row.pk, row.sk));
    }
    for (id, one) in &matches(&rows) {
        if one.state.is_some() {
            stories(id, one, &mut wrong);
            forgotten(id, one, &rows, &mut wrong);
        }
    }
    wrong
}

/// Works until there is nothing left to do; returns false if there is work that does not end.
pub(crate) async fn finish_work(world: &World) -> bool {
    for _ in 0..40 {
        narrate_due(&world.app).await.unwrap();
        let rows = stored(world);
        let left: Vec<&Stored> = rows.iter().filter(|row| row.pk.starts_with("task#")).collect();
        if left.is_empty() {
            return true;
        }
        // The first round of a process looks for turns of a month, which only what waits is worth.
        if left.iter().any(|row| row.pk != "task#narrate") {
            world.app.work().await.unwrap();
        }
        // What failed waits, and what a dead process had taken is free again after a while.
        world.clock.advance_ms(30 * 1000);
    }
    false
}

/// Every turn that was played is told once.
fn stories(id: &str, one: &StoredMatch, wrong: &mut Vec<String>) {
    let (mut played, mut told) = (BTreeSet::new(), Vec::new());
    for event in one.log() {
        match event.body {
            EventBody::TurnResolved(_) => played.extend(event.turn_id),
            EventBody::NarrationAttached(story) => told.push(story.turn_id),
            _ => {}
        }
    }
    let once: BTreeSet<_> = told.iter().cloned().collect();
    if once != played || once.len() != told.len() {
        wrong.push(format!("{id} played {played:?}, told {told:?}"));
    }
}

/// Everything of an ended match is forgotten in time, unless it is pinned; and nothing of another one.
fn forgotten(id: &str, one: &StoredMatch, rows: &[Stored], wrong: &mut Vec<String>) {
    let is_pinned = one.secret.as_ref().is_some_and(|secret| secret.value["pinned"] == true);
    let ends = one.state().status == Status::Ended && !is_pinned;
    let is_budget = |row: &&Stored| row.pk == format!("budget#{id}") && !row.sk.starts_with("res#");
    let is_mine = |row: &&Stored| {
        row.pk.starts_with("user#") && row.sk.starts_with("match#") && row.sk.ends_with(id)
    };
    let others = rows.iter().filter(|row| is_budget(row) || is_mine(row));
    for row in one.rows.iter().chain(others).filter(|row| row.ttl.is_some() != ends) {
        wrong.push(format!("{} {} ends at {:?}, the match {ends}", row.pk, row.sk, row.ttl));
    }
}
