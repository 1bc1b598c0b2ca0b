//! A client that appends to lists and reads them in transactions, and writes down what it hears.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_testkit::crash::seed::Random;
use monotable_testkit::history::Timeline;
use monotable_testkit::history::serializability::{End, Key, Transaction};
use serde_json::{Value, json};

use crate::client::{Answer, Client};
use crate::clients::Heard;
use crate::items::{TABLE, key};

/// How many lists are in use at a time.
const LISTS: u64 = 6;
/// A list that is so long is left for a new one: long ones only cost time.
const VALUES_MAX: usize = 40;
/// How many items a transaction of AWS may have.
const ACTIONS_MAX: usize = 100;

/// Which lists are in use: all clients the same.
#[derive(Default)]
pub(crate) struct Lists([AtomicU64; LISTS as usize]);

impl Lists {
    fn current(&self, place: u64) -> Key {
        self.0[place as usize].load(Ordering::SeqCst) * LISTS + place
    }

    /// Takes a new list in place of one that has become long.
    fn leave(&self, key: Key) {
        let round = &self.0[(key % LISTS) as usize];
        // If it fails, somebody else has done it.
        let _ = round.compare_exchange(
            key / LISTS,
            key / LISTS + 1,
            Ordering::SeqCst,
            Ordering::SeqCst,
        );
    }

    fn all(&self) -> Vec<Key> {
        (0..LISTS).flat_map(|place| (place..=self.current(place)).step_by(LISTS as usize)).collect()
    }
}

/// One client.
pub(crate) struct Player<'a> {
    client: u64,
    random: Random,
    timeline: &'a Timeline,
    lists: &'a Lists,
    values: u64,
    /// The lists as it saw them last, for conditions that have a chance.
    seen: BTreeMap<Key, Vec<u64>>,
    pub(crate) heard: Vec<Transaction>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(client: u64, seed: u64, timeline: &'a Timeline, lists: &'a Lists) -> Self {
        let random = Random::part(seed, client);
        let (seen, heard) = (BTreeMap::new(), Vec::new());
        Self { client, random, timeline, lists, values: 0, seen, heard }
    }

    /// Sends one transaction.
    pub(crate) fn ask(&mut self, client: &mut Client) -> Heard {
        let mut keys: Vec<Key> = (0..1 + self.random.below(4))
            .map(|_| self.lists.current(self.random.below(LISTS)))
            .collect();
        keys.sort_unstable();
        keys.dedup();
        match self.random.percent(50) {
            true => self.read(client, &keys),
            false => self.append(client, &keys),
        }
    }

    /// Reads everything that was ever written.
    pub(crate) fn read_all(&mut self, client: &mut Client) {
        for keys in self.lists.all().chunks(ACTIONS_MAX) {
            assert_eq!(self.read(client, keys), Heard::Answer);
        }
    }

    fn read(&mut self, client: &mut Client, keys: &[Key]) -> Heard {
        let gets: Vec<Value> = keys
            .iter()
            .map(|list| json!({"Get": {"TableName": TABLE, "Key": id(*list)}}))
            .collect();
        let invoked = self.timeline.now();
        let answer = client.try_ask("TransactGetItems", &json!({"TransactItems": gets}));
        let Some(Answer { status, body }) = answer else { return Heard::Nothing };
        let end = End::Committed(self.timeline.now());
        assert_eq!(status, 200, "{body}");
        let found = body["Responses"].as_array().expect("a response for each");
        assert_eq!(found.len(), keys.len());
        let lists = found.iter().map(|response| values(&response["Item"]["list"]));
        let reads: Vec<(Key, Vec<u64>)> = keys.iter().copied().zip(lists).collect();
        for (key, list) in &reads {
            if list.len() > VALUES_MAX {
                self.lists.leave(*key);
            }
            self.seen.insert(*key, list.clone());
        }
        let appends = Vec::new();
        self.heard.push(Transaction { client: self.client, invoked, end, appends, reads });
        Heard::Answer
    }

    /// Appends to some of the lists, on condition that some are as they were seen last.
    fn append(&mut self, client: &mut Client, keys: &[Key]) -> Heard {
        let (mut actions, mut appends, mut reads) = (Vec::new(), Vec::new(), Vec::new());
        for (place, list) in keys.iter().copied().enumerate() {
            let condition = match self.seen.get(&list) {
                Some(seen) if self.random.percent(40) => Some(seen.clone()),
                _ => None,
            };
            // The first is appended to, so that there is something to commit.
            let is_checked_only = condition.is_some() && place > 0 && self.random.percent(50);
            let mut action = json!({"TableName": TABLE, "Key": id(list)});
            action["ExpressionAttributeNames"] = json!({"#list": "list"});
            if let Some(seen) = &condition {
                set_condition(&mut action, seen);
                reads.push((list, seen.clone()));
            }
            if is_checked_only {
                actions.push(json!({"ConditionCheck": action}));
                continue;
            }
            self.values += 1;
            let value = self.values * 100 + self.client;
            set_append(&mut action, value);
            appends.push((list, value));
            actions.push(json!({"Update": action}));
        }
        let invoked = self.timeline.now();
        let answer = client.try_ask("TransactWriteItems", &json!({"TransactItems": actions}));
        let end = answer.as_ref().map_or(End::Unknown, |answer| match answer.status {
            200 => End::Committed(self.timeline.now()),
            _ => refused(answer),
        });
        self.heard.push(Transaction { client: self.client, invoked, end, appends, reads });
        if answer.is_some() { Heard::Answer } else { Heard::Nothing }
    }
}

fn id(list: Key) -> Value {
    key(&format!("list-{list}"))
}

fn set_condition(action: &mut Value, seen: &[u64]) {
    if seen.is_empty() {
        action["ConditionExpression"] = json!("attribute_not_exists(#list)");
        return;
    }
    let list: Vec<Value> = seen.iter().map(|value| json!({"N": value.to_string()})).collect();
    action["ConditionExpression"] = json!("#list = :seen");
    action["ExpressionAttributeValues"] = json!({":seen": {"L": list}});
}

fn set_append(action: &mut Value, value: u64) {
    action["UpdateExpression"] =
        json!("SET #list = list_append(if_not_exists(#list, :empty), :value)");
    action["ExpressionAttributeValues"][":empty"] = json!({"L": []});
    action["ExpressionAttributeValues"][":value"] = json!({"L": [{"N": value.to_string()}]});
}

/// The only reason to refuse is a condition.
fn refused(answer: &Answer) -> End {
    let reasons = answer.body["CancellationReasons"].as_array().map_or(&[][..], Vec::as_slice);
    let is_expected =
        |reason: &Value| reason["Code"] == "None" || reason["Code"] == "ConditionalCheckFailed";
    assert!(
        answer.exception() == "TransactionCanceledException"
            && !reasons.is_empty()
            && reasons.iter().all(is_expected),
        "{}",
        answer.body
    );
    End::Refused
}

fn values(list: &Value) -> Vec<u64> {
    let values = list["L"].as_array().map_or(&[][..], Vec::as_slice);
    values.iter().map(|value| value["N"].as_str().unwrap().parse().unwrap()).collect()
}
