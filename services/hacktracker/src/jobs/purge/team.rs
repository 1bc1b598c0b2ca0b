//! The purge of a team. At-bats in which linked players batted or scored are kept, and their games:
//! they belong to the careers of those users. A player who is not on the roster any more may have
//! been linked. The audit of the team is kept without the users in it.

use std::collections::BTreeSet;

use monotable::model::{Entity as _, Store, Transact, delete, delete_by_key};
use monotable_kit::Problem;
use monotable_kit::jobs::JobStep;

use super::{INVITES_MAX, ROWS_MAX};
use crate::api::invites::delete_letter;
use crate::rules::log::runs;
use crate::table::{
    Audit, AuditUpdate, Game, GameId, GameRows, HackTracker, HackTrackerReads as _, Player,
    PlayerId, TeamId, TeamRows, UserId,
};

/// The actor in the audit after the purge.
const NOBODY: &str = "anonymous";

/// A step, with the last finished game.
type Step = JobStep<HackTracker, Option<GameId>>;

/// Removes some rows of a team: those of its games, which are finished up to `behind`, then the
/// rest, and the team itself last.
pub(in crate::jobs) async fn step(
    db: Store<HackTracker>,
    team_id: TeamId,
    behind: Option<Option<GameId>>,
) -> Result<Step, Problem> {
    let (db, team_id, behind) = (&db, &team_id, behind.flatten());
    let team = db.team(team_id).consistent().await?;
    let due = |end| end <= db.now();
    let due = team.filter(|team| !team.is_active() && team.purge_after.is_some_and(due));
    let Some(team) = due else { return Ok(JobStep::done(db.transact())) };
    let mut games = db.games_of(team_id).all().await?;
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
        0 => JobStep::done(removed.with(delete(&team))),
        _ => JobStep::next(removed, behind),
    })
}

/// Removes the rows of a game that are not kept, and the game itself if none is.
async fn of_game(
    db: &Store<HackTracker>,
    game: &Game,
    behind: Option<GameId>,
) -> Result<Step, Problem> {
    let roster = db.roster(&game.team_id).consistent().all().await?;
    let was_nobodys =
        |player: &&Player| player.user_id.is_none() && player.last_unlinked_at.is_none();
    let ghosts: BTreeSet<&PlayerId> =
        roster.iter().filter(was_nobodys).map(|player| &player.player_id).collect();
    let rows = db.game_rows(&game.game_id).all().await?;
    let is_kept = |row: &GameRows| match row {
        GameRows::AtBat(at_bat) => {
            let mut players = runs(at_bat).iter().chain([&at_bat.player_id]);
            players.any(|player_id| !ghosts.contains(player_id))
        }
        GameRows::Game(_) | GameRows::Availability(_) | GameRows::Share(_) => false,
    };
    let keeps_game = rows.iter().any(is_kept);
    let going = rows.iter().filter(|row| !is_kept(row));
    let going: Vec<_> = going.filter(|row| !matches!(row, GameRows::Game(_))).collect();
    let mut tx = db.transact();
    for row in going.iter().take(ROWS_MAX) {
        match row {
            GameRows::Game(_) => continue,
            GameRows::AtBat(at_bat) => tx.add(delete(at_bat)),
            GameRows::Availability(answer) => tx.add(delete_by_key(&answer.key())),
            GameRows::Share(share) => tx.add(delete(share)),
        };
    }
    if going.len() > ROWS_MAX {
        return Ok(JobStep::next(tx, behind));
    }
    if !keeps_game {
        tx.add(delete(game));
    }
    Ok(JobStep::next(tx, Some(game.game_id.clone())))
}

/// Removes rows of the team's own partition, and names from its audit.
async fn own_rows(
    db: &Store<HackTracker>,
    team_id: &TeamId,
) -> Result<(Transact<HackTracker>, usize), Problem> {
    let nobody = UserId::new(NOBODY).map_err(|error| Problem::internal(error.to_string()))?;
    let (mut tx, mut count) = (db.transact(), 0);
    for row in db.team_rows(team_id).all().await? {
        match &row {
            TeamRows::Team(_) => continue,
            TeamRows::Audit(entry) if entry.actor == nobody => continue,
            TeamRows::Audit(entry) => tx.add(anonymous(entry, &nobody)),
            TeamRows::Player(player) => tx.add(delete(player)),
            TeamRows::JerseyNumber(number) => tx.add(delete(number)),
            TeamRows::ActiveGame(game) => tx.add(delete_by_key(&game.key())),
            TeamRows::Season(season) => tx.add(delete(season)),
            TeamRows::TeamCounts(counts) => tx.add(delete(counts)),
            TeamRows::SeasonPlaces(places) => tx.add(delete_by_key(&places.key())),
        };
        count += 1;
        if count == ROWS_MAX {
            break;
        }
    }
    Ok((tx, count))
}

/// Returns an audit entry without the users in it.
fn anonymous(entry: &Audit, nobody: &UserId) -> AuditUpdate {
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
    // Memberships of older programs are in no index.
    let mut members = db.every_membership().skip_unreadable().all().await?;
    members.retain(|member| member.team_id == *team_id);
    members.truncate(ROWS_MAX);
    let mut tx = db.transact();
    if !members.is_empty() {
        for member in &members {
            tx.add(delete(member));
        }
        return Ok((tx, members.len()));
    }
    let invites = db.invites(team_id).take(INVITES_MAX).page().await?.rows;
    for invite in &invites {
        tx.add(delete(invite));
        delete_letter(&mut tx, invite)?;
    }
    Ok((tx, invites.len()))
}
