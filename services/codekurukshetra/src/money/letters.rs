//! The e-mails about registrations and payments.

use monotable_kit::Problem;
use monotable_kit::outbox::Letter;

use crate::money::{Cashier, Tx};
use crate::table::{Config, Participant, Payment, Team};

/// Writes an amount for people.
pub(crate) fn price(amount_minor: u64, currency: &str) -> String {
    format!("{currency} {}.{:02}", amount_minor / 100, amount_minor % 100)
}

impl Cashier {
    /// Promises the same e-mail to some members, each once.
    ///
    /// # Errors
    /// Returns 500 if an id can't be part of a key.
    fn write<'a>(
        &self,
        tx: &mut Tx,
        members: impl IntoIterator<Item = &'a Participant>,
        about: &str,
        subject: &str,
        text: &str,
    ) -> Result<(), Problem> {
        for member in members.into_iter().filter(|it| it.erased_at.is_none()) {
            let key = format!("{about}.{}", member.participant_id);
            let letter = Letter {
                recipient: member.email.0.clone(),
                subject: subject.to_owned(),
                text: format!("Hello {},\n\n{text}\n", member.full_name()),
                deduplication_key: key.clone(),
            };
            self.promise(tx, &key, letter)?;
        }
        Ok(())
    }

    /// Promises a notice to the organisers, if they have named an address.
    fn notify(
        &self,
        tx: &mut Tx,
        config: &Config,
        about: &str,
        subject: &str,
        text: &str,
    ) -> Result<(), Problem> {
        let Some(recipient) = config.contact_email.clone() else { return Ok(()) };
        let key = format!("{about}.organisers");
        let (subject, text) = (subject.to_owned(), format!("{text}\n"));
        self.promise(tx, &key.clone(), Letter { recipient, subject, text, deduplication_key: key })
    }

    /// The team has a slot, which is held until it has paid.
    pub(crate) fn write_held(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        leader: &Participant,
    ) -> Result<(), Problem> {
        let until = team.hold_until.map(|time| time.to_string()).unwrap_or_default();
        let (team_id, name) = (&team.team_id, &team.name.0);
        let text = format!(
            "a place at {} is held for your team {name} until {until}. Pay {} to keep it:\n\n{}/pay",
            config.event_name,
            price(team.amount, &team.currency),
            self.url,
        );
        // A team that has waited is held a second time.
        let about = format!("held.{team_id}");
        self.write(tx, [leader], &about, "Pay to keep your place", &text)
    }

    /// The team is on the waiting list.
    pub(crate) fn write_waitlisted(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        leader: &Participant,
    ) -> Result<(), Problem> {
        let text = format!(
            "all places at {} are taken. Your team {} is on the waiting list, and you will hear from us when a place \
             becomes free.",
            config.event_name, team.name.0,
        );
        let about = format!("waitlisted.{}", team.team_id);
        self.write(tx, [leader], &about, "Your team is on the waiting list", &text)
    }

    /// The team is confirmed.
    pub(crate) fn write_confirmed(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        members: &[Participant],
    ) -> Result<(), Problem> {
        let (event, name) = (&config.event_name, &team.name.0);
        let about = format!("confirmed.{}", team.team_id);
        let text = format!(
            "your team {name} is registered for {event}, which begins on {}.\n\n{}/team",
            config.event_start, self.url,
        );
        self.write(tx, members, &about, &format!("You take part in {event}"), &text)?;
        let paid = price(team.amount, &team.currency);
        let text = format!("Team {name} ({}) is confirmed. It has paid {paid}.", team.team_id);
        self.notify(tx, config, &about, "A team is confirmed", &text)
    }

    /// A payment failed.
    pub(crate) fn write_failed(
        &self,
        tx: &mut Tx,
        team: &Team,
        leader: &Participant,
    ) -> Result<(), Problem> {
        let text = format!(
            "the payment for your team {} failed. You can try it again:\n\n{}/pay",
            team.name.0, self.url,
        );
        let about = format!("failed.{}", team.team_id);
        self.write(tx, [leader], &about, "Your payment failed", &text)
    }

    /// The hold of a team has ended.
    pub(crate) fn write_expired(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        members: &[Participant],
    ) -> Result<(), Problem> {
        let leader = members.iter().filter(|it| it.participant_id == team.leader_participant_id);
        let text = format!(
            "the payment for your team {} did not come in time, so its place at {} is free again. You can register \
             again.",
            team.name.0, config.event_name,
        );
        self.write(
            tx,
            leader,
            &format!("expired.{}", team.team_id),
            "Your place has expired",
            &text,
        )
    }

    /// The money of a payment was returned.
    pub(crate) fn write_refunded(
        &self,
        tx: &mut Tx,
        config: &Config,
        team: &Team,
        leader: &Participant,
        payment: &Payment,
    ) -> Result<(), Problem> {
        let amount = price(payment.amount, &payment.currency);
        let text = format!("{amount} for your team {} is on its way back to you.", team.name.0);
        let about = format!("refunded.{}", payment.payment_id);
        self.write(tx, [leader], &about, "Your payment is returned", &text)?;
        let text = format!("{amount} of team {} was returned.", team.team_id);
        self.notify(tx, config, &about, "A payment was returned", &text)
    }
}
