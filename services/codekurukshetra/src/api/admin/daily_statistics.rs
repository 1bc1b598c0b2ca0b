//! `GET /hackathon/admin/statistics/daily`: the figures of each day.

use std::collections::BTreeMap;

use crate::api::prelude::*;
use crate::rules::statistics::Figures;

/// The days that are reported.
#[derive(Body, Debug)]
pub(crate) struct Days {
    /// The first day, in the time zone of the event.
    from: Date,
    /// The last day.
    to: Date,
}

/// The figures of a day.
#[derive(View)]
#[view(case = "snake", list = "days")]
pub(crate) struct DayView {
    day: Date,
    registrations: u64,
    participants: u64,
    /// Payments that began.
    payments_attempted: u64,
    /// Payments that were captured.
    payments_paid: u64,
    payments_failed: u64,
    /// The share of the payments that began and were captured.
    #[view(example = 0.94)]
    success_rate: Option<f64>,
    /// What was captured, in the smallest unit of the currency.
    #[view(example = 1_198_800)]
    revenue_minor: u64,
    refunds: u64,
    refunded_minor: u64,
    expired: u64,
    /// Teams of each track that registered.
    #[view(example = serde_json::json!({ "ai-ml": 12 }))]
    per_track: BTreeMap<String, u64>,
}

impl DayView {
    fn of(day: Date, figures: Figures) -> Self {
        Self {
            day,
            success_rate: figures.success_rate(),
            registrations: figures.registrations,
            participants: figures.participants,
            payments_attempted: figures.payments_attempted,
            payments_paid: figures.payments_paid,
            payments_failed: figures.payments_failed,
            revenue_minor: figures.revenue_minor,
            refunds: figures.refunds,
            refunded_minor: figures.refunded_minor,
            expired: figures.expired,
            per_track: figures.per_track,
        }
    }
}

/// Returns the figures of each day on which something happened: attempts to pay, successes, the rate of success and revenue
/// among them.
#[operation(GET "/hackathon/admin/statistics/daily", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn get_daily_statistics(
    app: &App,
    call: &Call<(), (), Days>,
) -> Answer<Page<DayView>> {
    policy::administer(call)?;
    let Days { from, to } = call.query;
    if from > to {
        return Err(Problem::field("to", "must not be before from"));
    }
    let mut days: BTreeMap<Date, Figures> = BTreeMap::new();
    for row in app.db.daily_stats(from, to).all().await? {
        days.insert(row.day, row.figures());
    }
    for TrackStats { track, day, teams } in app.db.track_stats().all().await? {
        if (from..=to).contains(&day) {
            days.entry(day).or_default().per_track.insert(track.to_string(), teams);
        }
    }
    let rows = days.into_iter().map(|(day, figures)| DayView::of(day, figures)).collect();
    Ok(Page { rows, next: None }.into())
}
