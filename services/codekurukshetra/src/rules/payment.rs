//! The state machine of a payment: `pending → paid | failed`, `failed → paid`, `paid → refunded`.
//!
//! Events of the gateway come in any order and more than once, so a change only goes up the order
//! pending < failed < paid < refunded.

use crate::table::PaymentStatus;

/// What becomes of a change of status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It happens.
    Applies,
    /// It has happened already.
    IsDone,
    /// The status does not allow it.
    IsRefused,
}

/// Returns what becomes of a change from one status to another.
pub fn change(from: PaymentStatus, to: PaymentStatus) -> Change {
    use PaymentStatus::{Failed, Paid, Pending, Refunded};
    match (from, to) {
        (Pending, Paid | Failed) | (Failed, Paid) | (Paid, Refunded) => Change::Applies,
        (from, to) if from == to => Change::IsDone,
        (Pending | Failed, Refunded) | (Failed | Paid | Refunded, _) | (Pending, Pending) => {
            Change::IsRefused
        }
    }
}

/// Whether a team with this status can still pay.
pub fn is_open(status: PaymentStatus) -> bool {
    change(status, PaymentStatus::Paid) == Change::Applies
}

#[cfg(test)]
mod tests {
    use super::*;
    use PaymentStatus::{Failed, Paid, Pending, Refunded};

    const ALL: [PaymentStatus; 4] = [Pending, Failed, Paid, Refunded];

    #[test]
    fn ck_d14_changes_only_go_up() {
        let applies =
            |(from, to): &(PaymentStatus, PaymentStatus)| change(*from, *to) == Change::Applies;
        let pairs = ALL.into_iter().flat_map(|from| ALL.map(|to| (from, to)));
        let changes: Vec<_> = pairs.filter(applies).collect();
        assert_eq!(changes, [(Pending, Failed), (Pending, Paid), (Failed, Paid), (Paid, Refunded)]);
        for status in ALL {
            assert_eq!(change(status, status), Change::IsDone);
        }
        assert_eq!(change(Paid, Failed), Change::IsRefused);
        assert_eq!(ALL.map(is_open), [true, true, false, false]);
    }

    #[test]
    fn events_in_any_order_end_in_the_same_status() {
        for events in [[Failed, Paid, Paid], [Paid, Failed, Paid], [Paid, Paid, Failed]] {
            let end =
                events.into_iter().fold(Pending, |status, event| match change(status, event) {
                    Change::Applies => event,
                    Change::IsDone | Change::IsRefused => status,
                });
            assert_eq!(end, Paid);
        }
    }
}
