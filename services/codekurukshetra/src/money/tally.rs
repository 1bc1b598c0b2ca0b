//! Counters: what happens is added to its day and to the totals in the same transaction.

use std::collections::BTreeMap;

use monotable::prelude::Date;

use crate::money::Tx;
use crate::rules::statistics::{Figures, Happening, each_figure};
use crate::table::{
    DailyStats, DailyStatsKey, DailyStatsUpdate, TotalStats, TotalStatsKey, TotalStatsUpdate,
    Track, TrackStats, TrackStatsKey, total_stats,
};

macro_rules! add_figures {
    ($($(#[$about:meta])* $figure:ident $add:ident,)+) => {
        impl Tally {
            /// Adds the figures to the counters of a day.
            fn in_day(&self, mut update: DailyStatsUpdate) -> DailyStatsUpdate {
                $(if self.figures.$figure > 0 {
                    update = update.$add(self.signed(self.figures.$figure));
                })+
                update
            }

            /// Adds the figures to the counters of the event.
            fn in_totals(&self, mut update: TotalStatsUpdate) -> TotalStatsUpdate {
                $(if self.figures.$figure > 0 {
                    update = update.$add(self.signed(self.figures.$figure));
                })+
                update
            }
        }
    };
}
each_figure!(add_figures);

/// What a transaction counts. A transaction writes each row of counters once, so that it has one of these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) figures: Figures,
    /// Slots that are taken, or given back.
    pub(crate) slots: i64,
    /// Teams that become confirmed, or no longer are.
    pub(crate) confirmed: i64,
    /// Whether the figures are taken back, because the rows that they count are deleted.
    pub(crate) is_undone: bool,
}

impl Tally {
    /// Counts something that happens.
    pub(crate) fn count(&mut self, happening: Happening<'_>) {
        self.figures.count(happening);
    }

    /// Adds what happens on a day to a transaction. More slots are taken only while fewer than so many are used.
    pub(crate) fn add_to(&self, tx: &mut Tx, day: Date, slots_max: u32) {
        self.add_day(tx, day);
        if *self != Self::default() {
            tx.add(self.totals(slots_max));
        }
    }

    /// Adds what happens on a day to a transaction, without the totals.
    pub(crate) fn add_day(&self, tx: &mut Tx, day: Date) {
        for (track, teams) in &self.figures.per_track {
            if let Ok(track) = track.parse() {
                add_track(tx, track, day, self.signed(*teams));
            }
        }
        let without_tracks = Figures { per_track: BTreeMap::new(), ..self.figures.clone() };
        if without_tracks != Figures::default() {
            tx.add(self.in_day(DailyStats::update(&DailyStatsKey::new(day)).or_create()));
        }
    }

    /// Returns the change of the totals. More slots are taken only while fewer than so many are used.
    pub(crate) fn totals(&self, slots_max: u32) -> TotalStatsUpdate {
        let mut update = self.in_totals(TotalStats::update(&TotalStatsKey::new()).or_create());
        if self.confirmed != 0 {
            update = update.add_teams_confirmed(self.confirmed);
        }
        if self.slots != 0 {
            update = update.add_slots_used(self.slots);
        }
        if self.slots > 0 {
            // Before the first registration there is no such row.
            update = update.when(!total_stats::slots_used().ge(u64::from(slots_max)));
        }
        update
    }

    fn signed(&self, figure: u64) -> i64 {
        let figure = figure.cast_signed();
        if self.is_undone { -figure } else { figure }
    }
}

/// Counts teams of a track on the day on which they registered.
pub(crate) fn add_track(tx: &mut Tx, track: Track, day: Date, teams: i64) {
    tx.add(TrackStats::update(&TrackStatsKey::new(track, day)).or_create().add_teams(teams));
}
