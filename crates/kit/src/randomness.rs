//! Ids and randomness, injected: a service that is given the same ones does the same things.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Mutex;

use uuid::{ContextV7, Timestamp, Uuid};

use crate::problem::Problem;

/// Gives out random bytes.
pub trait Randomness: Send + Sync {
    /// Fills the bytes. Secrets are made of them, so that nobody may be able to guess them.
    fn fill(&self, bytes: &mut [u8]);

    /// Returns a key that nobody else knows.
    fn key(&self) -> [u8; 32] {
        let mut key = [0; 32];
        self.fill(&mut key);
        key
    }
}

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemRandomness;

impl Randomness for SystemRandomness {
    fn fill(&self, bytes: &mut [u8]) {
        let filled = getrandom::fill(bytes);
        assert!(filled.is_ok(), "the operating system gives no randomness: {filled:?}");
    }
}

/// Gives out ids that sort by time, and of one process strictly in the order in which they were given
/// out: UUIDs of version 7.
pub struct Ids {
    context: Mutex<ContextV7>,
}

impl Default for Ids {
    fn default() -> Self {
        Self { context: Mutex::new(ContextV7::new().with_additional_precision()) }
    }
}

impl Ids {
    /// The next id at this time.
    pub fn next(&self, now: monotable::model::time::Timestamp) -> String {
        let milliseconds = u64::try_from(now.as_ms()).unwrap_or(0);
        let (seconds, rest) = (milliseconds / 1_000, milliseconds % 1_000);
        let nanoseconds = u32::try_from(rest * 1_000_000).unwrap_or(0);
        let context = self.context.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Uuid::new_v7(Timestamp::from_unix(&*context, seconds, nanoseconds)).to_string()
    }

    /// The next id at this time, as an id of a kind.
    ///
    /// # Errors
    /// 500 if ids of that kind are not like these, which those of services are.
    pub fn next_of<I>(&self, now: monotable::model::time::Timestamp) -> Result<I, Problem>
    where
        I: FromStr<Err: Display>,
    {
        self.next(now).parse().map_err(|error: I::Err| Problem::internal(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use monotable::model::time::Timestamp;

    use super::*;

    #[test]
    fn ids_are_given_out_in_order_whatever_the_clock_does() {
        let ids = Ids::default();
        let at = |milliseconds: i64| Timestamp::from_ms(1_800_000_000_000 + milliseconds).unwrap();
        let mut times = vec![at(0); 10_000];
        times.extend([at(1), at(1), at(-5_000), at(0), at(2)]);
        let given: Vec<String> = times.into_iter().map(|time| ids.next(time)).collect();
        assert!(given.is_sorted_by(|one, next| one < next));
        assert_eq!(given[0].len(), 36);
    }
}
