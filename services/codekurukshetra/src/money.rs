//! Transactions that move money and slots. They are the only place where the status of a payment or a registration
//! changes.
//!
//! Each reads the rows that it decides by, adds operations to a transaction of its caller, and is run again if one of these
//! rows has changed meanwhile. What follows from a status changes with it: index keys and facets, the copies in
//! members, counters, guards, slots, and the e-mails.

pub(crate) mod attach;
pub(crate) mod cancel;
pub(crate) mod capture;
pub(crate) mod expire;
pub(crate) mod fail;
pub(crate) mod guards;
pub(crate) mod letters;
pub(crate) mod notes;
pub(crate) mod promote;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod tally;

use std::sync::Arc;

use monotable::model::{Outcome, Store, Transact, create};
use monotable_kit::outbox::{Letter, LetterSealer, OutboxMessage};
use monotable_kit::{Problem, Refusals};

use crate::app::LANE;
use crate::refusal::Refusal;
use crate::table::{
    CodeKurukshetra, CodeKurukshetraReads as _, Config, Participant, ParticipantKey, Team,
};
use monotable_kit::payment_gateway::{Gateway, GatewayError};

/// A transaction of the service.
pub(crate) type Tx = Transact<CodeKurukshetra>;

/// What money and slots are moved with. Clones are the same.
#[derive(Clone)]
pub(crate) struct Cashier {
    pub(crate) db: Store<CodeKurukshetra>,
    pub(crate) gateway: Arc<dyn Gateway>,
    pub(crate) letter_sealer: LetterSealer,
    /// Where people reach the service, such as `https://example.org/codekurukshetra`.
    pub(crate) url: Arc<str>,
}

impl Cashier {
    /// Returns the settings of the event.
    ///
    /// # Errors
    /// Returns 503 if an administrator has not created them yet.
    pub(crate) async fn config(&self) -> Result<Config, Problem> {
        Ok(self.db.config().await?.ok_or(Refusal::NotConfigured)?)
    }

    /// Returns the members of a team.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn members(&self, team: &Team) -> Result<Vec<Participant>, Problem> {
        if team.member_ids.is_empty() {
            // Teams of older programs do not list their members.
            return Ok(self.db.members(&team.team_id).all().await?);
        }
        let keys: Vec<_> = team.member_ids.iter().cloned().map(ParticipantKey::new).collect();
        Ok(self.db.participants_by_key(&keys).await?.into_iter().flatten().collect())
    }

    /// Promises an e-mail. Its id must be its own, and the same in each run of the transaction.
    ///
    /// # Errors
    /// Returns 500 if the id can't be part of a key.
    pub(crate) fn promise(&self, tx: &mut Tx, id: &str, letter: Letter) -> Result<(), Problem> {
        let message = OutboxMessage::new(LANE, id, letter, &self.letter_sealer, self.db.now())?;
        tx.add(create(message));
        Ok(())
    }
}

/// Commits a transaction of background work. What has changed since it was read is a version conflict, so that the work is
/// decided again.
pub(crate) async fn commit(tx: Tx) -> Result<Outcome, Problem> {
    tx.commit().await.map_err(|error| outdated(Refusals::new().or_retry().problem(error)))
}

/// Turns the problem of a row that exists meanwhile into a version conflict.
pub(crate) fn outdated(problem: Problem) -> Problem {
    if problem.code == ALREADY_EXISTS { Problem::changed() } else { problem }
}

/// The code of a row that exists already.
const ALREADY_EXISTS: &str = "ALREADY_EXISTS";

/// Returns the refusal for a gateway that does not respond: a service that is down. What it said is for the log.
pub(crate) fn unavailable(error: GatewayError) -> Problem {
    let mut problem: Problem = Refusal::GatewayUnavailable.into();
    problem.retry_after_seconds = Some(5);
    problem.internal = Some(error.to_string());
    problem
}
