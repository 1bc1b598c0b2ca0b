//! The figures of the event, from its counters.

use std::collections::BTreeMap;

use crate::api::prelude::*;

/// The topic of the organisers' board, and the name of its events.
pub(crate) const TOPIC: &str = "organisers";
pub(crate) const EVENT: &str = "live";

/// The figures of the event.
#[derive(View, Clone, Debug, PartialEq, Eq)]
#[view(case = "snake")]
pub(crate) struct CountsView {
    /// Teams that registered.
    #[view(example = 412)]
    total_teams: u64,
    /// Their members.
    #[view(example = 1_503)]
    total_participants: u64,
    /// Teams that are confirmed.
    #[view(example = 388)]
    paid_teams: u64,
    /// What was paid and not returned, in the smallest unit of the currency.
    #[view(example = 38_761_200)]
    revenue: u64,
    payments_attempted: u64,
    payments_failed: u64,
    refunds: u64,
    /// Registrations that expired.
    expired: u64,
    /// Places that are held or confirmed.
    #[view(example = 401)]
    slots_used: u64,
    /// Teams of each track.
    #[view(example = serde_json::json!({ "ai-ml": 120 }))]
    track_wise_distribution: BTreeMap<String, u64>,
}

/// Returns the figures of the event.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn counts(db: &Store<CodeKurukshetra>) -> Result<CountsView, Problem> {
    let totals = db.totals().await?.unwrap_or_default();
    let mut track_wise_distribution = BTreeMap::new();
    let mut tracks = db.track_stats().stream();
    while let Some(track) = tracks.next().await {
        let TrackStats { track, teams, .. } = track?;
        *track_wise_distribution.entry(track.to_string()).or_default() += teams;
    }
    Ok(CountsView {
        total_teams: totals.registrations,
        total_participants: totals.participants,
        paid_teams: totals.teams_confirmed,
        revenue: totals.revenue_minor.saturating_sub(totals.refunded_minor),
        payments_attempted: totals.payments_attempted,
        payments_failed: totals.payments_failed,
        refunds: totals.refunds,
        expired: totals.expired,
        slots_used: totals.slots_used,
        track_wise_distribution,
    })
}

/// Reports the figures to the organisers who follow them, if they have changed. What can't be read is reported the next
/// time.
pub(crate) async fn announce(app: &App) {
    if app.events.topics() == 0 {
        return;
    }
    if let Ok(counts) = counts(&app.db).await
        && app.announced.replace(&counts)
    {
        app.events.publish(TOPIC, EVENT, &counts);
    }
}

/// The figures that were reported last.
#[derive(Debug, Default)]
pub(crate) struct Announced(std::sync::Mutex<Option<CountsView>>);

impl Announced {
    /// Remembers figures, and returns whether they are other ones than before.
    fn replace(&self, counts: &CountsView) -> bool {
        let mut last = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let has_changed = last.as_ref() != Some(counts);
        *last = Some(counts.clone());
        has_changed
    }
}
