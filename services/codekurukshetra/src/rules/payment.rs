//! The state machine of a payment: `pending → paid | failed`, `failed → paid`, `paid → refunded`.
//!
//! Events of the gateway come in any order and more than once, so a change only goes up the order
//! pending < failed < paid < refunded.

use crate::table::PaymentStatus;

/// Returns whether a payment can change from one status to another.
pub fn can_become(from: PaymentStatus, to: PaymentStatus) -> bool {
    use PaymentStatus::{Failed, Paid, Pending, Refunded};
    matches!((from, to), (Pending, Paid | Failed) | (Failed, Paid) | (Paid, Refunded))
}

/// Returns whether a team with this status can still pay.
pub fn is_open(status: PaymentStatus) -> bool {
    can_become(status, PaymentStatus::Paid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use PaymentStatus::{Failed, Paid, Pending, Refunded};

    const ALL: [PaymentStatus; 4] = [Pending, Failed, Paid, Refunded];

    #[test]
    fn ck_d14_changes_only_go_up() {
        let pairs = ALL.into_iter().flat_map(|from| ALL.map(|to| (from, to)));
        let changes: Vec<_> = pairs.filter(|(from, to)| can_become(*from, *to)).collect();
        assert_eq!(changes, [(Pending, Failed), (Pending, Paid), (Failed, Paid), (Paid, Refunded)]);
        assert_eq!(ALL.map(is_open), [true, true, false, false]);
    }

    #[test]
    fn events_in_any_order_end_in_the_same_status() {
        for events in [[Failed, Paid, Paid], [Paid, Failed, Paid], [Paid, Paid, Failed]] {
            let next = |status, event| if can_become(status, event) { event } else { status };
            assert_eq!(events.into_iter().fold(Pending, next), Paid);
        }
    }
}
