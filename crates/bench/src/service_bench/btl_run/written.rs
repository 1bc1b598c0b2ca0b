//! The transactions that the service has made, found by the rows that they left.

use std::collections::VecDeque;

use monotable::dynamodb::Query;
use monotable::expression::key;
use monotable::{AttributeValue, Database, Item, item};
use monotable_bench::Result;
use monotable_btl_run::log::all_events;
use monotable_btl_run::table::MatchId;

use super::steps::{Step, steps};
use super::world::{Match, TABLE, World};
use crate::subject::{Databases, row};

/// A match that the service has played on.
pub(super) struct Played {
    pub(super) match_id: String,
    /// Whose actions they were, unless they were the host's.
    pub(super) tribute_id: Option<String>,
    /// The value of the state. Only the last one is known.
    pub(super) state: AttributeValue,
    pub(super) transactions: VecDeque<Written>,
}

/// One of its transactions.
pub(super) struct Written {
    pub(super) step: Step,
    /// The version that the state has then.
    pub(super) version: u64,
    /// The other rows, all of them new, in their order: events, story of the day, follow-up tasks,
    /// and the response.
    pub(super) rows: Vec<Item>,
    /// The position of the response.
    pub(super) answer: Item,
    /// Whether it ended a day, whose story was made of the events.
    pub(super) ends_day: bool,
}

impl Played {
    /// Returns what the service has done in a match since it began, none of which the engine has
    /// done yet.
    pub(super) async fn by_service(world: &World, one: &Match) -> Result<Self> {
        let (service, match_id) = (&world.databases.service, &one.match_id);
        let found = world.app.match_row(&MatchId::new(match_id)?).await;
        let found = found.map_err(|problem| problem.message)?;
        let events = all_events(&world.app, &found.state).await;
        let mut events = events.map_err(|problem| problem.message)?;
        events.retain(|event| u64::from(event.seq) > one.log_seq);
        let steps = steps(&events);
        let answers = answers(&world.databases, match_id)?;
        let is_complete = answers.len() == steps.len()
            && found.stamps.version == one.version + u64::try_from(steps.len())?;
        if !is_complete {
            let (steps, answers) = (steps.len(), answers.len());
            let text = format!(
                "{match_id}: {steps} steps, {answers} answers, now {}",
                found.stamps.version
            );
            return Err(text.into());
        }
        let mut transactions = VecDeque::new();
        for ((version, step), answer) in (one.version + 1..).zip(steps).zip(answers) {
            let written = Written::by_service(service, match_id, step, version, answer)?;
            transactions.push_back(written);
        }
        let state = row(service, TABLE, &state_key(match_id))?;
        let state = state.and_then(|mut state| state.remove("v")).ok_or("a match without state")?;
        let (match_id, tribute_id) = (match_id.clone(), one.tribute_id.clone());
        Ok(Self { match_id, tribute_id, state, transactions })
    }
}

impl Written {
    fn by_service(
        service: &Database,
        match_id: &str,
        step: Step,
        version: u64,
        answer: Item,
    ) -> Result<Self> {
        let partition = format!("match#{match_id}");
        let find = |partition: &str, sort: String| {
            row(service, TABLE, &item! { "pk" => partition, "sk" => sort })
        };
        let mut rows = Vec::new();
        for number in step.first..=step.last {
            let event = find(&partition, format!("log#{number:06}"))?;
            rows.push(event.ok_or("an event without a row")?);
        }
        // The day of the last step may continue, and then has no story.
        let story = match step.last_of_day {
            Some(day) => find(&partition, format!("summary#{day}"))?,
            None => None,
        };
        let ends_day = story.is_some();
        rows.extend(story);
        if let Some(turn) = &step.resolved {
            let task = find("task#narrate", format!("{match_id}:{turn}"))?;
            rows.push(task.ok_or("a turn without a task for its story")?);
        }
        if step.ends_match {
            let task = find("task#archive", match_id.to_owned())?;
            rows.push(task.ok_or("a match without a task for its removal")?);
        }
        let key = key_of(&answer);
        rows.push(answer);
        Ok(Self { step, version, rows, answer: key, ends_day })
    }
}

/// Returns the responses that the service has recorded and the engine has not, in the order of
/// their requests.
fn answers(databases: &Databases, match_id: &str) -> Result<Vec<Item>> {
    let mut answers = Vec::new();
    let mut request = None;
    loop {
        let partition = key("pk").eq(format!("idem#{match_id}"));
        let mut query = Query::new(TABLE).key_condition(partition);
        if let Some(last) = request {
            query = query.exclusive_start_key(last);
        }
        let page = databases.service.query(query)?;
        for answer in &page.items {
            let answer = answer.to_item();
            if row(&databases.engine, TABLE, &key_of(&answer))?.is_none() {
                answers.push(answer);
            }
        }
        request = page.last_evaluated_key;
        if request.is_none() {
            return Ok(answers);
        }
    }
}

fn key_of(row: &Item) -> Item {
    let is_key = |name: &str| name == "pk" || name == "sk";
    let attributes = row.iter().filter(|(name, _)| is_key(name));
    attributes.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Returns the key of a match's state.
pub(super) fn state_key(match_id: &str) -> Item {
    item! { "pk" => format!("match#{match_id}"), "sk" => "state" }
}

/// Returns the key of what a match keeps to itself.
pub(super) fn secret_key(match_id: &str) -> Item {
    item! { "pk" => format!("match#{match_id}"), "sk" => "secret" }
}
