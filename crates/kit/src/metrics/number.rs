//! Numbers that are counted in one place and shown in another.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Adds to it.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// Returns the value.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down, such as the last known length of a queue.
#[derive(Clone, Debug, Default)]
pub struct Level(Arc<AtomicU64>);

impl Level {
    /// Sets the value.
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// Returns the value.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Declares a struct of [`Counter`]s and [`Level`]s with the names of their metrics. The doc
/// comment of each is also its help text.
///
/// ```
/// monotable_kit::measures! {
///     /// The results of e-mails.
///     pub struct Mails {
///         /// Mails that were sent.
///         pub sent: Counter = "shop_mails_sent_total",
///         /// Mails that wait.
///         pub waiting: Level = "shop_mails_waiting",
///     }
/// }
/// let mails = Mails::default();
/// mails.sent.add(2);
/// let metrics = monotable_kit::Metrics::new("shop");
/// mails.measure(&metrics);
/// assert!(metrics.text().contains("# HELP shop_mails_sent_total Mails that were sent."));
/// ```
#[macro_export]
macro_rules! measures {
    (
        $(#[$meta:meta])*
        $visibility:vis struct $Name:ident {
            $($(#[doc = $about:literal])+ $shown:vis $field:ident: $Kind:ident = $name:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        $visibility struct $Name {
            $($(#[doc = $about])+ $shown $field: $crate::$Kind,)+
        }

        impl $Name {
            /// Adds all of them to the metrics.
            $visibility fn measure(&self, metrics: &$crate::Metrics) {
                $($crate::measures!(
                    @$Kind, metrics, $name, concat!($($about),+).trim_start(), &self.$field
                );)+
            }
        }
    };
    (@Counter, $metrics:expr, $($shown:expr),+) => { $metrics.count($($shown),+) };
    (@Level, $metrics:expr, $($shown:expr),+) => { $metrics.level($($shown),+) };
}
