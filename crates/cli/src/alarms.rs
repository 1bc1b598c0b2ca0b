//! Alarms: metrics of the server that are compared with thresholds, and reports when one is
//! breached.

mod definition;
mod delivery;
mod evaluation;
mod figure;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_kit::outbox::Mailer;
use monotable_metrics::{Kind, Page, Sample};
use serde_json::json;

use self::definition::Alarm;
use self::delivery::{Delivery, Destination, Report};
use self::evaluation::{Change, Evaluation, State};
use crate::logging;

/// How often gauges are sampled, unless periods are shorter.
const LOOK_EVERY: Duration = Duration::from_secs(10);

#[derive(Args)]
#[command(next_help_heading = "Alarms")]
pub(crate) struct AlarmArguments {
    /// Evaluate the alarms in this file: one alarm as CloudWatch's JSON has it, or a list of them
    #[arg(long = "alarms", value_name = "FILE")]
    file: Option<PathBuf>,
    /// Send what an alarm reports to this topic (an ARN in AlarmActions or OKActions) to https://… or mailto:…;
    /// can be repeated
    #[arg(long = "alarm-topic", value_name = "ARN=URL", value_parser = topic)]
    topics: Vec<(String, String)>,
}

/// Reads `ARN=URL`.
fn topic(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((topic, url)) if !topic.is_empty() && !url.is_empty() => {
            Ok((topic.to_owned(), url.to_owned()))
        }
        _ => Err("give TOPIC=URL, such as \
                  arn:aws:sns:eu-central-1:123456789012:operators=https://example.org/hook"
            .to_owned()),
    }
}

/// Alarms that are evaluated while a server runs.
pub(crate) struct Alarms {
    evaluations: Mutex<Vec<Evaluation>>,
    destinations: BTreeMap<String, Vec<Destination>>,
    delivery: Delivery,
    /// How often samples are taken.
    pub(crate) every: Duration,
    began: Instant,
}

impl AlarmArguments {
    /// Reads the alarms, if there are any.
    ///
    /// # Errors
    /// Fails if the file or an action can't be used.
    pub(crate) fn alarms(&self, mailer: Option<&Arc<dyn Mailer>>) -> Result<Option<Arc<Alarms>>> {
        let Some(file) = &self.file else {
            if !self.topics.is_empty() {
                bail!("--alarm-topic has no effect without alarms; add --alarms FILE");
            }
            return Ok(None);
        };
        let alarms = definition::read(file)?;
        let destinations = destinations(&alarms, &self.topics, mailer)
            .with_context(|| format!("--alarms {}", file.display()))?;
        let every = alarms.iter().map(|alarm| alarm.period).fold(LOOK_EVERY, Duration::min);
        Ok(Some(Arc::new(Alarms {
            evaluations: Mutex::new(alarms.into_iter().map(Evaluation::new).collect()),
            destinations,
            delivery: Delivery::start()?,
            every,
            began: Instant::now(),
        })))
    }
}

/// Returns the destination of each action. Alarms of a topic without a destination are only logged.
fn destinations(
    alarms: &[Alarm],
    topics: &[(String, String)],
    mailer: Option<&Arc<dyn Mailer>>,
) -> Result<BTreeMap<String, Vec<Destination>>> {
    let mut destinations = delivery::topics(topics, mailer)?;
    let actions: BTreeSet<&String> = alarms
        .iter()
        .flat_map(|alarm| {
            let Alarm { alarm_actions, ok_actions, insufficient_data_actions, .. } = alarm;
            alarm_actions.iter().chain(ok_actions).chain(insufficient_data_actions)
        })
        .collect();
    for action in actions {
        if destinations.contains_key(action) {
            continue;
        }
        if action.starts_with("arn:") {
            log::warn!("alarms for {action} are only logged; add --alarm-topic {action}=URL");
            continue;
        }
        destinations.insert(action.clone(), vec![Destination::parse(action, mailer)?]);
    }
    Ok(destinations)
}

impl Alarms {
    /// Samples the current metrics.
    pub(crate) fn observe(&self, page: &Page) {
        let samples: Vec<Sample<'_>> = page.samples().collect();
        let now = self.began.elapsed();
        let mut evaluations = self.evaluations.lock().unwrap_or_else(PoisonError::into_inner);
        for evaluation in &mut *evaluations {
            if let Some(change) = evaluation.observe(now, &samples) {
                self.report(&evaluation.alarm, &change);
            }
        }
    }

    /// Writes which alarms fire, and how many reports were not delivered.
    pub(crate) fn write_metrics(&self, page: &mut Page) {
        let help = "Whether an alarm fires.";
        let mut samples = page.metric("monotable_alarm_firing", Kind::Gauge, help);
        for evaluation in &*self.evaluations.lock().unwrap_or_else(PoisonError::into_inner) {
            let fires = u8::from(evaluation.state() == State::Alarm);
            samples.value(&[("alarm", &evaluation.alarm.name)], fires);
        }
        let help = "Reports of alarms that could not be delivered.";
        page.metric("monotable_alarm_reports_failed_total", Kind::Counter, help)
            .value(&[], self.delivery.failed());
    }

    fn report(&self, alarm: &Alarm, change: &Change) {
        let subject = format!("{}: {}", change.new.name(), alarm.name);
        let message = message(alarm, change);
        log::warn!("alarm {subject}: {}", message["NewStateReason"].as_str().unwrap_or_default());
        let actions = match change.new {
            State::Ok => &alarm.ok_actions,
            State::Alarm => &alarm.alarm_actions,
            State::InsufficientData => &alarm.insufficient_data_actions,
        };
        for destination in actions.iter().filter_map(|it| self.destinations.get(it)).flatten() {
            self.delivery.send(Report {
                destination: destination.clone(),
                subject: subject.clone(),
                message: message.clone(),
            });
        }
    }
}

/// Returns CloudWatch's message about a change.
fn message(alarm: &Alarm, change: &Change) -> serde_json::Value {
    let values: Vec<String> = change
        .values
        .iter()
        .map(|value| value.map_or_else(|| "none".to_owned(), |value| value.to_string()))
        .collect();
    let reason = format!(
        "{} of the last {} periods of {} s: {}; threshold {} ({:?})",
        alarm.metric_name,
        values.len(),
        alarm.period.as_secs(),
        values.join(", "),
        alarm.threshold,
        alarm.comparison
    );
    json!({
        "AlarmName": alarm.name,
        "AlarmDescription": alarm.description,
        "OldStateValue": change.old.name(),
        "NewStateValue": change.new.name(),
        "NewStateReason": reason,
        "StateChangeTime": logging::now(),
        "Trigger": {
            "MetricName": alarm.metric_name,
            "Threshold": alarm.threshold,
            "ComparisonOperator": format!("{:?}", alarm.comparison),
            "Period": alarm.period.as_secs(),
            "EvaluationPeriods": alarm.periods,
            "DatapointsToAlarm": alarm.datapoints,
        },
    })
}
