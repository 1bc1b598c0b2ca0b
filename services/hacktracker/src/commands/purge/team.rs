//! The purge of a team. At-bats of players who were somebody's are kept, and the games that they are
//! of: they belong to those users' careers. What was written down about the team is kept without
//! whoever did it.

use std::collections::BTreeSet;

use monotable::model::{Entity as _, Store, Transact};
use monotable_kit::Problem;
use monotable_kit::jobs::JobStep;

use super::{INVITES_MAX, ROWS_MAX};
use crate::commands::invites::forget;
use crate::commands::scope::all;
use crate::entities::{Audit, Game, Player, Team};
use crate::ids::{GameId, PlayerId, TeamId, UserId};
use crate::patterns::{GameRows, HackTracker, HackTrackerReads as _, TeamRows};

/// Who did what, after the purge.
const NOBODY: &str = "anonymous";

/// A step, with the last game that is done.
type Step = JobStep<HackTracker, Option<GameId>>;

/// Removes some rows of a team: those of its games, which are done up to `behind`, then the rest, and
/// the team itself at last.
pub(super) async fn step(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    behind: Option<GameId>,
) -> Result<Step, Problem> {
    let team = db.team(team_id).consistent().await?;
    let due = |end| end <= db.now();
    let due = team.filter(|team| !team.is_active() && team.purge_after.is_some_and(due));
    let Some(team) = due else { return Ok(JobStep::done(db.transact())) };
    let mut games = all(db.games_of(team_id)).await?;
    games.sort_by(|one, other| one.game_id.cmp(&other.game_id));
    let next = games.iter().find(|game| behind.as_ref().is_none_or(|done| game.game_id > *done));
    if let Some(game) = next {
        return of_game(db, game, behind).await;
    }
    let (removed, count) = own_rows(db, team_id).await?;
    if count > 0 {
        return Ok(JobStep::next(removed, behind));
    }
    let (removed, count) = rows_elsewhere(db, team_id).await?;
    Ok(match count {
        0 => JobStep::done(removed.delete::<Team>(&team)),
        _ => JobStep::next(removed, behind),
    })
}

/// Removes what is not kept of a game; the game itself if nothing is.
async fn of_game(
    db: &Store<HackTracker>,
    game: &Game,
    behind: Option<GameId>,
) -> Result<Step, Problem> {
    let roster = all(db.roster(&game.team_id).consistent()).await?;
    let was_somebodys =
        |player: &&Player| player.user_id.is_some() || player.last_unlinked_at.is_some();
    let kept: BTreeSet<PlayerId> =
        roster.iter().filter(was_somebodys).map(|player| player.player_id.clone()).collect();
    let rows = all(db.game_rows(&game.game_id)).await?;
    let is_kept = |row: &GameRows| match row {
        GameRows::AtBat(at_bat) => kept.contains(&at_bat.player_id),
        GameRows::Game(_) | GameRows::Availability(_) | GameRows::Share(_) => false,
    };
    let keeps_game = rows.iter().any(is_kept);
    let going = rows.iter().filter(|row| !is_kept(row));
    let going: Vec<_> = going.filter(|row| !matches!(row, GameRows::Game(_))).collect();
    let mut removed = db.transact();
    for row in going.iter().take(ROWS_MAX) {
        removed = match row {
            GameRows::Game(_) => removed,
            GameRows::AtBat(at_bat) => removed.delete(at_bat),
            GameRows::Availability(answer) => removed.delete_by_key(&answer.key()),
            GameRows::Share(share) => removed.delete(share),
        };
    }
    if going.len() > ROWS_MAX {
        return Ok(JobStep::next(removed, behind));
    }
    if !keeps_game {
        removed = removed.delete(game);
    }
    Ok(JobStep::next(removed, Some(game.game_id.clone())))
}

/// Removes rows of the team's own partition, and names from its audit.
async fn own_rows(
    db: &Store<HackTracker>,
    team_id: &TeamId,
) -> Result<(Transact<HackTracker>, usize), Problem> {
    let nobody = UserId::new(NOBODY).map_err(|error| Problem::internal(error.to_string()))?;
    let (mut removed, mut count) = (db.transact(), 0);
    for row in all(db.team_rows(team_id)).await? {
        removed = match &row {
            TeamRows::Team(_) => continue,
            TeamRows::Audit(entry) if entry.actor == nobody => continue,
            TeamRows::Audit(entry) => removed.update(anonymous(entry, &nobody)),
            TeamRows::Player(player) => removed.delete(player),
            TeamRows::JerseyNumber(number) => removed.delete(number),
            TeamRows::ActiveGame(game) => removed.delete_by_key(&game.key()),
            TeamRows::Season(season) => removed.delete(season),
            TeamRows::TeamCounts(counts) => removed.delete(counts),
            TeamRows::SeasonPlaces(places) => removed.delete_by_key(&places.key()),
        };
        count += 1;
        if count == ROWS_MAX {
            break;
        }
    }
    Ok((removed, count))
}

/// A line of the audit without whoever did it, or whom it was done to.
fn anonymous(entry: &Audit, nobody: &UserId) -> crate::entities::AuditUpdate {
    let kind = entry.entity.split('#').next().unwrap_or_default();
    Audit::update(&entry.key())
        .actor(nobody.clone())
        .entity(kind.to_owned())
        .before(Default::default())
        .after(Default::default())
}

/// Removes the memberships and the invitations of a team.
async fn rows_elsewhere(
    db: &Store<HackTracker>,
    team_id: &TeamId,
) -> Result<(Transact<HackTracker>, usize), Problem> {
    // Those of older programs are in no index.
    let mut members = all(db.every_membership().skip_unreadable()).await?;
    members.retain(|member| member.team_id == *team_id);
    members.truncate(ROWS_MAX);
    if !members.is_empty() {
        let removed = members.iter().fold(db.transact(), |removed, row| removed.delete(row));
        return Ok((removed, members.len()));
    }
    let invites = db.invites(team_id).take(INVITES_MAX).page().await?.rows;
    let mut removed = db.transact();
    for invite in &invites {
        removed = forget(removed.delete(invite), invite)?;
    }
    Ok((removed, invites.len()))
}
