//! The metrics of connections.

use monotable_metrics::{Kind, Page};

use super::Metrics;

pub(super) fn write(page: &mut Page, metrics: &Metrics, connections_max: usize) {
    let help = "Connections that are open.";
    page.metric("monotable_connections", Kind::Gauge, help)
        .value(&[], metrics.sum(|worker| &worker.connections_open));
    let help = "Connections that can be open at once.";
    page.metric("monotable_connections_max", Kind::Gauge, help).value(&[], connections_max);
    let help = "Connections that were accepted.";
    page.metric("monotable_connections_total", Kind::Counter, help)
        .value(&[], metrics.sum(|worker| &worker.connections_total));
}
