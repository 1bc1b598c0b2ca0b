//! Writes a message of an organiser to all players of a game, or of a team.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, check, create};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::{Ids, Problem};
use serde::{Deserialize, Serialize};

use crate::rules::progress::Route;
use crate::table::{
    GameId, LevelId, Message, RowId, ScavengerHunt, ScavengerHuntReads as _, Speaker, Stamps,
    TeamId, UserId, user,
};

/// The kind of the work that is promised.
pub(crate) const KIND: &str = "broadcast";
/// Players that a step writes to, each with a check. With the ticket they fit into one transaction.
const USERS_AT_ONCE: usize = 45;

/// A message to players.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Announcement {
    game_id: GameId,
    team_id: Option<TeamId>,
    text: String,
}

/// The team and the user that were written to last.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reached {
    team_id: TeamId,
    user_id: Option<UserId>,
}

/// Returns the ticket that promises to write to players.
///
/// # Errors
/// Returns 500 if the ids can't be written.
pub(crate) fn ticket(
    job_id: &RowId,
    game_id: &GameId,
    team_id: Option<&TeamId>,
    text: &str,
    now: Timestamp,
) -> Result<JobTicket, Problem> {
    let (game_id, team_id) = (game_id.clone(), team_id.cloned());
    let announcement = Announcement { game_id, team_id, text: text.to_owned() };
    JobTicket::new(KIND, job_id.as_str(), &announcement, now)
}

/// Writes to the next players of a team.
pub(super) async fn step(
    db: Store<ScavengerHunt>,
    announcement: Announcement,
    reached: Option<Reached>,
) -> Result<JobStep<ScavengerHunt, Reached>, Problem> {
    let mut tx = db.transact();
    let (now, ids) = (db.now(), Ids::default());
    let is_meant = |id: &TeamId| announcement.team_id.as_ref().is_none_or(|only| only == id);
    let done = |id: &TeamId| {
        reached.as_ref().is_some_and(|reached| {
            *id < reached.team_id || *id == reached.team_id && reached.user_id.is_none()
        })
    };
    let teams = db.teams(&announcement.game_id).skip_unreadable().all().await?;
    let Some(team) = teams.iter().find(|team| is_meant(&team.id) && !done(&team.id)) else {
        return Ok(JobStep::done(tx));
    };
    let after = reached.filter(|reached| reached.team_id == team.id);
    let after = after.and_then(|reached| reached.user_id);
    let level_id = level_of(&db, &team.id).await?;
    let users = db.users(&team.id).skip_unreadable().all().await?;
    let mut users = users.iter().filter(|user| after.as_ref().is_none_or(|after| user.id > *after));
    let mut last = None;
    for user in users.by_ref().take(USERS_AT_ONCE) {
        last = Some(user.id.clone());
        let Some(level_id) = &level_id else { continue };
        // Of players who are erased meanwhile nothing stays: the step is tried again without them.
        tx.add(check(&user.key(), user::team_id().exists()));
        tx.add(create(Message {
            id: ids.next_of(now)?,
            ts: now.epoch_seconds(),
            user_id: user.id.clone(),
            team_id: team.id.clone(),
            game_id: announcement.game_id.clone(),
            level_id: level_id.clone(),
            role: Speaker::System,
            text: announcement.text.clone(),
            ttl: None,
            stamps: Stamps::default(),
        }));
    }
    let user_id = last.filter(|_| users.next().is_some());
    Ok(JobStep::next(tx, Reached { team_id: team.id.clone(), user_id }))
}

/// Returns the level where a team is going, or where it was last.
async fn level_of(db: &Store<ScavengerHunt>, team_id: &TeamId) -> Result<Option<LevelId>, Problem> {
    let route = Route::new(db.route(team_id).all().await?);
    let level = route.current().or(route.levels().last());
    Ok(level.map(|level| level.level_id.clone()))
}
