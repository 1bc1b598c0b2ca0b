//! One match: its snapshot, its log, and the rows that follow from both.

use monotable::model::rows::Records;
use monotable::model::time::Timestamp;
use monotable::model::{Error, Transact};
use monotable_kit::Problem;
use serde_json::Value;

use super::{ATTEMPTS_MAX, Conflict, Orphan, Report};
use crate::app::{App, not_found};
use crate::change::{due, new_task, task};
use crate::commands::turn;
use crate::events::{Event, EventBody, replay};
use crate::ids::MatchId;
use crate::log_rows::rows_after;
use crate::patterns::{BtlRun, BtlRunReads as _};
use crate::rows::{Budget, EventRowKey, MatchRow, MyMatch, MyRole, Settled, ShardedEventRowKey};
use crate::state::{MatchState, Mode, Status};

/// Orphans of a partition that are removed at once: those of all partitions fit in a transaction.
const ORPHANS_PER_PARTITION: u32 = 20;
/// Rows that are read at once.
const PAGE: usize = 500;

/// What came of one look at a match.
enum Look {
    Settled,
    /// Something was written, and the rest follows from what is there now.
    Again,
}

/// Mends a match, step by step, each on the version that it was read in.
pub(super) async fn mend(
    app: &App,
    match_id: &MatchId,
    report: &mut Report,
) -> Result<(), Problem> {
    let mut outrun = 0;
    while outrun < ATTEMPTS_MAX {
        let Some(row) = app.db.match_state(match_id).await? else { return Ok(()) };
        match look(app, &row, report).await {
            Ok(Look::Settled) => return Ok(()),
            Ok(Look::Again) => {}
            Err(problem) if problem.is_version_conflict() => outrun += 1,
            Err(problem) => return Err(problem),
        }
    }
    report.tell(Conflict::Busy { match_id: match_id.clone() });
    Ok(())
}

async fn look(app: &App, row: &MatchRow, report: &mut Report) -> Result<Look, Problem> {
    let state = &row.state;
    let orphans = orphans_of(app, state).await?;
    if !orphans.is_empty() {
        return remove_orphans(app, row, orphans, report).await;
    }
    let log = log_of(app, state).await?;
    if let Some(look) = snapshot(app, row, &log, report).await? {
        return Ok(look);
    }
    budgets(app, row, &log, report).await?;
    my_matches(app, row, report).await?;
    let secret = app.db.secret(&state.match_id).await?;
    let is_pinned = secret.as_ref().is_some_and(|secret| secret.pinned);
    if secret.is_none() && state.status != Status::Ended {
        report.tell(Conflict::SecretMissing { match_id: state.match_id.clone() });
    }
    match state.status {
        Status::Active if state.mode == Mode::Long => cutoff(app, row, report).await?,
        Status::Ended if row.ttl.is_none() && !is_pinned => archive(app, row, report).await?,
        _ => {}
    }
    Ok(Look::Settled)
}

/// The events of the log that can be read, up to the state's last number.
async fn log_of(app: &App, state: &MatchState) -> Result<Vec<Event>, Problem> {
    let (mut log, mut after) = (Vec::new(), 0);
    loop {
        let rows = rows_after(app, state, after, PAGE).await?;
        let Some(last) = rows.last() else { return Ok(log) };
        after = last.number();
        let known = rows.iter().filter(|row| row.number() <= state.log_seq);
        log.extend(known.map(|row| row.event().clone()));
    }
}

/// Some rows behind the state's last number, whatever they hold.
async fn orphans_of(app: &App, state: &MatchState) -> Result<Vec<Orphan>, Problem> {
    let id = &state.match_id;
    let partitions = match state.shard_count {
        0 => vec![format!("match#{id}")],
        shards => (0..shards).map(|shard| format!("match#{id}#shard{shard}")).collect(),
    };
    let mut orphans = Vec::new();
    for partition in partitions {
        let first = format!("log#{:06}", state.log_seq.saturating_add(1));
        let rows = Records::<Value>::of_partition(partition).between(first, "log#999999");
        let page = app.kv.query(rows.limit(ORPHANS_PER_PARTITION)).await?;
        orphans.extend(page.entries.into_iter().filter_map(|entry| {
            let seq = entry.sort.strip_prefix("log#")?.parse().ok()?;
            Some(Orphan { match_id: id.clone(), seq, event: entry.stored.value.to_string() })
        }));
    }
    Ok(orphans)
}

/// Removes what an older program wrote without its state, and tells it.
async fn remove_orphans(
    app: &App,
    row: &MatchRow,
    orphans: Vec<Orphan>,
    report: &mut Report,
) -> Result<Look, Problem> {
    let is_one = row.state.shard_count == 0;
    let mut removed = unchanged(app, row);
    for Orphan { match_id, seq, .. } in &orphans {
        removed = match is_one {
            true => removed.delete_by_key(&EventRowKey::new(match_id.clone(), *seq)),
            false => removed.delete_by_key(&ShardedEventRowKey::new(match_id.clone(), *seq)),
        };
    }
    removed.await?;
    report.orphans.extend(orphans);
    Ok(Look::Again)
}

/// Holds the state against its log and its version.
async fn snapshot(
    app: &App,
    row: &MatchRow,
    log: &[Event],
    report: &mut Report,
) -> Result<Option<Look>, Problem> {
    let state = match replay(log, row.ver) {
        Ok(state) if state.log_seq == row.state.log_seq => state,
        folded => {
            let reason = match folded {
                Err(error) => error.to_string(),
                Ok(state) => format!("it ends at {} of {}", state.log_seq, row.state.log_seq),
            };
            let match_id = row.match_id.clone();
            report.tell(Conflict::LogUnsound { match_id, reason });
            return drift(app, row, report).await;
        }
    };
    let kept = with_unknown(state, &row.state);
    if kept == (MatchState { version: row.ver, ..row.state.clone() }) {
        return drift(app, row, report).await;
    }
    write(app, row, kept).await?;
    report.rebuilt.push(row.match_id.clone());
    Ok(Some(Look::Again))
}

/// The state tells the version of its row.
async fn drift(app: &App, row: &MatchRow, report: &mut Report) -> Result<Option<Look>, Problem> {
    if row.state.version == row.ver {
        return Ok(None);
    }
    write(app, row, row.state.clone()).await?;
    report.versions += 1;
    Ok(Some(Look::Again))
}

/// What only others know is no event, and stays.
fn with_unknown(mut state: MatchState, known: &MatchState) -> MatchState {
    state.unknown.clone_from(&known.unknown);
    for tribute in &mut state.roster {
        if let Some(same) = known.tribute(&tribute.id) {
            tribute.unknown.clone_from(&same.unknown);
        }
    }
    state
}

async fn write(app: &App, row: &MatchRow, state: MatchState) -> Result<(), Problem> {
    let edit = |row: &mut MatchRow| {
        row.state = state;
        row.state.version = row.ver + 1;
    };
    app.db.edit(row.clone(), edit).await?;
    Ok(())
}

/// Makes the state of a match anew from its log, on the version that was seen.
///
/// # Errors
/// 404 if there is no such match, 409 if somebody else changed it, 500 if the log is not sound.
pub async fn rebuild(app: &App, match_id: &MatchId) -> Result<MatchState, Problem> {
    let row = app.db.match_state(match_id).await?.ok_or_else(not_found)?;
    let log = log_of(app, &row.state).await?;
    let state = replay(&log, row.ver).map_err(|error| Problem::internal(error.to_string()))?;
    write(app, &row, with_unknown(state, &row.state)).await?;
    Ok(app.match_row(match_id).await?.state)
}

/// Makes a state of a log that has none.
pub(super) async fn restore(
    app: &App,
    match_id: &MatchId,
    report: &mut Report,
) -> Result<(), Problem> {
    let mut created = app.db.events_after(match_id, 0).stream();
    let mut log = Vec::new();
    while let Some(row) = created.next().await {
        log.push(row?.event);
    }
    if log.is_empty() {
        let mut created = app.db.sharded_events_after(match_id, 0).stream();
        while let Some(row) = created.next().await {
            log.push(row?.event);
        }
    }
    let state = match replay(&log, 1) {
        Ok(state) => state,
        Err(error) => {
            let (match_id, reason) = (match_id.clone(), error.to_string());
            report.tell(Conflict::LogUnsound { match_id, reason });
            return Ok(());
        }
    };
    let row = MatchRow { match_id: match_id.clone(), state, ver: 0, ttl: None };
    match app.db.create(&row).await {
        Ok(_) => report.rebuilt.push(match_id.clone()),
        // It was opened while the table was looked at.
        Err(Error::Exists { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

/// A transaction that holds only for this version of the state.
fn unchanged(app: &App, row: &MatchRow) -> Transact<BtlRun> {
    app.db.transact().edit(row, |_| {})
}

/// Whether something was missing and is there now.
fn is_new(created: Result<monotable::model::Receipt, Error>) -> Result<bool, Problem> {
    match created {
        Ok(_) => Ok(true),
        Err(Error::Transaction { failures })
            if failures.iter().all(|failure| matches!(failure.error, Error::Exists { .. })) =>
        {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// The budget counts what stories have cost.
async fn budgets(
    app: &App,
    row: &MatchRow,
    log: &[Event],
    report: &mut Report,
) -> Result<(), Problem> {
    let match_id = &row.match_id;
    let stories = log.iter().filter_map(|event| match &event.body {
        EventBody::NarrationAttached(story) => Some(story.tokens_used),
        _ => None,
    });
    let (tokens, ttl) = (stories.sum(), row.ttl);
    let budget = Budget { match_id: match_id.clone(), tokens, ver: 0, ttl };
    let settled = Settled { match_id: match_id.clone(), tokens, ttl };
    if app.db.budget(match_id).await?.is_none() {
        report.budgets += u64::from(is_new(unchanged(app, row).create(&budget).await)?);
    }
    if app.db.settled(match_id).await?.is_none() {
        is_new(unchanged(app, row).create(&settled).await)?;
    }
    Ok(())
}

/// Who hosts or plays finds the match.
async fn my_matches(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let state = &row.state;
    let created_at = Timestamp::from_ms(state.created_at)
        .map_err(|error| Problem::internal(error.to_string()))?;
    let players = state.roster.iter().filter_map(|tribute| tribute.user_id.as_ref());
    for user_id in players.clone().chain(&state.host_user_id) {
        if app.db.my_match(user_id, created_at, &row.match_id).await?.is_some() {
            continue;
        }
        let is_host = state.host_user_id.as_ref() == Some(user_id);
        let is_player = players.clone().any(|player| player == user_id);
        let role = match (is_host, is_player) {
            (true, true) => MyRole::HostAndPlayer,
            (true, false) => MyRole::Host,
            _ => MyRole::Player,
        };
        let (user_id, match_id) = (user_id.clone(), row.match_id.clone());
        let mine = MyMatch { user_id, created_at, match_id, role, result: None, ttl: row.ttl };
        report.my_matches += u64::from(is_new(unchanged(app, row).create(&mine).await)?);
    }
    Ok(())
}

/// The scheduler finds the match when its time comes; if that was so long ago that it does not look
/// there any more, the turn is resolved now.
async fn cutoff(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let match_id = row.match_id.clone();
    let Some(cutoff) = row.state.day_cutoff_at else {
        report.tell(Conflict::CutoffMissing { match_id });
        return Ok(());
    };
    if cutoff <= app.now_ms() {
        match turn::resolve_due(app, &match_id).await {
            Ok(is_resolved) => report.resolved += u64::from(is_resolved),
            Err(problem) => {
                let reason = problem.message;
                report.tell(Conflict::Unresolved { match_id, reason });
            }
        }
        return Ok(());
    }
    let created = unchanged(app, row).create(&due(&match_id, cutoff)?).await;
    report.due_rows += u64::from(is_new(created)?);
    Ok(())
}

/// Promises that an ended match is archived.
async fn archive(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let promised = new_task(task::ARCHIVE, row.match_id.as_str(), app.now_ms())?;
    let created = unchanged(app, row).create(&promised).await;
    report.archives += u64::from(is_new(created)?);
    Ok(())
}
