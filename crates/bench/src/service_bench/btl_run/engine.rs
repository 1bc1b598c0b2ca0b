//! The transactions that the service made, again, by the engine's own requests.
//!
//! Each reads what the service reads for it, decodes that, and writes the very rows that the service
//! wrote. Of a state only the last value is known, which is written with the version of every step.

use std::collections::VecDeque;
use std::hint::black_box;

use monotable::dynamodb::{PutItem, Query, TransactWriteItems, UpdateItem};
use monotable::expression::{
    Condition, SetOperand, Update, attribute_exists, attribute_not_exists, key, path,
};
use monotable::{Database, Item, item};
use monotable_bench::Result;

use super::world::TABLE;
use super::written::{Played, Written, secret_key, state_key};
use crate::clients::Stopwatch;
use crate::subject::row;

/// The actions that a player has in a minute.
const ACTIONS_MAX: i64 = 20;
const MINUTE_MS: i64 = 60_000;
/// How long the count of a minute is kept after it.
const COUNT_KEPT_SECONDS: i64 = 10;
/// How many events are read at once for the story of a day.
const DAY_PAGE: u32 = 40;

/// Runs a client over its own matches, in the order of the service's client.
pub(super) async fn client(
    database: Database,
    played: Vec<Played>,
    mut watch: Stopwatch,
) -> Result<Stopwatch> {
    let mut played = VecDeque::from(played);
    while let Some(mut one) = played.pop_front() {
        let Some(written) = one.transactions.pop_front() else { continue };
        watch.measure(one.repeat(&database, written)).await?;
        if watch.is_over() {
            break;
        }
        played.push_back(one);
    }
    Ok(watch)
}

impl Played {
    async fn repeat(&self, database: &Database, written: Written) -> Result<()> {
        let Written { step, version, rows, answer, ends_day } = written;
        self.read(database, &secret_key(&self.match_id))?;
        if row(database, TABLE, &answer)?.is_some() {
            return Err("the request was completed before".into());
        }
        if let Some(tribute_id) = &self.tribute_id {
            database.submit(self.count(tribute_id, step.at_ms)).await?;
        }
        self.read(database, &state_key(&self.match_id))?;
        if step.resolved.is_some() {
            self.read(database, &secret_key(&self.match_id))?;
        }
        if ends_day {
            self.read_day(database, step.first)?;
        }
        // A value replaces the existing one, which is read first.
        self.read(database, &state_key(&self.match_id))?;
        let update = Update::new().set("v", self.state.clone()).set("ver", version);
        let unchanged = attribute_exists("pk")
            .and(attribute_not_exists("ttl"))
            .and(path("ver").eq(version - 1));
        let state = UpdateItem::new(TABLE, state_key(&self.match_id));
        let state = state.update(update).condition(unchanged);
        let now = step.at_ms / 1000;
        let transaction =
            rows.into_iter().fold(TransactWriteItems::new().action(state), |transaction, row| {
                transaction.action(PutItem::new(TABLE, row).condition(absent(now)))
            });
        database.submit(transaction).await?;
        Ok(())
    }

    /// Counts an action of a player.
    fn count(&self, tribute_id: &str, at_ms: i64) -> UpdateItem {
        let window = at_ms / MINUTE_MS;
        let end = (window + 1) * MINUTE_MS / 1000 + COUNT_KEPT_SECONDS;
        let key = item! {
            "pk" => format!("rate#{}:{tribute_id}", self.match_id),
            "sk" => format!("submit_action#{window}"),
        };
        let update = Update::new().add("v", 1).set("ttl", SetOperand::if_not_exists("ttl", end));
        let condition = attribute_not_exists("v").or(path("v").lt(ACTIONS_MAX));
        UpdateItem::new(TABLE, key).update(update).condition(condition)
    }

    fn read(&self, database: &Database, key: &Item) -> Result<()> {
        match row(database, TABLE, key)? {
            Some(_) => Ok(()),
            None => Err(format!("the row {key:?} does not exist").into()),
        }
    }

    /// Reads the events of the day before this one.
    fn read_day(&self, database: &Database, before: u32) -> Result<()> {
        let above = before.saturating_sub(1 + DAY_PAGE);
        let rows = key("pk")
            .eq(format!("match#{}", self.match_id))
            .and(key("sk").between(format!("log#{:06}", above + 1), format!("log#{:06}", before)));
        let found = database.query(Query::new(TABLE).key_condition(rows))?.items;
        found.iter().for_each(|row| drop(black_box(row.to_item())));
        Ok(())
    }
}

/// Tests that the row does not exist or has expired.
fn absent(now_seconds: i64) -> Condition {
    attribute_not_exists("pk").or(path("ttl").le(now_seconds))
}
