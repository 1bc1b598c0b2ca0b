//! Alarms as CloudWatch's JSON has them.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use serde::Deserialize;

use super::figure::{Figure, Statistic};

/// The period of an alarm that has none, as most of CloudWatch's metrics have it.
const PERIOD_SECONDS_DEFAULT: u64 = 60;
/// The longest time that an alarm looks back, as on CloudWatch.
const SECONDS_MAX: u64 = 86_400;

/// An alarm.
#[derive(Debug)]
pub(crate) struct Alarm {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) metric_name: String,
    pub(crate) figure: Figure,
    pub(crate) threshold: f64,
    pub(crate) comparison: Comparison,
    pub(crate) period: Duration,
    /// The number of evaluated periods.
    pub(crate) periods: usize,
    /// How many of them must breach the threshold.
    pub(crate) datapoints: usize,
    pub(crate) missing: MissingData,
    /// Actions when the alarm fires.
    pub(crate) alarm_actions: Vec<String>,
    /// Actions when the alarm is over.
    pub(crate) ok_actions: Vec<String>,
    /// Actions when data is missing.
    pub(crate) insufficient_data_actions: Vec<String>,
}

/// When a value breaches the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[allow(clippy::enum_variant_names, reason = "CloudWatch's names")]
pub(crate) enum Comparison {
    GreaterThanThreshold,
    GreaterThanOrEqualToThreshold,
    LessThanThreshold,
    LessThanOrEqualToThreshold,
}

impl Comparison {
    pub(crate) fn is_breached(self, value: f64, threshold: f64) -> bool {
        match self {
            Self::GreaterThanThreshold => value > threshold,
            Self::GreaterThanOrEqualToThreshold => value >= threshold,
            Self::LessThanThreshold => value < threshold,
            Self::LessThanOrEqualToThreshold => value <= threshold,
        }
    }
}

/// How a period without a value counts, such as a success rate without attempts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum MissingData {
    /// Data is missing.
    #[default]
    Missing,
    Breaching,
    NotBreaching,
    /// The state does not change.
    Ignore,
}

/// An alarm in the file.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct WrittenAlarm {
    metric_name: String,
    threshold: f64,
    comparison_operator: Comparison,
    alarm_name: Option<String>,
    alarm_description: Option<String>,
    /// Ignored: the name of the metric is enough.
    #[serde(rename = "Namespace")]
    _namespace: Option<String>,
    #[serde(rename = "Unit")]
    _unit: Option<String>,
    statistic: Option<Statistic>,
    #[serde(default)]
    dimensions: Vec<Dimension>,
    #[serde(default = "period_default")]
    period: u64,
    #[serde(default = "one")]
    evaluation_periods: usize,
    datapoints_to_alarm: Option<usize>,
    #[serde(default)]
    treat_missing_data: MissingData,
    #[serde(default = "yes")]
    actions_enabled: bool,
    #[serde(default)]
    alarm_actions: Vec<String>,
    #[serde(default, rename = "OKActions")]
    ok_actions: Vec<String>,
    #[serde(default)]
    insufficient_data_actions: Vec<String>,
}

/// A label that samples must have.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Dimension {
    name: String,
    value: String,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Several(Vec<serde_json::Value>),
    One(serde_json::Value),
}

fn period_default() -> u64 {
    PERIOD_SECONDS_DEFAULT
}

fn one() -> usize {
    1
}

fn yes() -> bool {
    true
}

/// Reads a file with one alarm, or with a list of them.
///
/// # Errors
/// Fails if the file can't be read, or an alarm can't be evaluated.
pub(crate) fn read(file: &Path) -> Result<Vec<Alarm>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("--alarms {} can't be read", file.display()))?;
    parse(&text).with_context(|| format!("--alarms {}", file.display()))
}

pub(crate) fn parse(text: &str) -> Result<Vec<Alarm>> {
    let written = match serde_json::from_str(text).context("it is not JSON")? {
        Written::Several(alarms) => alarms,
        Written::One(alarm) => vec![alarm],
    };
    let mut alarms: Vec<Alarm> = Vec::new();
    for (position, value) in written.into_iter().enumerate() {
        let alarm = WrittenAlarm::deserialize(value)
            .map_err(anyhow::Error::from)
            .and_then(checked)
            .with_context(|| format!("alarm {} of the file", position + 1))?;
        ensure!(
            alarms.iter().all(|other| other.name != alarm.name),
            "two alarms are named {:?}; give each an AlarmName of its own",
            alarm.name
        );
        alarms.push(alarm);
    }
    Ok(alarms)
}

fn checked(written: WrittenAlarm) -> Result<Alarm> {
    let WrittenAlarm { metric_name, period, evaluation_periods: periods, .. } = written;
    let datapoints = written.datapoints_to_alarm.unwrap_or(periods);
    ensure!(written.threshold.is_finite(), "Threshold must be a number");
    ensure!(period > 0 && periods > 0, "Period and EvaluationPeriods must be at least 1");
    if period.checked_mul(periods as u64).is_none_or(|seconds| seconds > SECONDS_MAX) {
        bail!("Period times EvaluationPeriods must be at most {SECONDS_MAX} seconds");
    }
    ensure!(
        (1..=periods).contains(&datapoints),
        "DatapointsToAlarm must be from 1 to EvaluationPeriods"
    );
    let dimensions: Vec<(String, String)> =
        written.dimensions.into_iter().map(|Dimension { name, value }| (name, value)).collect();
    let actions = |actions: Vec<String>| if written.actions_enabled { actions } else { Vec::new() };
    Ok(Alarm {
        name: written.alarm_name.unwrap_or_else(|| metric_name.clone()),
        description: written.alarm_description,
        figure: Figure::named(&metric_name, written.statistic, &dimensions)?,
        metric_name,
        threshold: written.threshold,
        comparison: written.comparison_operator,
        period: Duration::from_secs(period),
        periods,
        datapoints,
        missing: written.treat_missing_data,
        alarm_actions: actions(written.alarm_actions),
        ok_actions: actions(written.ok_actions),
        insufficient_data_actions: actions(written.insufficient_data_actions),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The alarm in the design of CodeKurukshetra.
    const PRINTED: &str = r#"{
  "MetricName": "ThrottledRequests",
  "Threshold": 10,
  "ComparisonOperator": "GreaterThanThreshold",
  "AlarmActions": ["arn:aws:sns:region:account:topic"]
}"#;

    #[test]
    fn an_alarm_of_a_design_is_read_as_it_is_printed() {
        let alarms = parse(PRINTED).unwrap();
        let [alarm] = &alarms[..] else { panic!("{alarms:?}") };
        assert_eq!((alarm.name.as_str(), alarm.threshold), ("ThrottledRequests", 10.0));
        assert_eq!((alarm.period, alarm.periods), (Duration::from_secs(60), 1));
        assert_eq!(alarm.alarm_actions, ["arn:aws:sns:region:account:topic"]);
        assert!(alarm.comparison.is_breached(11.0, alarm.threshold));
        assert!(!alarm.comparison.is_breached(10.0, alarm.threshold));
    }

    #[test]
    fn mistakes_are_named() {
        let change = |from: &str, to: &str| {
            assert!(PRINTED.contains(from), "{from}");
            format!("{:#}", parse(&PRINTED.replace(from, to)).unwrap_err())
        };
        for (from, to, expected) in [
            ("ThrottledRequests", "Throttles", "no metric \"Throttles\"; there are: "),
            ("MetricName", "Metric", "unknown field `Metric`"),
            ("GreaterThanThreshold", "Greater", "unknown variant `Greater`"),
            ("\"Threshold\": 10,", "\"Threshold\": 1, \"Period\": 0,", "must be at least 1"),
            ("\"Threshold\": 10,", "\"Threshold\": 1, \"Period\": 90000,", "at most 86400"),
            ("\"Threshold\": 10,", "\"Threshold\": 1, \"DatapointsToAlarm\": 2,", "from 1 to"),
            (
                "\"Threshold\": 10,",
                "\"Threshold\": 1, \"Statistic\": \"Average\",",
                "ThrottledRequests only has the statistic Sum",
            ),
            (
                "\"Threshold\": 10,",
                "\"Threshold\": 1, \"Dimensions\": [{\"Name\": \"Color\", \"Value\": \"red\"}],",
                "no dimension \"Color\"; there are: ",
            ),
        ] {
            let error = change(from, to);
            assert!(error.contains(expected), "{error}");
        }
        let twice = format!("[{PRINTED}, {PRINTED}]");
        assert!(format!("{:#}", parse(&twice).unwrap_err()).contains("two alarms are named"));
        assert!(format!("{:#}", parse("x").unwrap_err()).contains("it is not JSON"));
    }
}
