//! One match: its snapshot, its log, and the rows that are derived from both.

use monotable::model::time::Timestamp;
use monotable::model::{Entity, Error, Holds, create, edit};
use monotable_kit::Problem;

use super::orphans::remove_orphans;
use super::{ATTEMPTS_MAX, Conflict, Report};
use crate::app::App;
use crate::change::{due, new_task, task};
use crate::log_rows::rows_after;
use crate::rules::events::{Event, EventBody, replay};
use crate::rules::state::{MatchState, Mode, Status};
use crate::table::{
    BtlRun, BtlRunReads as _, Budget, MatchId, MatchRow, MyMatch, MyRole, Settled, Stamps,
};
use crate::turn;

/// Rows that are read at once.
const PAGE: usize = 500;

/// The result of one check of a match.
enum Check {
    Settled,
    /// Something was written, and the remaining checks need the new rows.
    Again,
}

/// Repairs a match, step by step, each conditional on the version that was read.
pub(super) async fn repair(
    app: &App,
    match_id: &MatchId,
    report: &mut Report,
) -> Result<(), Problem> {
    let mut conflicts = 0;
    while conflicts < ATTEMPTS_MAX {
        let Some(row) = app.db.match_state(match_id).await? else { return Ok(()) };
        match check(app, &row, report).await {
            Ok(Check::Settled) => return Ok(()),
            Ok(Check::Again) => {}
            Err(problem) if problem.is_version_conflict() => conflicts += 1,
            Err(problem) => return Err(problem),
        }
    }
    report.add(Conflict::Busy { match_id: match_id.clone() });
    Ok(())
}

async fn check(app: &App, row: &MatchRow, report: &mut Report) -> Result<Check, Problem> {
    let state = &row.state;
    report.orphans.extend(remove_orphans(app, row).await?);
    let log = log_of(app, state).await?;
    if let Some(check) = snapshot(app, row, &log, report).await? {
        return Ok(check);
    }
    budgets(app, row, &log, report).await?;
    my_matches(app, row, report).await?;
    let secret = app.db.secret(&state.match_id).await?;
    let is_pinned = secret.as_ref().is_some_and(|secret| secret.pinned);
    if secret.is_none() && state.status != Status::Ended {
        report.add(Conflict::SecretMissing { match_id: state.match_id.clone() });
    }
    match state.status {
        Status::Active if state.mode == Mode::Long => cutoff(app, row, report).await?,
        Status::Ended if row.ttl.is_none() && !is_pinned => archive(app, row, report).await?,
        _ => {}
    }
    Ok(Check::Settled)
}

/// Returns the events of the log that can be read, up to the state's last number.
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

/// Compares the state with its log and its version.
async fn snapshot(
    app: &App,
    row: &MatchRow,
    log: &[Event],
    report: &mut Report,
) -> Result<Option<Check>, Problem> {
    let state = match replay(log, row.stamps.version) {
        Ok(state) if state.log_seq == row.state.log_seq => state,
        folded => {
            let reason = match folded {
                Err(error) => error.to_string(),
                Ok(state) => format!("it ends at {} of {}", state.log_seq, row.state.log_seq),
            };
            let match_id = row.match_id.clone();
            report.add(Conflict::LogUnsound { match_id, reason });
            return drift(app, row, report).await;
        }
    };
    let kept = with_unknown(state, &row.state);
    if kept == (MatchState { version: row.stamps.version, ..row.state.clone() }) {
        return drift(app, row, report).await;
    }
    write(app, row, kept).await?;
    report.rebuilt.push(row.match_id.clone());
    Ok(Some(Check::Again))
}

/// Checks that the state contains the version of its row.
async fn drift(app: &App, row: &MatchRow, report: &mut Report) -> Result<Option<Check>, Problem> {
    if row.state.version == row.stamps.version {
        return Ok(None);
    }
    write(app, row, row.state.clone()).await?;
    report.versions += 1;
    Ok(Some(Check::Again))
}

/// Keeps unknown members of the state, which do not come from events.
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
    let rewritten = edit(row, |row| {
        row.state = state;
        row.state.version = row.stamps.version + 1;
    });
    app.db.run(rewritten).await?;
    Ok(())
}

/// Rebuilds the state of a match from its log, conditional on the version that was read.
///
/// # Errors
///
/// Returns 404 if the match does not exist, 409 after a concurrent change, 500 if the log is
/// inconsistent.
pub async fn rebuild(app: &App, match_id: &MatchId) -> Result<MatchState, Problem> {
    let row = app.match_row(match_id).await?;
    let log = log_of(app, &row.state).await?;
    let state = replay(&log, row.stamps.version).map_err(Problem::internal)?;
    write(app, &row, with_unknown(state, &row.state)).await?;
    Ok(app.match_row(match_id).await?.state)
}

/// Creates a missing row, if the state of its match is unchanged, and returns whether the row was
/// missing.
async fn create_missing<E: Entity>(app: &App, row: &MatchRow, missing: E) -> Result<bool, Problem>
where
    BtlRun: Holds<E>,
{
    let mut tx = app.db.transact();
    let state = tx.add(edit(row, |_| {}));
    let created = tx.add(create(missing));
    match tx.await {
        Ok(_) => Ok(true),
        Err(error)
            if error.of(state).is_none()
                && matches!(error.of(created), Some(Error::Exists { .. })) =>
        {
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// Creates the missing budget, which counts the cost of stories.
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
    let budget = Budget { match_id: match_id.clone(), tokens, stamps: Stamps::default(), ttl };
    let settled = Settled { match_id: match_id.clone(), tokens, ttl };
    if app.db.budget(match_id).await?.is_none() {
        report.budgets += u64::from(create_missing(app, row, budget).await?);
    }
    if app.db.settled(match_id).await?.is_none() {
        create_missing(app, row, settled).await?;
    }
    Ok(())
}

/// Creates the missing rows with which hosts and players find the match.
async fn my_matches(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let state = &row.state;
    let created_at = Timestamp::from_ms(state.created_at).map_err(Problem::internal)?;
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
        report.my_matches += u64::from(create_missing(app, row, mine).await?);
    }
    Ok(())
}

/// Creates the missing row for the scheduler; if the turn was due too long ago for the scheduler,
/// it is resolved now.
async fn cutoff(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let match_id = row.match_id.clone();
    let Some(cutoff) = row.state.day_cutoff_at else {
        report.add(Conflict::CutoffMissing { match_id });
        return Ok(());
    };
    if cutoff <= app.now_ms() {
        match turn::resolve_due(app, &match_id).await {
            Ok(is_resolved) => report.resolved += u64::from(is_resolved),
            Err(problem) => {
                let reason = problem.message;
                report.add(Conflict::Unresolved { match_id, reason });
            }
        }
        return Ok(());
    }
    let due = due(&match_id, cutoff)?;
    report.due_rows += u64::from(create_missing(app, row, due).await?);
    Ok(())
}

/// Schedules the archiving of an ended match.
async fn archive(app: &App, row: &MatchRow, report: &mut Report) -> Result<(), Problem> {
    let promised = new_task(task::ARCHIVE, row.match_id.as_str(), app.now_ms())?;
    report.archives += u64::from(create_missing(app, row, promised).await?);
    Ok(())
}
