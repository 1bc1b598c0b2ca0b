//! Counters, compared with what they count.
//!
//! Everything that is counted changes its counters in the same transaction. So counters that are the same before and after
//! the rows were read belong to these rows; otherwise nothing is compared this time.

use std::collections::BTreeMap;

use monotable::model::{Condition, Store, check, check_absent};
use monotable::prelude::Date;
use monotable_kit::backfill::LostRace as _;
use monotable_kit::{Problem, Zone};

use super::{Finding, Repair, Report, Rows};
use crate::rules::registration::{PAYMENTS_KEPT, has_slot};
use crate::rules::statistics::{Figures, Happening, each_figure};
use crate::table::{
    CodeKurukshetra, CodeKurukshetraReads as _, DailyStats, DailyStatsKey, DailyStatsUpdate,
    Payment, PaymentStatus, RegistrationStatus, TotalStats, TotalStatsKey, TotalStatsUpdate, Track,
    TrackStats, TrackStatsKey, daily_stats, total_stats, track_stats,
};

/// The counters of the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counters {
    totals: Option<TotalStats>,
    days: BTreeMap<Date, DailyStats>,
    tracks: BTreeMap<(Track, Date), u64>,
}

impl Counters {
    pub(super) async fn read(db: &Store<CodeKurukshetra>) -> Result<Self, Problem> {
        let (first, last) = (Date::new(0, 1, 1), Date::new(9999, 12, 31));
        let (Ok(first), Ok(last)) = (first, last) else { return Ok(Self::default()) };
        let days = db.daily_stats(first, last).consistent().all().await?;
        let tracks = db.track_stats().consistent().all().await?;
        Ok(Self {
            totals: db.totals().await?,
            days: days.into_iter().map(|row| (row.day, row)).collect(),
            tracks: tracks.into_iter().map(|row| ((row.track, row.day), row.teams)).collect(),
        })
    }
}

/// What the counters should be.
#[derive(Default)]
struct Expected {
    totals: Figures,
    slots_used: u64,
    teams_confirmed: u64,
    days: BTreeMap<Date, Figures>,
    tracks: BTreeMap<(Track, Date), u64>,
    /// Whether rows of participants are gone, so that the days on which they came can't be known.
    lacks_participants: bool,
    /// Whether payments may be gone, because books are not kept forever.
    lacks_payments: bool,
}

impl Expected {
    fn of(rows: &Rows, zone: &Zone) -> Self {
        let mut expected = Self::default();
        for team in rows.teams.values() {
            let day = team.day.unwrap_or_else(|| zone.day(team.stamps.created));
            expected.days.entry(day).or_default().registrations += 1;
            expected.totals.registrations += 1;
            expected.totals.participants += u64::from(team.member_count);
            expected.slots_used += u64::from(has_slot(team.registration()));
            let is_confirmed = team.registration() == RegistrationStatus::Confirmed;
            expected.teams_confirmed += u64::from(is_confirmed);
            if let Some(track) = &team.track {
                *expected.tracks.entry((track.clone(), day)).or_default() += 1;
            }
            let mut members = 0;
            for member in rows.members(team) {
                let day = member.day.unwrap_or_else(|| zone.day(member.stamps.created));
                expected.days.entry(day).or_default().participants += 1;
                members += 1;
            }
            expected.lacks_participants |= members != team.member_count;
        }
        for payment in rows.payments.values() {
            expected.count(payment, zone);
        }
        expected
    }

    /// Returns figures with what rows do not tell as it is stored: expired registrations, which may have been confirmed later,
    /// and payments that are gone.
    fn told(&self, figures: Figures, stored: &Figures) -> Figures {
        if self.lacks_payments {
            let Figures { registrations, participants, per_track, .. } = figures;
            return Figures { registrations, participants, per_track, ..stored.clone() };
        }
        Figures { expired: stored.expired, ..figures }
    }

    /// Counts what has happened to a payment. Older programs did not write when.
    fn count(&mut self, payment: &Payment, zone: &Zone) {
        let (status, amount) = (payment.status, payment.amount);
        let changed = payment.stamps.updated;
        let attempted = status > PaymentStatus::Pending;
        let attempted = payment.attempted_at.or_else(|| attempted.then_some(changed));
        let failed = status == PaymentStatus::Failed;
        let failed = payment.failed_at.or_else(|| failed.then_some(changed));
        let paid = status >= PaymentStatus::Paid;
        let paid = payment.paid_at.or_else(|| paid.then_some(changed));
        let refunded = status == PaymentStatus::Refunded;
        let refunded = payment.refunded_at.or_else(|| refunded.then_some(changed));
        let happened = [
            (attempted, Happening::Attempted),
            (failed, Happening::Failed),
            (paid, Happening::Paid { amount }),
            (refunded, Happening::Refunded { amount }),
        ];
        for (at, happening) in happened {
            let Some(at) = at else { continue };
            self.totals.count(happening);
            self.days.entry(zone.day(at)).or_default().count(happening);
        }
    }
}

/// Returns the condition that a counter is as it was read. Rows lack counters that never counted.
fn is<E: monotable::model::Entity>(
    path: fn() -> monotable::model::Path<E, u64>,
    value: u64,
) -> Condition<E> {
    let same = path().eq(value);
    if value == 0 { same.or(path().absent()) } else { same }
}

/// Returns how much is missing.
fn difference(expected: u64, stored: u64) -> i64 {
    expected.cast_signed() - stored.cast_signed()
}

/// Compares the counters with the rows, and repairs them.
pub(super) async fn compare(
    db: &Store<CodeKurukshetra>,
    before: &Counters,
    rows: &Rows,
    repair: Repair,
    report: &mut Report,
) -> Result<(), Problem> {
    let Some(config) = &rows.config else { return Ok(()) };
    let zone = Zone::named(&config.timezone).map_err(Problem::internal)?;
    if Counters::read(db).await? != *before {
        return Ok(());
    }
    let books_end = zone.day(rows.now - PAYMENTS_KEPT);
    let mut expected = Expected::of(rows, &zone);
    expected.lacks_payments = before.days.keys().next().is_some_and(|first| *first <= books_end);
    let mut findings = Vec::new();
    let mut tx = db.transact();
    let stored = before.totals.clone().unwrap_or_default();
    let figures = stored.figures();
    let should = expected.told(expected.totals.clone(), &figures);
    let totals = TotalStats::update(&TotalStatsKey::new()).or_create();
    let mut totals = compare_totals(totals, "TOTALS", (&figures, &should), &mut findings);
    if expected.slots_used != stored.slots_used {
        findings.push(wrong("TOTALS", "slots_used", stored.slots_used, expected.slots_used));
        totals = totals.add_slots_used(difference(expected.slots_used, stored.slots_used));
    }
    totals = totals.when(is(total_stats::slots_used, stored.slots_used));
    let confirmed = (expected.teams_confirmed, stored.teams_confirmed);
    if confirmed.0 != confirmed.1 {
        findings.push(wrong("TOTALS", "teams_confirmed", confirmed.1, confirmed.0));
        totals = totals.add_teams_confirmed(difference(confirmed.0, confirmed.1));
    }
    totals = totals.when(is(total_stats::teams_confirmed, stored.teams_confirmed));
    if findings.is_empty() {
        match &before.totals {
            Some(_) => _ = tx.add(check(&TotalStatsKey::new(), unchanged(&figures))),
            None => _ = tx.add(check_absent(&TotalStatsKey::new())),
        }
    } else {
        tx.add(totals);
    }
    days(before, &expected, &mut tx, &mut findings);
    tracks(before, &expected, &mut tx, &mut findings);
    let is_repaired = repair == Repair::Derived && !findings.is_empty() && {
        match tx.commit().await {
            Ok(_) => true,
            Err(error) if error.is_lost_race() => false,
            Err(error) => return Err(error.into()),
        }
    };
    report.findings.extend(findings.into_iter().map(|finding| Finding { is_repaired, ..finding }));
    Ok(())
}

macro_rules! comparisons {
    ($($(#[$about:meta])* $figure:ident $add:ident,)+) => {
        comparisons! { compare_totals TotalStatsUpdate total_stats: $($figure $add),+ }
        comparisons! { compare_day DailyStatsUpdate daily_stats: $($figure $add),+ }

        /// Returns the condition that nothing was counted since the totals were read.
        fn unchanged(stored: &Figures) -> Condition<TotalStats> {
            let conditions = [$(is(total_stats::$figure, stored.$figure)),+];
            let same = is(total_stats::registrations, stored.registrations);
            conditions.into_iter().fold(same, Condition::and)
        }
    };
    ($compare:ident $Update:ident $row:ident: $($figure:ident $add:ident),+) => {
        /// Compares the figures of a row. Its update gets what is missing, on condition that they are as they were read.
        fn $compare(
            mut update: $Update,
            row: &str,
            (stored, should): (&Figures, &Figures),
            findings: &mut Vec<Finding>,
        ) -> $Update {
            $(
                if should.$figure != stored.$figure {
                    findings.push(wrong(row, stringify!($figure), stored.$figure, should.$figure));
                    update = update.$add(difference(should.$figure, stored.$figure));
                }
                update = update.when(is($row::$figure, stored.$figure));
            )+
            update
        }
    };
}
each_figure!(comparisons);

/// Compares the counters of days.
fn days(
    before: &Counters,
    expected: &Expected,
    tx: &mut monotable::model::Transact<CodeKurukshetra>,
    findings: &mut Vec<Finding>,
) {
    let mut days: Vec<Date> = before.days.keys().chain(expected.days.keys()).copied().collect();
    days.sort_unstable();
    days.dedup();
    for day in days {
        let stored = before.days.get(&day).map(DailyStats::figures).unwrap_or_default();
        let should = expected.days.get(&day).cloned().unwrap_or_default();
        let mut should = expected.told(should, &stored);
        if expected.lacks_participants {
            should.participants = stored.participants;
        }
        let known = findings.len();
        let update = DailyStats::update(&DailyStatsKey::new(day)).or_create();
        let update = compare_day(update, &format!("DAILY#{day}"), (&stored, &should), findings);
        if findings.len() > known {
            tx.add(update);
        }
    }
}

/// Compares the counters of tracks.
fn tracks(
    before: &Counters,
    expected: &Expected,
    tx: &mut monotable::model::Transact<CodeKurukshetra>,
    findings: &mut Vec<Finding>,
) {
    let mut keys: Vec<&(Track, Date)> =
        before.tracks.keys().chain(expected.tracks.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    for key @ (track, day) in keys {
        let stored = before.tracks.get(key).copied().unwrap_or_default();
        let should = expected.tracks.get(key).copied().unwrap_or_default();
        if should != stored {
            findings.push(wrong(&format!("TRACK#{track}#{day}"), "teams", stored, should));
            let update = TrackStats::update(&TrackStatsKey::new(track.clone(), *day)).or_create();
            let update = update.add_teams(difference(should, stored));
            tx.add(update.when(is(track_stats::teams, stored)));
        }
    }
}

fn wrong(row: &str, counter: &str, stored: u64, expected: u64) -> Finding {
    let text = format!("{counter} is {stored}; the rows add up to {expected}");
    Finding { kind: "counters", row: format!("STATS / {row}"), text, is_repaired: false }
}
