//! Which items the requests of a thread are about.

use crate::Operation;
use crate::random::{Random, mix};
use crate::sample::{LOADED_ITEMS_MAX, PARTITION_ITEMS};

/// New items of a thread begin at a multiple of this: enough for a run of hours.
const BLOCK_ITEMS: u64 = 100_000_000;
/// How many such blocks there are, so that numbers keep their twelve digits.
const BLOCKS: u64 = 9_000;

/// A source of item numbers: the first item of each request.
#[derive(Clone, Debug)]
pub(crate) enum Numbers {
    /// A random loaded item, or the first item of a random loaded partition.
    Loaded { random: Random, choices: u64, items_each: u64 },
    /// The numbers of items that have not been written yet, in order.
    New { next: u64, items_each: u64 },
    /// Every item of a range, once.
    Range { next: u64, end: u64, items_each: u64 },
}

impl Numbers {
    /// Returns the numbers of one thread that measures an operation.
    pub(crate) fn of(operation: Operation, items: u64, seed: u64, thread: usize) -> Self {
        let seed = mix(seed ^ mix((operation as u64) << 32 | thread as u64));
        let loaded = |items_each| Self::Loaded {
            random: Random::new(seed),
            choices: items / items_each,
            items_each,
        };
        match operation {
            Operation::Get | Operation::Update => loaded(1),
            Operation::Query => loaded(PARTITION_ITEMS),
            Operation::Put | Operation::Transaction | Operation::Batch => Self::New {
                next: LOADED_ITEMS_MAX + seed % BLOCKS * BLOCK_ITEMS,
                items_each: operation.items(),
            },
        }
    }

    /// Returns the numbers of one of several threads that together write all items in batches.
    pub(crate) fn fill(items: u64, thread: usize, threads: usize) -> Self {
        let items_each = Operation::Batch.items();
        let batches = items.div_ceil(items_each);
        let border = |thread: usize| batches * thread as u64 / threads as u64 * items_each;
        Self::Range { next: border(thread), end: border(thread + 1), items_each }
    }

    pub(crate) fn next(&mut self) -> Option<u64> {
        match self {
            Self::Loaded { random, choices, items_each } => {
                Some(random.below(*choices) * *items_each)
            }
            Self::New { next, items_each } => {
                *next += *items_each;
                Some(*next - *items_each)
            }
            Self::Range { next, end, items_each } => {
                let number = *next;
                *next += *items_each;
                (number < *end).then_some(number)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_fill_every_item_once() {
        for (items, threads) in [(10_000, 1), (10_000, 3), (60, 2), (50, 8)] {
            let mut batches = Vec::new();
            for thread in 0..threads {
                let mut numbers = Numbers::fill(items, thread, threads);
                batches.extend(std::iter::from_fn(|| numbers.next()));
            }
            let expected: Vec<u64> = (0..items).step_by(25).collect();
            assert_eq!(batches, expected);
        }
    }

    #[test]
    fn reads_stay_within_the_loaded_items_and_writes_outside() {
        for thread in 0..100 {
            let draw = |operation| Numbers::of(operation, 120, 7, thread).next().unwrap();
            assert!(draw(Operation::Get) < 120);
            assert!([0, 50].contains(&draw(Operation::Query)));
            let new = draw(Operation::Transaction);
            assert!((LOADED_ITEMS_MAX..1_000_000_000_000).contains(&new));
        }
    }
}
