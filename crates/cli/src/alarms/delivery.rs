//! The delivery of reports: by webhook, or by e-mail.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use http::Method;
use http::header::CONTENT_TYPE;
use monotable_host::{Remote, RemoteSettings};
use monotable_kit::outbox::{Letter, Mailer};
use serde_json::Value;

/// The maximum number of waiting reports.
const QUEUE_MAX: usize = 1_024;
/// The longest time for a webhook.
const TIME_MAX: Duration = Duration::from_secs(10);
/// The pauses before retries.
const PAUSES: [Duration; 3] =
    [Duration::from_secs(1), Duration::from_secs(10), Duration::from_secs(60)];

/// A report and its destination.
pub(crate) struct Report {
    pub(crate) destination: Destination,
    /// The event, in one line.
    pub(crate) subject: String,
    /// CloudWatch's message about it.
    pub(crate) message: Value,
}

/// The destination of reports.
#[derive(Clone)]
pub(crate) enum Destination {
    Webhook(Arc<Remote>),
    Mail(Arc<dyn Mailer>, String),
}

impl Destination {
    /// Reads `https://…` or `mailto:…`.
    ///
    /// # Errors
    /// Fails if it is neither, or can't be reached.
    pub(crate) fn parse(text: &str, mailer: Option<&Arc<dyn Mailer>>) -> Result<Self> {
        if let Some(address) = text.strip_prefix("mailto:") {
            let Some(mailer) = mailer else {
                bail!("{text} needs a mail server; add --smtp and --mail-from");
            };
            if !address.contains('@') {
                bail!("{text} is not an e-mail address");
            }
            return Ok(Self::Mail(Arc::clone(mailer), address.to_owned()));
        }
        // The path of a webhook is often secret, so it is not repeated.
        let remote = Remote::new(RemoteSettings {
            base_url: text.to_owned(),
            time_max: TIME_MAX,
            wait_max: TIME_MAX,
            calls_max: 1,
            response_bytes_max: 64 * 1024,
        })
        .context("reports of alarms go to https://…, http://… or mailto:NAME@DOMAIN")?;
        Ok(Self::Webhook(Arc::new(remote)))
    }

    async fn deliver(&self, report: &Report) -> Result<()> {
        match self {
            Self::Webhook(remote) => {
                let body = report.message.to_string().into_bytes();
                let request = remote.request(Method::POST, "");
                let request = request.header(CONTENT_TYPE, "application/json").body(body)?;
                let response = remote.call(request).await;
                let status = response.map_err(|failure| anyhow::anyhow!("{failure}"))?.status();
                if !status.is_success() {
                    bail!("the webhook returned status {status}");
                }
            }
            Self::Mail(mailer, recipient) => {
                let text = serde_json::to_string_pretty(&report.message)?;
                let time = report.message["StateChangeTime"].as_str().unwrap_or_default();
                let letter = Letter {
                    recipient: recipient.clone(),
                    subject: report.subject.clone(),
                    deduplication_key: format!("alarm-{}-{time}", report.subject),
                    text: format!("{}\n\n{text}\n", report.subject),
                };
                mailer.deliver(&letter).await?;
            }
        }
        Ok(())
    }
}

/// Parses the destinations of SNS topics: `ARN=https://…` or `ARN=mailto:…`.
pub(crate) fn topics(
    given: &[(String, String)],
    mailer: Option<&Arc<dyn Mailer>>,
) -> Result<BTreeMap<String, Vec<Destination>>> {
    let mut topics: BTreeMap<String, Vec<Destination>> = BTreeMap::new();
    for (topic, destination) in given {
        let destination = Destination::parse(destination, mailer)
            .with_context(|| format!("--alarm-topic {topic}=…"))?;
        topics.entry(topic.clone()).or_default().push(destination);
    }
    Ok(topics)
}

/// A thread that delivers reports one after the other, so that nothing else waits for them.
#[derive(Clone)]
pub(crate) struct Delivery {
    reports: SyncSender<Report>,
    failed: Arc<AtomicU64>,
}

impl Delivery {
    pub(crate) fn start() -> Result<Self> {
        let (reports, received) = sync_channel(QUEUE_MAX);
        let failed = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&failed);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        std::thread::Builder::new()
            .name("monotable-alarms".to_owned())
            .spawn(move || runtime.block_on(deliver_all(&received, &count)))?;
        Ok(Self { reports, failed })
    }

    /// Returns the number of reports that were not delivered.
    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }

    pub(crate) fn send(&self, report: Report) {
        if self.reports.try_send(report).is_err() {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn deliver_all(reports: &Receiver<Report>, failed: &AtomicU64) {
    while let Ok(report) = reports.recv() {
        if let Err(error) = deliver(&report).await {
            failed.fetch_add(1, Ordering::Relaxed);
            log::error!("not reported: {}: {error:#}", report.subject);
        }
    }
}

async fn deliver(report: &Report) -> Result<()> {
    for pause in PAUSES {
        if report.destination.deliver(report).await.is_ok() {
            return Ok(());
        }
        tokio::time::sleep(pause).await;
    }
    report.destination.deliver(report).await
}
