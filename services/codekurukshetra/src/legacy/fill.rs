//! What rows of older programs lack, as far as it follows from them and the rows around them.

use monotable::model::time::Timestamp;
use monotable_kit::{EncryptedText, FieldKeys, FieldLocation, Problem, Zone};

use crate::rules::people::legacy_phone;
use crate::table::{
    Participant, ParticipantId, Payment, PaymentStatus, RegistrationStatus, Team, linkedin, phone,
};

/// Adds what a payment lacks: its day, when something happened to it, and the encryption of its client's address.
///
/// # Errors
/// Returns 500 if the address is encrypted with a key that is missing.
pub(super) fn payment(payment: &mut Payment, keys: &FieldKeys, zone: &Zone) -> Result<(), Problem> {
    let (created, changed) = (payment.stamps.created, payment.stamps.updated);
    payment.day.get_or_insert_with(|| zone.day(created));
    let happened = payment.metadata.payment_timestamp.unwrap_or(changed);
    let status = payment.status;
    set(&mut payment.attempted_at, status > PaymentStatus::Pending, happened);
    set(&mut payment.failed_at, status == PaymentStatus::Failed, changed);
    set(&mut payment.paid_at, status >= PaymentStatus::Paid, happened);
    set(&mut payment.refunded_at, status == PaymentStatus::Refunded, changed);
    let row = Payment::row_name(&payment.payment_id);
    renew(&mut payment.metadata.ip_address, Payment::ip_address(&row), keys)
}

fn set(field: &mut Option<Timestamp>, has_happened: bool, at: Timestamp) {
    if has_happened {
        field.get_or_insert(at);
    }
}

/// Encrypts what is not encrypted, or with an older key.
fn renew(
    field: &mut Option<EncryptedText>,
    location: FieldLocation<'_>,
    keys: &FieldKeys,
) -> Result<(), Problem> {
    if let Some(text) = field
        && let Some(renewed) = keys.renewed(location, text)?
    {
        *field = Some(renewed);
    }
    Ok(())
}

/// Adds what a participant lacks: the form of the telephone number and the encryption. An expiry in the past is removed
/// unless the team has given up its place. Returns whether the number could be read.
///
/// # Errors
/// Returns 500 if a field is encrypted with a key that is missing.
pub(super) fn participant(
    person: &mut Participant,
    team: Option<&Team>,
    keys: &FieldKeys,
    now: Timestamp,
) -> Result<bool, Problem> {
    let row = Participant::row_name(&person.participant_id);
    let mut is_number = true;
    if let Some(text) = &person.phone
        && let Some(renewed) = keys.renewed(phone(&row), text)?
    {
        let number = legacy_phone(&keys.decrypt(phone(&row), text)?);
        is_number = number.is_ok();
        let renewed = number.map_or(renewed, |number| keys.encrypt(phone(&row), &number));
        person.phone = Some(renewed);
    }
    renew(&mut person.linkedin, linkedin(&row), keys)?;
    let is_past = person.ttl.is_some_and(|ttl| ttl <= now.epoch_seconds());
    if is_past
        && person.erased_at.is_none()
        && team.is_some_and(|it| it.registration().has_guards())
    {
        person.ttl = None;
    }
    Ok(is_number)
}

/// Adds what a team lacks: the status of its registration and what follows from it, its members, its payment and its
/// day.
pub(super) fn team(team: &mut Team, members: &[Participant], payments: &[Payment], zone: &Zone) {
    let (status, held_until) = (team.registration(), team.held_until());
    team.registration_status = Some(status);
    team.registration_complete = status == RegistrationStatus::Confirmed;
    team.hold_until = held_until;
    let created = team.stamps.created;
    team.day.get_or_insert_with(|| zone.day(created));
    if team.member_ids.is_empty() {
        team.member_ids = in_order(team, members);
    }
    if team.payment_uuid.is_none() {
        team.payment_uuid = own_payment(team, payments).map(|payment| payment.payment_id.clone());
    }
}

/// Returns the members of a team: the leader, and then the others as they came.
fn in_order(team: &Team, members: &[Participant]) -> Vec<ParticipantId> {
    let mut members: Vec<&Participant> = members.iter().collect();
    members.sort_by_key(|member| {
        let is_other = member.participant_id != team.leader_participant_id;
        (is_other, member.stamps.created, &member.participant_id)
    });
    members.into_iter().map(|member| member.participant_id.clone()).collect()
}

/// Returns the payment of a team: that which the team names, or else the one that came furthest.
fn own_payment<'a>(team: &Team, payments: &'a [Payment]) -> Option<&'a Payment> {
    payments.iter().max_by_key(|payment| {
        let is_named = team.payment_id.is_some() && payment.razorpay_payment_id == team.payment_id;
        let is_ordered =
            team.payment_order_id.is_some() && payment.razorpay_order_id == team.payment_order_id;
        (is_named, is_ordered, payment.status, payment.stamps.created)
    })
}
