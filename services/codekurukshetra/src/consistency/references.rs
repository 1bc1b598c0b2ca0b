//! References between rows, and states that exclude each other.

use monotable::model::{Entity as _, check, create};
use monotable_kit::Words as _;

use super::fix::Fix;
use super::{Found, Rows};
use crate::rules::registration;
use crate::table::{Config, OrderLookup, Payment, PaymentStatus, RegistrationStatus, Stamps, Team};

/// Compares references with the rows that they lead to.
pub(super) fn compare(rows: &Rows, found: &mut Vec<Found>) {
    for team in rows.teams.values() {
        members(rows, team, found);
        states(rows, team, found);
    }
    for participant in rows.participants.values() {
        let row = format!("PARTICIPANT#{}", participant.participant_id);
        match rows.teams.get(&participant.team_id) {
            None => found.push(Found::new("references", row, "its team does not exist")),
            Some(team) => {
                let is_listed = team.member_ids.contains(&participant.participant_id);
                if !team.member_ids.is_empty() && !is_listed {
                    found.push(Found::new("references", row, "its team does not list it"));
                }
            }
        }
    }
    for payment in rows.payments.values() {
        orders(rows, payment, found);
    }
    for order in &rows.orders {
        if !rows.payments.contains_key(&order.payment_id) {
            let row = format!("ORDER#{}", order.order_id);
            found.push(Found::new("references", row, "its payment does not exist"));
        }
    }
}

/// The members of a team. Those of teams without a place may be gone already, and so may all of them once they need not be
/// kept any more.
fn members(rows: &Rows, team: &Team, found: &mut Vec<Found>) {
    let are_kept = |config: &Config| rows.now.epoch_seconds() < config.people_kept_until();
    let are_kept = rows.config.as_ref().is_none_or(are_kept);
    if !are_kept || !team.registration().has_guards() {
        return;
    }
    let row = format!("TEAM#{}", team.team_id);
    let count = rows.members(team).count();
    if count != usize::from(team.member_count) {
        let text = format!("member_count is {}; there are {count} members", team.member_count);
        found.push(Found::new("references", row.clone(), text));
    }
    let leader = rows.participants.get(&team.leader_participant_id);
    if leader.is_none_or(|leader| leader.team_id != team.team_id) {
        found.push(Found::new("references", row.clone(), "its leader is not a member"));
    }
    let tracks = rows.config.as_ref().map(|config| &config.tracks);
    if let (Some(tracks), Some(track)) = (tracks, &team.track)
        && !tracks.contains(track)
    {
        found.push(Found::new("references", row, format!("there is no track {track}")));
    }
}

/// The states of a team and its payment.
fn states(rows: &Rows, team: &Team, found: &mut Vec<Found>) {
    let row = format!("TEAM#{}", team.team_id);
    let status = team.registration();
    let payment_status = team.payment_status;
    let agrees = match status {
        RegistrationStatus::Confirmed => payment_status == PaymentStatus::Paid,
        RegistrationStatus::Refunded => payment_status == PaymentStatus::Refunded,
        RegistrationStatus::PendingPayment
        | RegistrationStatus::Expired
        | RegistrationStatus::Waitlisted => payment_status < PaymentStatus::Paid,
        RegistrationStatus::Cancelled => true,
    };
    if !agrees {
        let text = format!(
            "payment_status is {}, which a registration that is {} can't have",
            payment_status.word(),
            status.word()
        );
        found.push(Found::new("states", row.clone(), text));
    }
    if team.registration_complete != (status == RegistrationStatus::Confirmed) {
        let text = format!("registration_complete contradicts {}", status.word());
        found.push(Found::new("states", row.clone(), text));
    }
    let Some(payment_id) = &team.payment_uuid else { return };
    match rows.payments.get(payment_id) {
        // Payments are not kept forever.
        None if team.stamps.created + registration::PAYMENTS_KEPT <= rows.now => {}
        None => found.push(Found::new("references", row, "its payment does not exist")),
        Some(payment) if payment.team_id != team.team_id => {
            found.push(Found::new("references", row, "its payment is that of another team"));
        }
        Some(payment) if agrees && !settled_alike(payment, team) => {
            let text = format!(
                "payment_status is {}; that of its payment is {}",
                payment_status.word(),
                payment.status.word()
            );
            found.push(Found::new("states", row, text));
        }
        Some(_) => {}
    }
}

/// Returns whether a payment and its team agree. Money that came too late is paid and returned without the team.
fn settled_alike(payment: &Payment, team: &Team) -> bool {
    payment.status == team.payment_status
        || payment.needs_refund.is_some()
        || !registration::has_slot(team.registration())
}

/// The lookup of a payment's order.
fn orders(rows: &Rows, payment: &Payment, found: &mut Vec<Found>) {
    let Some(order_id) = &payment.razorpay_order_id else { return };
    if rows.orders.iter().any(|lookup| lookup.order_id == *order_id) {
        return;
    }
    let row = format!("PAYMENT#{}", payment.payment_id);
    let lookup = OrderLookup {
        order_id: order_id.clone(),
        payment_id: payment.payment_id.clone(),
        team_id: payment.team_id.clone(),
        stamps: Stamps::default(),
    };
    let missing = Found::new("references", row, "there is no lookup for its order");
    let payment = payment.clone();
    found.push(missing.fixed_by(Fix::write(move |tx| {
        tx.add(create(lookup));
        tx.add(check(&payment.key(), payment.unchanged()));
    })));
}
