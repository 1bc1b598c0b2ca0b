//! Figures of the event: what each thing that happens adds to those of its day and to the totals.

use std::collections::BTreeMap;

/// Something that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening<'a> {
    /// A team registered.
    Registered {
        /// Its members.
        members: u64,
        /// Its track, if it has chosen one.
        track: Option<&'a str>,
    },
    /// A payment began.
    Attempted,
    /// A payment was captured, in minor units.
    Paid {
        /// The amount.
        amount: u64,
    },
    /// A payment failed.
    Failed,
    /// A payment was returned, in minor units.
    Refunded {
        /// The amount.
        amount: u64,
    },
    /// The place of a team that had not paid was given up.
    Expired,
}

/// Passes the figures to a macro: what each is, its name, and the name of what adds to it in a row of counters.
macro_rules! each_figure {
    ($macro:ident) => {
        $macro! {
            /// Teams that registered.
            registrations add_registrations,
            /// Their members.
            participants add_participants,
            /// Payments that began.
            payments_attempted add_payments_attempted,
            /// Payments that were captured.
            payments_paid add_payments_paid,
            /// Payments that failed.
            payments_failed add_payments_failed,
            /// Payments that were returned.
            refunds add_refunds,
            /// What was captured, in minor units.
            revenue_minor add_revenue_minor,
            /// What was returned, in minor units.
            refunded_minor add_refunded_minor,
            /// Registrations that expired.
            expired add_expired,
        }
    };
}
pub(crate) use each_figure;

macro_rules! declare {
    ($($(#[$about:meta])* $figure:ident $add:ident,)+) => {
        /// The figures of a day, or of all days.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Figures {
            $($(#[$about])* pub $figure: u64,)+
            /// Teams that registered for each track.
            pub per_track: BTreeMap<String, u64>,
        }

        impl Figures {
            /// Adds the figures of another day.
            pub fn add(&mut self, other: &Self) {
                $(self.$figure += other.$figure;)+
                for (track, teams) in &other.per_track {
                    *self.per_track.entry(track.clone()).or_default() += teams;
                }
            }
        }
    };
}
each_figure!(declare);

impl Figures {
    /// Adds something that happened.
    pub fn count(&mut self, happening: Happening<'_>) {
        match happening {
            Happening::Registered { members, track } => {
                self.registrations += 1;
                self.participants += members;
                if let Some(track) = track {
                    *self.per_track.entry(track.to_owned()).or_default() += 1;
                }
            }
            Happening::Attempted => self.payments_attempted += 1,
            Happening::Paid { amount } => {
                self.payments_paid += 1;
                self.revenue_minor += amount;
            }
            Happening::Failed => self.payments_failed += 1,
            Happening::Refunded { amount } => {
                self.refunds += 1;
                self.refunded_minor += amount;
            }
            Happening::Expired => self.expired += 1,
        }
    }

    /// Returns the share of the payments that began and were captured; `None` if none began.
    pub fn success_rate(&self) -> Option<f64> {
        share(self.payments_paid, self.payments_attempted)
    }
}

/// How many teams came how far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Funnel {
    /// Teams that registered.
    pub registered: u64,
    /// Those of them that have an order of the gateway.
    pub ordered: u64,
    /// Those of them that paid.
    pub paid: u64,
}

impl Funnel {
    /// Adds a team. One that paid without an order, because there is no fee, counts as if it had one.
    pub fn count(&mut self, has_order: bool, has_paid: bool) {
        self.registered += 1;
        self.ordered += u64::from(has_order || has_paid);
        self.paid += u64::from(has_paid);
    }

    /// Returns the shares of the registered teams that have an order, and that paid; `None` without teams.
    pub fn shares(self) -> Option<(f64, f64)> {
        Some((share(self.ordered, self.registered)?, share(self.paid, self.registered)?))
    }
}

/// Returns a part of a whole with four digits; `None` of nothing.
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_days_add_up() {
        let day = |happenings: &[Happening<'_>]| {
            let mut figures = Figures::default();
            happenings.iter().for_each(|one| figures.count(*one));
            figures
        };
        let first = [
            Happening::Registered { members: 4, track: Some("ai-ml") },
            Happening::Registered { members: 2, track: None },
            Happening::Attempted,
            Happening::Failed,
            Happening::Paid { amount: 99_900 },
        ];
        let second = [
            Happening::Registered { members: 3, track: Some("ai-ml") },
            Happening::Attempted,
            Happening::Refunded { amount: 99_900 },
            Happening::Expired,
        ];
        let mut sum = day(&first);
        sum.add(&day(&second));
        assert_eq!(sum, day(&[&first[..], &second].concat()));
        assert_eq!((sum.registrations, sum.participants, sum.expired), (3, 9, 1));
        assert_eq!((sum.revenue_minor, sum.refunded_minor), (99_900, 99_900));
        assert_eq!(sum.per_track, BTreeMap::from([("ai-ml".to_owned(), 2)]));
        assert_eq!(sum.success_rate(), Some(0.5));
        assert_eq!(Figures::default().success_rate(), None);
    }

    #[test]
    fn the_funnel_narrows() {
        let mut funnel = Funnel::default();
        assert_eq!(funnel.shares(), None);
        for (has_order, has_paid) in [(true, true), (true, false), (false, false), (false, true)] {
            funnel.count(has_order, has_paid);
        }
        assert_eq!(funnel, Funnel { registered: 4, ordered: 3, paid: 2 });
        assert_eq!(funnel.shares(), Some((0.75, 0.5)));
    }
}
