//! The expiry oracle: a service whose expired rows stay behaves exactly like one whose expired rows
//! are deleted at once.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;

use monotable_kit::Randomness;
use serde_json::Value;

use crate::crash::seed::{Random, announce};
use crate::service::histories::{Dice, History, Step};
use crate::service::{Expiry, Response, Setting};

/// Runs a history of one actor twice, once with expired rows kept and once with expired rows
/// deleted, and compares every response. Ids and secrets may differ, but must correspond.
///
/// # Panics
/// Panics if a response is different.
pub async fn expired_is_absent<H: History>(test: &str, steps: usize) {
    let seed = announce(test);
    let kept = H::begin(|setting| seeded(setting, Expiry::Kept)).await;
    let deleted = H::begin(|setting| seeded(setting, Expiry::Deleted)).await;
    let (mut one, mut other) = (Dice::new(seed, 0), Dice::new(seed, 0));
    let mut names = Names::default();
    for number in 0..steps {
        let (kept, deleted) = (kept.step(&mut one).await, deleted.step(&mut other).await);
        let is_same = names.are_same_steps(&kept, &deleted);
        assert!(
            is_same,
            "seed {seed}, step {number}:\n{kept:?} with expired rows kept\n{deleted:?}"
        );
    }
}

fn seeded(setting: Setting, expiry: Expiry) -> Setting {
    let randomness = Arc::new(Seeded(Mutex::new(Random::new(1))));
    Setting { expiry, randomness, ..setting }
}

/// Randomness that is the same in every run.
struct Seeded(Mutex<Random>);

impl Randomness for Seeded {
    fn fill(&self, bytes: &mut [u8]) {
        let mut random = self.0.lock().expect("no panic");
        bytes.fill_with(|| random.below(256) as u8);
    }
}

/// The corresponding texts of the two runs.
#[derive(Default)]
struct Names {
    there: BTreeMap<String, String>,
    back: BTreeMap<String, String>,
}

/// The minimum length of ids, secrets and cursors.
const NAME_LENGTH_MIN: usize = 16;

impl Names {
    fn are_same_steps(&mut self, one: &Step, other: &Step) -> bool {
        self.are_same_descriptions(&one.0, &other.0)
            && match (&one.1, &other.1) {
                (Some(one), Some(other)) => self.are_same_responses(one, other),
                (one, other) => one.is_none() && other.is_none(),
            }
    }

    /// Compares the attempts word by word: paths contain ids.
    fn are_same_descriptions(&mut self, one: &str, other: &str) -> bool {
        let words = |text: &str| -> Vec<String> {
            text.split([' ', '/', '"']).map(str::to_owned).collect()
        };
        let (one, other) = (words(one), words(other));
        one.len() == other.len()
            && one.iter().zip(&other).all(|(one, other)| self.are_same_texts(one, other))
    }

    fn are_same_responses(&mut self, one: &Response, other: &Response) -> bool {
        one.status == other.status && self.are_same(&one.value(), &other.value())
    }

    fn are_same(&mut self, one: &Value, other: &Value) -> bool {
        match (one, other) {
            (Value::String(one), Value::String(other)) => self.are_same_texts(one, other),
            (Value::Array(one), Value::Array(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| self.are_same(one, other))
            }
            (Value::Object(one), Value::Object(other)) => {
                one.len() == other.len()
                    && one.iter().zip(other).all(|((name, one), (its, other))| {
                        self.are_same_texts(name, its) && self.are_same(one, other)
                    })
            }
            (one, other) => one == other,
        }
    }

    fn are_same_texts(&mut self, one: &str, other: &str) -> bool {
        if one == other {
            return true;
        }
        let is_name = |text: &str| text.len() >= NAME_LENGTH_MIN && !text.contains(' ');
        let there = self.there.entry(one.to_owned()).or_insert_with(|| other.to_owned());
        let back = self.back.entry(other.to_owned()).or_insert_with(|| one.to_owned());
        is_name(one) && is_name(other) && there == other && back == one
    }
}
