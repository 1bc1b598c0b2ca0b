//! The registration of a team: when it is possible, how long a place is held, its state machine, and how long
//! rows are kept.

use std::time::Duration;

use monotable::model::time::{EpochSeconds, Timestamp};

use crate::table::{Config, PaymentStatus, RegistrationStatus};

const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How long a place is held for a team that has not paid, unless the configuration says otherwise.
pub const HOLD_HOURS_DEFAULT: u16 = 24;
/// How long participants of an expired registration are kept.
const EXPIRED_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How long payments are kept: eight years, two of which are leap years.
pub const PAYMENTS_KEPT: Duration = Duration::from_secs((8 * 365 + 2) * 24 * 60 * 60);
/// A row that is to vanish sooner was given a wrong time.
const TTL_MIN: Duration = HOUR;

/// Whether teams can register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// They can.
    Open,
    /// The time has not come.
    NotYet,
    /// The time has passed.
    Over,
    /// Organizers have closed it.
    Closed,
}

impl Window {
    /// Returns whether teams can register: the flag **and** the dates must allow it.
    pub fn at(config: &Config, now: Timestamp) -> Self {
        if !config.registration_open {
            Self::Closed
        } else if now < config.registration_start {
            Self::NotYet
        } else if now > config.registration_end {
            Self::Over
        } else {
            Self::Open
        }
    }

    /// Returns a sentence for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Open => "Registration is open.",
            Self::NotYet => "Registration has not started yet.",
            Self::Over => "Registration has ended.",
            Self::Closed => "Registration is closed.",
        }
    }
}

/// Returns until when a place is held.
pub fn hold_until(registered_at: Timestamp, hold_hours: u16) -> Timestamp {
    registered_at + HOUR * u32::from(hold_hours)
}

/// Returns whether a registration can change from one status to another.
///
/// A team on the waiting list can give up, too.
pub fn can_become(from: RegistrationStatus, to: RegistrationStatus) -> bool {
    use RegistrationStatus::{Cancelled, Confirmed, Expired, PendingPayment, Refunded, Waitlisted};
    match from {
        PendingPayment => matches!(to, Confirmed | Expired | Cancelled),
        Expired => to == Confirmed,
        Confirmed => matches!(to, Refunded | Cancelled),
        Waitlisted => matches!(to, PendingPayment | Cancelled),
        Cancelled | Refunded => false,
    }
}

/// Returns whether a team has one of the places of the event.
pub fn has_slot(status: RegistrationStatus) -> bool {
    matches!(status, RegistrationStatus::PendingPayment | RegistrationStatus::Confirmed)
}

/// Returns the status of a team that an older program wrote without one.
pub fn of_legacy(payment: PaymentStatus) -> RegistrationStatus {
    match payment {
        PaymentStatus::Paid => RegistrationStatus::Confirmed,
        PaymentStatus::Refunded => RegistrationStatus::Refunded,
        PaymentStatus::Pending | PaymentStatus::Failed => RegistrationStatus::PendingPayment,
    }
}

/// Returns when personal data of the event goes.
pub fn ttl_after_event(event_end: Timestamp, retention_days: u32) -> EpochSeconds {
    (event_end + DAY * retention_days).epoch_seconds()
}

/// Returns when participants go whose registration expires now.
pub fn ttl_of_expired(now: Timestamp) -> EpochSeconds {
    (now + EXPIRED_KEPT).epoch_seconds()
}

/// A time at which a row is to vanish that has come already, or nearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a row can't be written that expires within an hour")]
pub struct ExpiresTooSoon;

/// Checks the time at which a row is to vanish before it is written.
///
/// # Errors
/// Fails if it would expire within an hour.
pub fn checked_ttl(ttl: EpochSeconds, now: Timestamp) -> Result<EpochSeconds, ExpiresTooSoon> {
    if ttl > (now + TTL_MIN).epoch_seconds() { Ok(ttl) } else { Err(ExpiresTooSoon) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn statuses_change_as_the_state_machine_allows() {
        use RegistrationStatus::{
            Cancelled, Confirmed, Expired, PendingPayment, Refunded, Waitlisted,
        };
        let all = [PendingPayment, Confirmed, Expired, Cancelled, Refunded, Waitlisted];
        let becomes = |from| all.into_iter().filter(|to| can_become(from, *to)).collect::<Vec<_>>();
        assert_eq!(becomes(PendingPayment), [Confirmed, Expired, Cancelled]);
        assert_eq!(becomes(Confirmed), [Cancelled, Refunded]);
        assert_eq!(becomes(Expired), [Confirmed]);
        assert_eq!(becomes(Waitlisted), [PendingPayment, Cancelled]);
        assert_eq!(becomes(Cancelled), []);
        assert_eq!(becomes(Refunded), []);
        assert_eq!(all.map(has_slot), [true, true, false, false, false, false]);
    }

    #[test]
    fn ck_d23_older_teams_have_the_status_of_their_payment() {
        for (payment, status) in [
            (PaymentStatus::Paid, RegistrationStatus::Confirmed),
            (PaymentStatus::Refunded, RegistrationStatus::Refunded),
            (PaymentStatus::Failed, RegistrationStatus::PendingPayment),
            (PaymentStatus::Pending, RegistrationStatus::PendingPayment),
        ] {
            assert_eq!(of_legacy(payment), status);
        }
    }

    #[test]
    fn ck_d08_a_row_lives_for_an_hour_at_least() {
        let now = at("2025-08-27T10:00:00Z");
        let seconds = |text| at(text).epoch_seconds();
        // The one of the seed's sample: eight months before the row was created.
        let sample = seconds("2025-01-01T00:00:00Z");
        for wrong in [sample, now.epoch_seconds(), seconds("2025-08-27T11:00:00Z")] {
            assert_eq!(checked_ttl(wrong, now), Err(ExpiresTooSoon));
        }
        let right = seconds("2025-08-27T11:00:01Z");
        assert_eq!(checked_ttl(right, now), Ok(right));
    }

    #[test]
    fn rows_are_kept_for_their_time() {
        let end = at("2025-09-22T18:00:00Z");
        assert_eq!(ttl_after_event(end, 180), at("2026-03-21T18:00:00Z").epoch_seconds());
        assert_eq!(ttl_of_expired(end), at("2025-09-29T18:00:00Z").epoch_seconds());
        assert_eq!(hold_until(end, HOLD_HOURS_DEFAULT), at("2025-09-23T18:00:00Z"));
    }
}
