//! The token budget of a match: tokens are reserved before a narrator is called, and settled by the
//! actual cost.
//!
//! The budget counts used and reserved tokens, and no change raises it above the limit. Each
//! reservation and each settlement writes the budget's row, so its version shows whether a later
//! read is still valid. A reservation whose owner died ends after five minutes: the next caller
//! releases it, computed from the tokens actually used and those still reserved.

use std::time::Duration;

use monotable::model::time::EpochSeconds;
use monotable::model::{Entity as _, Transact, create, delete, delete_by_key};
use monotable_kit::{Problem, ProblemKind};

use crate::app::App;
use crate::table::{
    BtlRun, BtlRunReads as _, Budget, BudgetKey, BudgetUpdate, MatchId, Reservation, Settled,
    SettledKey, Stamps, budget,
};

/// How long an owner may take before it is considered dead.
const RESERVATION_KEPT: Duration = Duration::from_secs(5 * 60);
/// How often a change is retried after a lost race.
const TRIES_MAX: usize = 50;
/// Reservations that one transaction removes.
const REMOVED_MAX: usize = 90;

/// Reserved tokens.
#[derive(Clone, Debug, PartialEq)]
pub struct Reserved(Reservation);

/// Reserves tokens; returns `None` if the match has too few left.
///
/// # Errors
///
/// Returns the errors of the table.
pub async fn reserve(
    app: &App,
    match_id: &MatchId,
    tokens: u64,
) -> Result<Option<Reserved>, Problem> {
    let Some(others_max) = app.tokens_max.checked_sub(tokens) else { return Ok(None) };
    for _ in 0..TRIES_MAX {
        let Some(books) = Books::read(app, match_id).await? else { continue };
        if books.budget.tokens != books.due() {
            let mut tx = app.db.transact();
            books.correct(&mut tx, books.due())?;
            is_written(tx).await?;
            continue;
        }
        if books.budget.tokens > others_max {
            return Ok(None);
        }
        let reservation = Reservation {
            match_id: match_id.clone(),
            reservation_id: app.new_id()?,
            tokens,
            ttl: Some(now(app) + RESERVATION_KEPT),
        };
        let added = Budget::update(&BudgetKey::new(match_id.clone()))
            .add_tokens(signed(tokens)?)
            .when(budget::tokens().le(others_max));
        if is_written(app.db.transact().with(added).with(create(reservation.clone()))).await? {
            return Ok(Some(Reserved(reservation)));
        }
    }
    Err(busy())
}

/// Ends a reservation with the tokens that were used, and returns how many of them were counted.
/// Tokens beyond the reservation, or after it had ended, are counted as far as the limit allows.
///
/// # Errors
///
/// Returns the errors of the table.
pub async fn settle(app: &App, reserved: Reserved, used: u64) -> Result<u64, Problem> {
    let Reserved(reservation) = reserved;
    let match_id = &reservation.match_id;
    if used <= reservation.tokens {
        let change = signed(used)? - signed(reservation.tokens)?;
        let mut tx = app.db.transact();
        tx.add(Budget::update(&BudgetKey::new(match_id.clone())).add_tokens(change));
        tx.add(Settled::update(&SettledKey::new(match_id.clone())).add_tokens(signed(used)?));
        tx.add(delete(&reservation));
        if is_written(tx).await? {
            return Ok(used);
        }
    }
    for _ in 0..TRIES_MAX {
        let Some(mut books) = Books::read(app, match_id).await? else { continue };
        books.end(&reservation);
        let counted = used.min(app.tokens_max.saturating_sub(books.due()));
        let mut tx = app.db.transact();
        books.correct(&mut tx, books.due() + counted)?;
        tx.add(Settled::update(&SettledKey::new(match_id.clone())).add_tokens(signed(counted)?));
        if is_written(tx).await? {
            return Ok(counted);
        }
    }
    Err(busy())
}

/// The token rows of a match.
struct Books {
    budget: Budget,
    settled: Settled,
    living: Vec<Reservation>,
    /// Reservations that have ended, but whose rows still exist.
    ended: Vec<Reservation>,
}

impl Books {
    /// Reads the rows; returns `None` if some had to be corrected first.
    async fn read(app: &App, match_id: &MatchId) -> Result<Option<Self>, Problem> {
        // The budget is read first: later changes of the other rows change its version.
        let budget = app.db.budget(match_id).await?;
        let settled = app.db.settled(match_id).await?;
        let (mut living, mut ended) = (Vec::new(), Vec::new());
        let mut rows = app.db.reservations(match_id).including_expired().stream();
        while let Some(row) = rows.next().await {
            let row = row?;
            let has_ended = row.ttl.is_some_and(|ttl| ttl <= now(app));
            if has_ended { ended.push(row) } else { living.push(row) }
        }
        match (budget, settled) {
            (Some(budget), Some(settled)) => Ok(Some(Self { budget, settled, living, ended })),
            (budget, None) => {
                let reserved = living.iter().map(|row| row.tokens).sum();
                let tokens = budget.as_ref().map_or(0, |row| row.tokens).saturating_sub(reserved);
                let settled = Settled { match_id: match_id.clone(), tokens, ttl: None };
                open(app, budget, settled).await?;
                Ok(None)
            }
            (None, Some(settled)) => {
                let (match_id, tokens, ttl) = (settled.match_id, settled.tokens, settled.ttl);
                let budget = Budget { match_id, tokens, stamps: Stamps::default(), ttl };
                is_written(app.db.transact().with(create(budget))).await?;
                Ok(None)
            }
        }
    }

    /// Returns the correct value of the budget.
    fn due(&self) -> u64 {
        self.settled.tokens + self.living.iter().map(|row| row.tokens).sum::<u64>()
    }

    /// Counts a reservation as ended.
    fn end(&mut self, reservation: &Reservation) {
        let is_it = |row: &mut Reservation| row.reservation_id == reservation.reservation_id;
        self.ended.extend(self.living.extract_if(.., is_it));
    }

    /// Adds the budget's correction, unless anything has happened since it was read. Ended
    /// reservations are removed with it: a late owner must not find its own.
    fn correct(&self, tx: &mut Transact<BtlRun>, tokens: u64) -> Result<(), Problem> {
        tx.add(add_if_unchanged(&self.budget, signed(tokens)? - signed(self.budget.tokens)?));
        for row in self.ended.iter().take(REMOVED_MAX) {
            tx.add(delete_by_key(&row.key()));
        }
        Ok(())
    }
}

/// Adds to a budget that has not been written since it was read.
fn add_if_unchanged(row: &Budget, change: i64) -> BudgetUpdate {
    let update = Budget::update(&row.key()).add_tokens(change).when(row.unchanged());
    // Older programs wrote no versions.
    if row.stamps.version == 0 { update.when(budget::tokens().eq(row.tokens)) } else { update }
}

/// Creates the rows of a match from older programs: all counted tokens are used.
async fn open(app: &App, budget: Option<Budget>, settled: Settled) -> Result<(), Problem> {
    let mut tx = app.db.transact();
    match budget {
        Some(budget) => {
            tx.add(add_if_unchanged(&budget, 0));
        }
        None => {
            let (match_id, ttl) = (settled.match_id.clone(), settled.ttl);
            tx.add(create(Budget { match_id, tokens: 0, stamps: Stamps::default(), ttl }));
        }
    }
    tx.add(create(settled));
    is_written(tx).await.map(drop)
}

/// Commits a transaction, and returns whether it was written; false if another process was faster.
async fn is_written(tx: Transact<BtlRun>) -> Result<bool, Problem> {
    let Err(error) = tx.await else { return Ok(true) };
    let problem = Problem::from(error);
    match problem.kind {
        ProblemKind::Conflict | ProblemKind::NotFound | ProblemKind::RateLimited => Ok(false),
        _ => Err(problem),
    }
}

fn now(app: &App) -> EpochSeconds {
    EpochSeconds::new(app.now_ms() / 1000)
}

fn signed(tokens: u64) -> Result<i64, Problem> {
    i64::try_from(tokens).map_err(Problem::internal)
}

fn busy() -> Problem {
    Problem::unavailable("Too many concurrent requests for tokens of this match.")
}
