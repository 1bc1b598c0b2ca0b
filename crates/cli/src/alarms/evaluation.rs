//! The evaluation of alarms: the last periods of each, compared with its threshold.

use std::collections::VecDeque;
use std::time::Duration;

use monotable_metrics::Sample;

use super::definition::{Alarm, MissingData};
use super::figure::Period;

/// The state of an alarm, under CloudWatch's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Ok,
    Alarm,
    InsufficientData,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Alarm => "ALARM",
            Self::InsufficientData => "INSUFFICIENT_DATA",
        }
    }
}

/// An alarm whose state changed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Change {
    pub(crate) old: State,
    pub(crate) new: State,
    /// The values of the last periods, the newest last.
    pub(crate) values: Vec<Option<f64>>,
}

/// An alarm that is evaluated.
pub(crate) struct Evaluation {
    pub(crate) alarm: Alarm,
    /// Alarms start in the state OK, so that a start reports nothing.
    state: State,
    values: VecDeque<Option<f64>>,
    period: Period,
    began: Option<Duration>,
}

impl Evaluation {
    pub(crate) fn new(alarm: Alarm) -> Self {
        let (values, period) = (VecDeque::new(), Period::default());
        Self { alarm, state: State::Ok, values, period, began: None }
    }

    pub(crate) fn state(&self) -> State {
        self.state
    }

    /// Takes the samples of a moment, measured from any starting point. Returns a change of the
    /// state if a period has ended.
    pub(crate) fn observe(&mut self, now: Duration, samples: &[Sample<'_>]) -> Option<Change> {
        let figure = &self.alarm.figure;
        figure.observe(&mut self.period, samples);
        let began = *self.began.get_or_insert(now);
        let seconds = now.saturating_sub(began);
        if seconds < self.alarm.period {
            return None;
        }
        let value = figure.value(&self.period, seconds.as_secs_f64(), samples);
        self.period = Period::default();
        figure.observe(&mut self.period, samples);
        self.began = Some(now);
        if self.values.len() == self.alarm.periods {
            self.values.pop_front();
        }
        self.values.push_back(value);
        let new = self.evaluated();
        let old = std::mem::replace(&mut self.state, new);
        (old != new).then(|| Change { old, new, values: self.values.iter().copied().collect() })
    }

    fn evaluated(&self) -> State {
        let Alarm { comparison, threshold, missing, datapoints, .. } = self.alarm;
        let is_breached = |value: &Option<f64>| match (value, missing) {
            (Some(value), _) => Some(comparison.is_breached(*value, threshold)),
            (None, MissingData::Breaching) => Some(true),
            (None, MissingData::NotBreaching) => Some(false),
            (None, MissingData::Missing | MissingData::Ignore) => None,
        };
        let known: Vec<bool> = self.values.iter().filter_map(is_breached).collect();
        let breached = known.iter().filter(|is_breached| **is_breached).count();
        match known.is_empty() {
            true if missing == MissingData::Ignore => self.state,
            true => State::InsufficientData,
            false if breached >= datapoints => State::Alarm,
            false => State::Ok,
        }
    }
}

#[cfg(test)]
mod tests {
    use monotable_metrics::samples;

    use super::super::definition::parse;
    use super::*;

    /// Passes a counter's values at the end of each period to an alarm; returns the states.
    fn states(more: &str, growth: &[Option<u64>]) -> Vec<&'static str> {
        let text = format!(
            r#"{{"MetricName": "PaymentSuccessRate", "Threshold": 50, "Period": 10,
                 "ComparisonOperator": "LessThanThreshold"{more}}}"#
        );
        let mut evaluation = Evaluation::new(parse(&text).unwrap().remove(0));
        let (mut paid, mut failed, mut now) = (0, 0, Duration::ZERO);
        let mut states = Vec::new();
        let show = |paid: u64, failed: u64| {
            format!(
                "codekurukshetra_payments_captured_total {paid}\n\
                 codekurukshetra_payments_failed_total {failed}\n"
            )
        };
        evaluation.observe(now, &samples(&show(0, 0)).collect::<Vec<_>>());
        for rate in growth {
            if let Some(rate) = rate {
                paid += rate;
                failed += 100 - rate;
            }
            // In the middle of a period nothing is decided.
            now += Duration::from_secs(5);
            let text = show(paid, failed);
            let samples: Vec<_> = samples(&text).collect();
            assert_eq!(evaluation.observe(now, &samples), None);
            now += Duration::from_secs(5);
            let before = evaluation.state();
            let change = evaluation.observe(now, &samples);
            assert_eq!(change.is_some(), before != evaluation.state());
            states.push(evaluation.state().name());
        }
        states
    }

    #[test]
    fn an_alarm_fires_and_clears() {
        assert_eq!(
            states("", &[Some(90), Some(49), Some(10), Some(50)]),
            ["OK", "ALARM", "ALARM", "OK"]
        );
    }

    #[test]
    fn so_many_of_the_last_periods_must_breach() {
        let more = r#", "EvaluationPeriods": 3, "DatapointsToAlarm": 2"#;
        let growth = [Some(0), Some(90), Some(0), Some(90), Some(90)];
        assert_eq!(states(more, &growth), ["OK", "OK", "ALARM", "OK", "OK"]);
    }

    #[test]
    fn periods_without_a_value_mean_what_the_alarm_says() {
        let growth = [Some(0), None, Some(90), None];
        for (missing, expected) in [
            ("missing", ["ALARM", "INSUFFICIENT_DATA", "OK", "INSUFFICIENT_DATA"]),
            ("ignore", ["ALARM", "ALARM", "OK", "OK"]),
            ("breaching", ["ALARM", "ALARM", "OK", "ALARM"]),
            ("notBreaching", ["ALARM", "OK", "OK", "OK"]),
        ] {
            let more = format!(r#", "TreatMissingData": "{missing}""#);
            assert_eq!(states(&more, &growth), expected, "{missing}");
        }
    }
}
