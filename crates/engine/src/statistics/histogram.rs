//! Counts in fixed buckets, written by one thread at a time and read by any.

use std::sync::atomic::{AtomicU64, Ordering};

/// A histogram: how many values are in each bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The largest value of each bucket but the last, which has no bound.
    pub bounds: &'static [u64],
    /// How many values each bucket has; one more than there are bounds.
    pub counts: Vec<u64>,
    /// All values together.
    pub sum: u64,
}

impl Histogram {
    /// Returns how many values there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// A histogram that is being written.
#[derive(Debug)]
pub(crate) struct Buckets {
    bounds: &'static [u64],
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
}

impl Buckets {
    /// Empty buckets; the bounds ascend.
    pub(crate) fn new(bounds: &'static [u64]) -> Self {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Self { bounds, counts, sum: AtomicU64::new(0) }
    }

    pub(crate) fn record(&self, value: u64) {
        let bucket = self.bounds.partition_point(|&bound| bound < value);
        self.counts[bucket].fetch_add(1, Ordering::Relaxed);
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    pub(crate) fn histogram(&self) -> Histogram {
        Histogram {
            bounds: self.bounds,
            counts: self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect(),
            sum: self.sum.load(Ordering::Relaxed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_belongs_to_the_bucket_it_closes() {
        let buckets = Buckets::new(&[1, 10]);
        for value in [0, 1, 2, 10, 11, 1000] {
            buckets.record(value);
        }
        let histogram = buckets.histogram();
        assert_eq!(histogram.counts, [2, 2, 2]);
        assert_eq!((histogram.count(), histogram.sum), (6, 1024));
    }
}
