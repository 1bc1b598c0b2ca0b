//! Counts the result of an ended match in the profiles of its players, once per match.

use monotable::model::time::Timestamp;
use monotable::model::{check_absent, create, edit};
use monotable_kit::Problem;

use crate::app::App;
use crate::change::{new_task, task};
use crate::rules::state::{MatchState, Tribute};
use crate::table::{
    BtlRunReads as _, MyMatch, MyResult, MyRole, Profile, ProfileStats, Stamps, TaskKey, UserId,
};

/// The maximum length of a user's display name.
pub(crate) const DISPLAY_NAME_CHARACTERS_MAX: usize = 30;

/// Counts a match in the profiles of its players, unless that was done. A cancelled match does not
/// count.
///
/// # Errors
///
/// Returns the errors of the table.
pub(crate) async fn count(app: &App, state: &MatchState) -> Result<(), Problem> {
    if state.winner_id.is_none() {
        return Ok(());
    }
    for tribute in &state.roster {
        if let Some(user_id) = &tribute.user_id {
            count_one(app, state, tribute, user_id).await?;
        }
    }
    Ok(())
}

/// Counts one result. It is written together with the profile, so the row of the result shows that
/// the match is counted.
async fn count_one(
    app: &App,
    state: &MatchState,
    tribute: &Tribute,
    user_id: &UserId,
) -> Result<(), Problem> {
    let created_at = Timestamp::from_ms(state.created_at).map_err(Problem::internal)?;
    let mine = app.db.my_match(user_id, created_at, &state.match_id).await?;
    let erasure = new_task(task::ERASE, user_id.as_str(), 0)?;
    let is_leaving = app.db.task(&erasure.kind, &erasure.task_id).await?.is_some();
    if is_leaving || mine.as_ref().is_some_and(|mine| mine.result.is_some()) {
        return Ok(());
    }
    let result = result_of(state, tribute);
    let mut tx = app.db.transact();
    tx.add(check_absent(&TaskKey::new(erasure.kind, erasure.task_id)));
    match mine {
        Some(mine) => tx.add(edit(&mine, |mine| mine.result = Some(result))),
        None => tx.add(create(MyMatch {
            user_id: user_id.clone(),
            created_at,
            match_id: state.match_id.clone(),
            role: MyRole::Player,
            result: Some(result),
            ttl: None,
        })),
    };
    match app.db.profile(user_id).await? {
        Some(profile) => tx.add(edit(&profile, |profile| add(&mut profile.stats, result))),
        None => tx.add(create(profile_of(user_id, tribute, result, app.now_ms()))),
    };
    tx.await?;
    Ok(())
}

fn result_of(state: &MatchState, tribute: &Tribute) -> MyResult {
    let kills = state.roster.iter().filter(|one| one.killed_by.as_ref() == Some(&tribute.id));
    MyResult {
        rank: tribute.rank,
        won: state.winner_id.as_ref() == Some(&tribute.id),
        kills: u32::try_from(kills.count()).unwrap_or(u32::MAX),
    }
}

fn add(stats: &mut ProfileStats, result: MyResult) {
    stats.played = stats.played.saturating_add(1);
    stats.won = stats.won.saturating_add(u32::from(result.won));
    stats.kills = stats.kills.saturating_add(result.kills);
    stats.best_rank = match (stats.best_rank, result.rank) {
        (Some(best), Some(rank)) => Some(best.min(rank)),
        (best, rank) => best.or(rank),
    };
}

/// Returns the profile; a user without one gets the name of the tribute.
fn profile_of(user_id: &UserId, tribute: &Tribute, result: MyResult, now: i64) -> Profile {
    let mut stats = ProfileStats::default();
    add(&mut stats, result);
    Profile {
        user_id: user_id.clone(),
        display_name: tribute.name.chars().take(DISPLAY_NAME_CHARACTERS_MAX).collect(),
        avatar: None,
        stats,
        created_at: now,
        stamps: Stamps::default(),
    }
}
