//! What is measured without other clients.

use std::time::Instant;

use http::{Method, StatusCode};
use http_body_util::BodyExt as _;
use monotable_bench::Result;

use super::world::{MEMBERS, World};
use crate::measured::Alone;
use crate::memory::{forget_highest, highest_kib, resident_kib};
use crate::subject::request;

/// How often a payment is reported at the same moment.
const DELIVERIES: usize = 64;
/// Participants of the export at least.
const PARTICIPANTS: u64 = 10_000;
/// How much memory an export may need: some pieces, however many participants there are.
const GROWN_KIB_MAX: u64 = 4 * 1024;
const EXPORT: &str = "/hackathon/admin/export/csv";

/// Measures the webhook of a payment that is delivered many times at the same moment, and counts once.
pub(super) async fn delivered_at_once(world: &World) -> Result<Alone> {
    let [team] = &world.register(1).await?[..] else { return Err("no team".into()) };
    let [captured, _] = team.payment_webhooks(&world.desk)?;
    let before = figure(world, "paid_teams").await?;
    let mut deliveries = tokio::task::JoinSet::new();
    let start = Instant::now();
    for _ in 0..DELIVERIES {
        let (service, request) = (world.desk.service.clone(), captured.request()?);
        deliveries.spawn(async move { service.open(request).await.map(|it| it.status()) });
    }
    let (mut taken, mut refused) = (0, 0);
    while let Some(status) = deliveries.join_next().await {
        match status?? {
            StatusCode::OK => taken += 1,
            // The gateway delivers it again.
            StatusCode::CONFLICT | StatusCode::SERVICE_UNAVAILABLE => refused += 1,
            status => return Err(format!("the response to a webhook has status {status}").into()),
        }
    }
    let took = start.elapsed();
    let counted = figure(world, "paid_teams").await? - before;
    Ok(Alone {
        act: format!("a payment that is reported {DELIVERIES} times at once"),
        measured: format!(
            "{:.1} ms, {taken} taken, {refused} refused until they come again, {counted} counted",
            took.as_secs_f64() * 1e3
        ),
        target: "1 counted".to_owned(),
        is_met: counted == 1,
    })
}

/// Returns a figure of the event, as organisers see it.
async fn figure(world: &World, name: &str) -> Result<u64> {
    let (path, token) = ("/hackathon/admin/statistics", world.desk.organiser()?);
    let request = request(Method::GET, path, &token, None, String::new())?;
    let answer = world.desk.service.json(request).await?;
    Ok(answer["data"][name].as_u64().ok_or_else(|| format!("no {name}: {answer}"))?)
}

/// Returns the memory of this process while all participants are exported and dropped, piece by
/// piece.
pub(super) async fn export(world: &World) -> Result<Alone> {
    let missing = PARTICIPANTS.saturating_sub(figure(world, "total_participants").await?);
    world.register(usize::try_from(missing)?.div_ceil(MEMBERS)).await?;
    let participants = figure(world, "total_participants").await?;
    let request = request(Method::GET, EXPORT, &world.desk.organiser()?, None, String::new())?;
    let before = resident_kib()?;
    forget_highest()?;
    let start = Instant::now();
    let mut body = world.desk.service.open(request).await?.into_body();
    let (mut lines, mut pieces, mut bytes) = (0, 0, 0);
    while let Some(frame) = body.frame().await {
        let Ok(piece) = frame?.into_data() else { continue };
        lines += piece.iter().filter(|byte| **byte == b'\n').count();
        pieces += 1;
        bytes += piece.len();
    }
    let took = start.elapsed();
    let (highest, after) = (highest_kib()?, resident_kib()?);
    // The first line has the names of the columns.
    if u64::try_from(lines)? != participants + 1 {
        return Err(format!("an export of {participants} participants has {lines} lines").into());
    }
    Ok(Alone {
        act: format!("export of {participants} participants"),
        measured: format!(
            "{:.0} ms, {pieces} pieces, {:.1} MiB; memory {:.1} MiB before, {:.1} at most, {:.1} after",
            took.as_secs_f64() * 1e3,
            mib(bytes as u64 / 1024),
            mib(before),
            mib(highest),
            mib(after),
        ),
        target: format!("{:.0} MiB more", mib(GROWN_KIB_MAX)),
        is_met: highest.saturating_sub(before) <= GROWN_KIB_MAX,
    })
}

fn mib(kib: u64) -> f64 {
    kib as f64 / 1024.0
}
