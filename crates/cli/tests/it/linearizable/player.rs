//! A client that asks random things of few items and writes down what it hears.

use std::collections::BTreeMap;

use monotable_testkit::crash::seed::Random;
use monotable_testkit::history::Timeline;
use monotable_testkit::history::item::{Answer, Attributes, Call, Item};
use monotable_testkit::history::linearizability::Operation;
use serde_json::{Value, json};

use crate::client::{self, Client};
use crate::clients::Heard;
use crate::items::{TABLE, get, key, number};

const KEYS: u64 = 5;

/// One client.
pub(crate) struct Player<'a> {
    client: u64,
    random: Random,
    timeline: &'a Timeline,
    /// Which keys it plays with at present.
    group: u64,
    values: u64,
    /// The value it saw last of each key, for conditions that have a chance.
    seen: BTreeMap<String, Option<u64>>,
    pub(crate) heard: Vec<(String, Operation<Item>)>,
}

impl<'a> Player<'a> {
    pub(crate) fn new(client: u64, seed: u64, timeline: &'a Timeline) -> Self {
        let random = Random::part(seed, client);
        let (seen, heard) = (BTreeMap::new(), Vec::new());
        Self { client, random, timeline, group: 0, values: 0, seen, heard }
    }

    /// Plays with other keys from now on.
    pub(crate) fn go_to(&mut self, group: u64) {
        self.group = group;
    }

    /// Asks one thing.
    pub(crate) fn ask(&mut self, client: &mut Client) -> Heard {
        let id = format!("{}-{}", self.group, self.random.below(KEYS));
        let call = self.any_call(&id);
        let (operation, request) = to_json(&id, call);
        let invoked = self.timeline.now();
        let answer = client.try_ask(operation, &request);
        let answered = answer.map(|answer| (self.timeline.now(), of_json(call, &answer)));
        if let Some((_, answer)) = answered {
            self.see(&id, call, answer);
        }
        let heard = if answered.is_some() { Heard::Answer } else { Heard::Nothing };
        self.heard.push((id, Operation { client: self.client, call, invoked, answered }));
        heard
    }

    fn any_call(&mut self, id: &str) -> Call {
        self.values += 1;
        // No two puts have the same value, so that a value tells which put it is from.
        let value = self.values * 100 + self.client;
        match self.random.below(20) {
            0..8 => Call::Get,
            8..10 => Call::Put(value),
            10..14 => {
                let expected = self.seen.get(id).copied().flatten();
                Call::PutIf { expected, value }
            }
            14..18 => Call::Add(1 + self.random.below(3).cast_signed()),
            _ => Call::Delete,
        }
    }

    fn see(&mut self, id: &str, call: Call, answer: Answer) {
        let value = match (call, answer) {
            (Call::Get, Answer::Found(found)) => found.and_then(|attributes| attributes.value),
            (Call::Put(value) | Call::PutIf { value, .. }, Answer::Done) => Some(value),
            (Call::Delete, _) => None,
            _ => return,
        };
        self.seen.insert(id.to_owned(), value);
    }
}

fn to_json(id: &str, call: Call) -> (&'static str, Value) {
    let put = |value: u64| {
        let mut item = key(id);
        item["value"] = json!({"N": value.to_string()});
        json!({"TableName": TABLE, "Item": item})
    };
    match call {
        Call::Get => ("GetItem", get(id)),
        Call::Put(value) => ("PutItem", put(value)),
        Call::PutIf { expected, value } => {
            let mut request = put(value);
            request["ExpressionAttributeNames"] = json!({"#value": "value"});
            match expected {
                Some(expected) => {
                    request["ConditionExpression"] = json!("#value = :expected");
                    request["ExpressionAttributeValues"] =
                        json!({":expected": {"N": expected.to_string()}});
                }
                None => request["ConditionExpression"] = json!("attribute_not_exists(#value)"),
            }
            ("PutItem", request)
        }
        Call::Add(amount) => {
            let request = json!({
                "TableName": TABLE,
                "Key": key(id),
                "UpdateExpression": "ADD #count :amount",
                "ExpressionAttributeNames": {"#count": "count"},
                "ExpressionAttributeValues": {":amount": {"N": amount.to_string()}},
                "ReturnValues": "UPDATED_NEW",
            });
            ("UpdateItem", request)
        }
        Call::Delete => {
            let request = json!({"TableName": TABLE, "Key": key(id), "ReturnValues": "ALL_OLD"});
            ("DeleteItem", request)
        }
    }
}

fn of_json(call: Call, answer: &client::Answer) -> Answer {
    let body = &answer.body;
    if answer.status != 200 {
        let is_condition = answer.exception() == "ConditionalCheckFailedException";
        assert!(is_condition && matches!(call, Call::PutIf { .. }), "{call:?}: {body}");
        return Answer::Refused;
    }
    match call {
        Call::Get => Answer::Found(attributes(&body["Item"])),
        Call::Put(_) | Call::PutIf { .. } => Answer::Done,
        Call::Add(_) => Answer::Count(number(&body["Attributes"], "count").expect("the count")),
        Call::Delete => Answer::Found(attributes(&body["Attributes"])),
    }
}

fn attributes(item: &Value) -> Option<Attributes> {
    item.is_object()
        .then(|| Attributes { value: number(item, "value"), count: number(item, "count") })
}
