//! Career links of players who were linked by older programs.

use monotable::model::{Result, Store, create, edit};

use super::{ATTEMPTS_MAX, Conflict, Found, Report, was_changed};
use crate::table::{
    HackTracker, HackTrackerReads, Period, Player, PlayerId, PlayerLink, Stamps, TeamId, UserId,
};

/// Gives the user of every linked player the link in the career.
pub(super) async fn links(
    db: &Store<HackTracker>,
    found: &Found,
    report: &mut Report,
) -> Result<()> {
    for (team_id, player_id) in &found.linked {
        link(db, team_id, player_id, report).await?;
    }
    Ok(())
}

async fn link(
    db: &Store<HackTracker>,
    team_id: &TeamId,
    player_id: &PlayerId,
    report: &mut Report,
) -> Result<()> {
    for _ in 0..ATTEMPTS_MAX {
        let player = db.player(team_id, player_id).consistent().await?;
        let Some((player, user_id)) =
            player.and_then(|player| Some((player.clone(), player.user_id?)))
        else {
            return Ok(());
        };
        if let Some(link) = db.player_link(&user_id, player_id).consistent().await? {
            if link.periods.iter().all(|period| period.to.is_some()) {
                let player_id = player_id.clone();
                report.conflicts.push(Conflict::LinkClosed { user_id, player_id });
            }
            return Ok(());
        }
        let Some(team) = db.team(team_id).consistent().await? else {
            let (team_id, player_id) = (team_id.clone(), player_id.clone());
            report.conflicts.push(Conflict::TeamMissing { team_id, player_id });
            return Ok(());
        };
        let mut link = first_link(&player, user_id);
        (link.team_name, link.team_type) = (team.name.clone(), Some(team.kind()));
        match db.transact().with(create(link)).with(edit(&player, |_| {})).await {
            Ok(_) => {
                report.player_links += 1;
                return Ok(());
            }
            Err(error) if was_changed(&error) => {}
            Err(error) => return Err(error),
        }
    }
    let row = format!("TEAM#{team_id} / PLAYER#{player_id}");
    report.conflicts.push(Conflict::Busy { row });
    Ok(())
}

/// The link of a player who is linked now: what nobody else had of the slot is the user's.
fn first_link(player: &Player, user_id: UserId) -> PlayerLink {
    PlayerLink {
        user_id,
        player_id: player.player_id.clone(),
        team_id: player.team_id.clone(),
        team_name: String::new(),
        team_type: None,
        periods: vec![Period { from: player.last_unlinked_at, to: None }],
        stamps: Stamps::default(),
    }
}
