//! The values that alarms compare: computed from the samples of `/metrics`.

use anyhow::{Result, bail};
use monotable_metrics::Sample;
use serde::Deserialize;

const THROTTLED: &str = "monotable_throttled_requests_total";
const FAILURES: &str = "monotable_request_failures_total";
const SERVICE_REQUESTS: &str = "monotable_service_requests_total";
const CONSUMED: &str = "monotable_consumed_units_total";
const PROVISIONED: &str = "monotable_provisioned_units";
const SYNC_SUM: &str = "monotable_commit_sync_seconds_sum";
const SYNC_COUNT: &str = "monotable_commit_sync_seconds_count";
const PAID: &str = "codekurukshetra_payments_captured_total";
const PAYMENTS_FAILED: &str = "codekurukshetra_payments_failed_total";

/// How the values of a period are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) enum Statistic {
    Sum,
    Average,
    Minimum,
    Maximum,
}

/// The names of metrics for alarms.
const NAMES: [&str; 16] = [
    "ThrottledRequests",
    "SystemErrors",
    "ConsumedReadCapacityUnits",
    "ConsumedWriteCapacityUnits",
    "ProvisionedReadCapacityUnits",
    "ProvisionedWriteCapacityUnits",
    "ReadCapacityUtilization",
    "WriteCapacityUtilization",
    "HotPartitionUnits",
    "SyncLatency",
    "DiskFreeBytes",
    "DiskFreePercent",
    "UserActivity",
    "RegistrationRate",
    "PaymentSuccessRate",
    "or a metric of /metrics, such as monotable_writes_stopped",
];

/// Dimensions, and the corresponding labels of samples.
const DIMENSIONS: [(&str, &str); 4] = [
    ("TableName", "table"),
    ("GlobalSecondaryIndexName", "index"),
    ("Operation", "operation"),
    ("Service", "service"),
];

/// A value for each period.
#[derive(Clone, Debug)]
pub(crate) struct Figure {
    source: Source,
    /// Labels that all samples must have.
    labels: Vec<(String, String)>,
}

#[derive(Clone, Debug)]
enum Source {
    /// The growth of counters, added up.
    Increase(Vec<Selection>),
    /// The values of gauges during the period.
    Level(Selection, Combination, Statistic),
    /// The mean of measured values, in thousandths.
    MeanMillis { sum: Selection, count: Selection },
    /// The growth of a part of counters, in percent of all.
    Share { part: Selection, rest: Selection },
    /// A gauge in percent of another one.
    LevelShare { part: Selection, whole: Selection },
    /// The used part of the capacity per second, in percent.
    Utilization { used: Selection, per_second: Selection },
}

/// How the samples of several labels are combined.
#[derive(Clone, Copy, Debug)]
enum Combination {
    Sum,
    Largest,
}

/// Samples of a metric.
#[derive(Clone, Debug)]
struct Selection {
    name: String,
    /// Labels, and the values that they may have.
    labels: &'static [(&'static str, &'static [&'static str])],
}

fn all(name: &str) -> Selection {
    Selection { name: name.to_owned(), labels: &[] }
}

fn some(name: &str, labels: &'static [(&'static str, &'static [&'static str])]) -> Selection {
    Selection { name: name.to_owned(), labels }
}

/// The state of the current period.
#[derive(Clone, Debug, Default)]
pub(crate) struct Period {
    /// The counters at the beginning.
    begin: Option<[f64; 2]>,
    /// The values of a gauge since then.
    sum: f64,
    count: u32,
    smallest: Option<f64>,
    largest: Option<f64>,
}

impl Figure {
    /// Returns the figure with a name of CloudWatch or `/metrics`.
    ///
    /// # Errors
    /// Fails if there is no such metric, or it has no such statistic or dimension.
    pub(crate) fn named(
        name: &str,
        statistic: Option<Statistic>,
        dimensions: &[(String, String)],
    ) -> Result<Self> {
        let Some((source, usual)) = source(name, statistic) else {
            bail!("there is no metric {name:?}; there are: {}", NAMES.join(", "));
        };
        let is_level = matches!(source, Source::Level(..));
        if is_level && statistic == Some(Statistic::Sum) {
            bail!("{name} has the statistics Average, Minimum and Maximum, not Sum");
        }
        let can_be_chosen = is_level || is_raw(name);
        if let Some(statistic) = statistic.filter(|it| *it != usual && !can_be_chosen) {
            bail!("{name} only has the statistic {usual:?}, not {statistic:?}");
        }
        let labels = dimensions.iter().map(|(dimension, value)| {
            let known = DIMENSIONS.iter().find(|(known, _)| known == dimension);
            match known {
                Some((_, label)) => Ok(((*label).to_owned(), value.clone())),
                None if is_raw(name) => Ok((dimension.clone(), value.clone())),
                None => {
                    let known: Vec<&str> = DIMENSIONS.iter().map(|(known, _)| *known).collect();
                    bail!("there is no dimension {dimension:?}; there are: {}", known.join(", "))
                }
            }
        });
        Ok(Self { source, labels: labels.collect::<Result<_>>()? })
    }

    /// Takes the samples of a moment.
    pub(crate) fn observe(&self, period: &mut Period, samples: &[Sample<'_>]) {
        if period.begin.is_none() {
            period.begin = self.counters(samples);
        }
        let level = match &self.source {
            Source::Level(selection, combination, _) => {
                self.combined(selection, *combination, samples)
            }
            Source::LevelShare { part, whole } => {
                let part = self.combined(part, Combination::Sum, samples);
                let whole = self.combined(whole, Combination::Sum, samples);
                part.zip(whole).filter(|(_, whole)| *whole > 0.0).map(|(a, b)| 100.0 * a / b)
            }
            Source::Utilization { per_second, .. } => {
                self.combined(per_second, Combination::Sum, samples)
            }
            Source::Increase(_) | Source::MeanMillis { .. } | Source::Share { .. } => None,
        };
        if let Some(level) = level {
            period.sum += level;
            period.count += 1;
            period.smallest = Some(period.smallest.map_or(level, |known| known.min(level)));
            period.largest = Some(period.largest.map_or(level, |known| known.max(level)));
        }
    }

    /// Returns the value of a period of `seconds` that ends with these samples; `None` if there is
    /// none.
    pub(crate) fn value(
        &self,
        period: &Period,
        seconds: f64,
        samples: &[Sample<'_>],
    ) -> Option<f64> {
        let mean = (period.count > 0).then(|| period.sum / f64::from(period.count));
        // A counter that is smaller than before was reset.
        let grown = || {
            let (end, begin) = (self.counters(samples)?, period.begin?);
            Some([0, 1].map(|n| if end[n] < begin[n] { end[n] } else { end[n] - begin[n] }))
        };
        match &self.source {
            Source::Increase(_) => grown().map(|[increase, _]| increase),
            Source::Level(_, _, statistic) => match statistic {
                Statistic::Sum | Statistic::Average => mean,
                Statistic::Minimum => period.smallest,
                Statistic::Maximum => period.largest,
            },
            Source::LevelShare { .. } => period.smallest,
            Source::MeanMillis { .. } => {
                let [sum, count] = grown()?;
                (count > 0.0).then(|| 1_000.0 * sum / count)
            }
            Source::Share { .. } => {
                let [part, rest] = grown()?;
                (part + rest > 0.0).then(|| 100.0 * part / (part + rest))
            }
            Source::Utilization { .. } => {
                let [used, _] = grown()?;
                mean.filter(|units| *units > 0.0).map(|units| 100.0 * used / (units * seconds))
            }
        }
    }

    /// Returns the counters whose growth counts.
    fn counters(&self, samples: &[Sample<'_>]) -> Option<[f64; 2]> {
        let sum = |selection: &Selection| {
            self.combined(selection, Combination::Sum, samples).unwrap_or_default()
        };
        match &self.source {
            Source::Increase(selections) => Some([selections.iter().map(sum).sum(), 0.0]),
            Source::MeanMillis { sum: total, count } => Some([sum(total), sum(count)]),
            Source::Share { part, rest } => Some([sum(part), sum(rest)]),
            Source::Utilization { used, .. } => Some([sum(used), 0.0]),
            Source::Level(..) | Source::LevelShare { .. } => None,
        }
    }

    fn combined(
        &self,
        selection: &Selection,
        combination: Combination,
        samples: &[Sample<'_>],
    ) -> Option<f64> {
        let has = |sample: &Sample<'_>, label: &str, is_value: &dyn Fn(&str) -> bool| {
            sample.labels.iter().any(|(known, value)| *known == label && is_value(value))
        };
        let found = samples.iter().filter(|sample| {
            sample.name == selection.name
                && selection
                    .labels
                    .iter()
                    .all(|(label, values)| has(sample, label, &|value| values.contains(&value)))
                && self
                    .labels
                    .iter()
                    .all(|(label, value)| has(sample, label, &|found| found == value))
        });
        let values = found.map(|sample| sample.value);
        match combination {
            Combination::Sum => values.reduce(|a, b| a + b),
            Combination::Largest => values.reduce(f64::max),
        }
    }
}

/// Returns whether a name is one of `/metrics`.
fn is_raw(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase()) && name.contains('_')
}

/// Returns the source of a name, and its statistic unless another can be chosen.
fn source(name: &str, statistic: Option<Statistic>) -> Option<(Source, Statistic)> {
    use Statistic::{Average, Maximum, Minimum, Sum};
    let increase = |selections: Vec<Selection>| (Source::Increase(selections), Sum);
    let level = |selection, combination, usual: Statistic| {
        (Source::Level(selection, combination, statistic.unwrap_or(usual)), usual)
    };
    let utilization = |kind| {
        (
            Source::Utilization { used: some(CONSUMED, kind), per_second: some(PROVISIONED, kind) },
            Average,
        )
    };
    const READ: &[(&str, &[&str])] = &[("kind", &["read"])];
    const WRITE: &[(&str, &[&str])] = &[("kind", &["write"])];
    Some(match name {
        "ThrottledRequests" => {
            increase(vec![all(THROTTLED), some(SERVICE_REQUESTS, &[("status", &["429"])])])
        }
        "SystemErrors" => increase(vec![
            some(FAILURES, &[("code", &["InternalServerError"])]),
            some(SERVICE_REQUESTS, &[("status", &["500", "503"])]),
        ]),
        "ConsumedReadCapacityUnits" => increase(vec![some(CONSUMED, READ)]),
        "ConsumedWriteCapacityUnits" => increase(vec![some(CONSUMED, WRITE)]),
        "ProvisionedReadCapacityUnits" => level(some(PROVISIONED, READ), Combination::Sum, Average),
        "ProvisionedWriteCapacityUnits" => {
            level(some(PROVISIONED, WRITE), Combination::Sum, Average)
        }
        "ReadCapacityUtilization" => utilization(READ),
        "WriteCapacityUtilization" => utilization(WRITE),
        "HotPartitionUnits" => {
            level(all("monotable_hot_partition_units"), Combination::Largest, Maximum)
        }
        "SyncLatency" => {
            (Source::MeanMillis { sum: all(SYNC_SUM), count: all(SYNC_COUNT) }, Average)
        }
        "DiskFreeBytes" => level(all("monotable_disk_free_bytes"), Combination::Sum, Minimum),
        "DiskFreePercent" => (
            Source::LevelShare {
                part: all("monotable_disk_free_bytes"),
                whole: all("monotable_disk_size_bytes"),
            },
            Minimum,
        ),
        "UserActivity" => increase(vec![all(SERVICE_REQUESTS)]),
        "RegistrationRate" => increase(vec![all("codekurukshetra_registrations_total")]),
        "PaymentSuccessRate" => {
            (Source::Share { part: all(PAID), rest: all(PAYMENTS_FAILED) }, Average)
        }
        name if is_raw(name) => match statistic {
            Some(Sum) => increase(vec![all(name)]),
            Some(_) => level(all(name), Combination::Sum, Maximum),
            None if name.ends_with("_total") => increase(vec![all(name)]),
            None => level(all(name), Combination::Sum, Maximum),
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use monotable_metrics::samples;

    const BEFORE: &str = "\
monotable_throttled_requests_total{operation=\"PutItem\"} 5
monotable_request_failures_total{operation=\"PutItem\",code=\"ProvisionedThroughputExceededException\"} 5
monotable_consumed_units_total{table=\"a\",index=\"\",kind=\"read\"} 100
monotable_consumed_units_total{table=\"a\",index=\"\",kind=\"write\"} 1000
monotable_consumed_units_total{table=\"b\",index=\"\",kind=\"write\"} 7
monotable_provisioned_units{table=\"a\",index=\"\",kind=\"write\"} 10
monotable_commit_sync_seconds_sum 1
monotable_commit_sync_seconds_count 100
monotable_disk_free_bytes 50
monotable_disk_size_bytes 1000
monotable_hot_partition_units{kind=\"read\",partition=\"x\"} 5
codekurukshetra_payments_captured_total{service=\"codekurukshetra\"} 10
codekurukshetra_payments_failed_total{service=\"codekurukshetra\"} 10
monotable_service_requests_total{service=\"x\",status=\"429\"} 1
";
    const AFTER: &str = "\
monotable_throttled_requests_total{operation=\"PutItem\"} 8
monotable_request_failures_total{operation=\"PutItem\",code=\"ProvisionedThroughputExceededException\"} 8
monotable_request_failures_total{operation=\"PutItem\",code=\"ValidationException\"} 99
monotable_request_failures_total{operation=\"GetItem\",code=\"InternalServerError\"} 2
monotable_consumed_units_total{table=\"a\",index=\"\",kind=\"read\"} 140
monotable_consumed_units_total{table=\"a\",index=\"\",kind=\"write\"} 1300
monotable_consumed_units_total{table=\"b\",index=\"\",kind=\"write\"} 8
monotable_provisioned_units{table=\"a\",index=\"\",kind=\"write\"} 10
monotable_commit_sync_seconds_sum 1.5
monotable_commit_sync_seconds_count 150
monotable_disk_free_bytes 30
monotable_disk_size_bytes 1000
monotable_hot_partition_units{kind=\"read\",partition=\"x\"} 4
monotable_hot_partition_units{kind=\"write\",partition=\"y\"} 9
codekurukshetra_payments_captured_total{service=\"codekurukshetra\"} 13
codekurukshetra_payments_failed_total{service=\"codekurukshetra\"} 11
monotable_service_requests_total{service=\"x\",status=\"429\"} 3
monotable_service_requests_total{service=\"x\",status=\"200\"} 10
";

    fn value(name: &str, statistic: Option<Statistic>, dimensions: &[(&str, &str)]) -> Option<f64> {
        let dimensions: Vec<_> =
            dimensions.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
        let figure = Figure::named(name, statistic, &dimensions).unwrap();
        let (before, after): (Vec<_>, Vec<_>) =
            (samples(BEFORE).collect(), samples(AFTER).collect());
        let mut period = Period::default();
        figure.observe(&mut period, &before);
        figure.observe(&mut period, &after);
        figure.value(&period, 60.0, &after)
    }

    #[test]
    fn figures_follow_from_samples() {
        for (name, expected) in [
            ("ThrottledRequests", 3.0 + 2.0),
            ("SystemErrors", 2.0),
            ("ConsumedReadCapacityUnits", 40.0),
            ("ConsumedWriteCapacityUnits", 301.0),
            ("ProvisionedWriteCapacityUnits", 10.0),
            ("WriteCapacityUtilization", 100.0 * 301.0 / 600.0),
            ("HotPartitionUnits", 9.0),
            ("SyncLatency", 10.0),
            ("DiskFreeBytes", 30.0),
            ("DiskFreePercent", 3.0),
            ("UserActivity", 12.0),
            ("PaymentSuccessRate", 75.0),
            ("monotable_request_failures_total", 104.0),
            ("monotable_disk_free_bytes", 50.0),
        ] {
            assert_eq!(value(name, None, &[]), Some(expected), "{name}");
        }
        assert_eq!(value("ConsumedWriteCapacityUnits", None, &[("TableName", "b")]), Some(1.0));
        assert_eq!(
            value(
                "monotable_request_failures_total",
                Some(Statistic::Sum),
                &[("code", "InternalServerError")]
            ),
            Some(2.0)
        );
        let mean = value("monotable_disk_free_bytes", Some(Statistic::Average), &[]);
        assert_eq!(mean, Some(40.0));
    }

    #[test]
    fn nothing_to_divide_by_is_no_value() {
        assert_eq!(value("ReadCapacityUtilization", None, &[]), None);
        assert_eq!(value("PaymentSuccessRate", None, &[("Service", "other")]), None);
        assert_eq!(value("ProvisionedReadCapacityUnits", None, &[]), None);
    }

    #[test]
    fn a_counter_that_begins_again_counts_from_zero() {
        let figure = Figure::named("UserActivity", None, &[]).unwrap();
        let (before, after): (Vec<_>, Vec<_>) =
            (samples(AFTER).collect(), samples(BEFORE).collect());
        let mut period = Period::default();
        figure.observe(&mut period, &before);
        assert_eq!(figure.value(&period, 1.0, &after), Some(1.0));
    }
}
