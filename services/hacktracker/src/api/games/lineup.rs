//! The players of a lineup, compared with the roster of the team.

use std::collections::BTreeSet;

use monotable::model;

use crate::api::prelude::*;

/// Returns the players of a lineup who are not eligible players of a team.
pub(super) async fn missing(
    app: &App,
    team_id: &TeamId,
    lineup: &[PlayerId],
    counts: impl Fn(&Player) -> bool,
) -> Result<Vec<PlayerId>, Problem> {
    if lineup.is_empty() {
        return Ok(Vec::new());
    }
    let roster = app.db.roster(team_id).consistent().all().await?;
    let known: BTreeSet<&PlayerId> =
        roster.iter().filter(|player| counts(player)).map(|player| &player.player_id).collect();
    Ok(lineup.iter().filter(|id| !known.contains(id)).cloned().collect())
}

fn can_play(player: &Player) -> bool {
    player.status != PlayerStatus::Inactive
}

/// Checks that the players of a lineup are eligible to play for a team.
///
/// # Errors
///
/// Returns 400 `PLAYER_NOT_ON_TEAM` with the players who are not.
pub(super) async fn check(app: &App, team_id: &TeamId, lineup: &[PlayerId]) -> Result<(), Problem> {
    let strangers = missing(app, team_id, lineup, can_play).await?;
    if strangers.is_empty() { Ok(()) } else { Err(not_on_team(&strangers)) }
}

/// Checks that a game has a lineup with which it can be played.
///
/// # Errors
///
/// Returns 409 `LINEUP_REQUIRED` if a team with a roster has no lineup, or one with players who are
/// not eligible.
pub(super) async fn require_playable(
    app: &App,
    kind: TeamType,
    game: &Game,
) -> Result<(), Problem> {
    if kind == TeamType::Managed && game.lineup.is_empty() {
        return Err(Refusal::LineupRequired.into());
    }
    let strangers = missing(app, &game.team_id, &game.lineup, can_play).await?;
    if strangers.is_empty() {
        return Ok(());
    }
    let text = "The lineup has players who can't play for the team any more.";
    Err(Refusal::LineupRequired.text(text).with("playerIds", json!(strangers)))
}

/// The effect of a change of a game on the rows of players.
pub(super) struct PlayerChanges<'a> {
    /// The players who were counted so far.
    pub(super) before: &'a [PlayerId],
    /// The players to be counted.
    pub(super) after: &'a [PlayerId],
    /// The players who must be eligible when the change is made.
    pub(super) playing: &'a [PlayerId],
}

impl PlayerChanges<'_> {
    /// Adds the changes to a transaction. The row of a counted player is changed, so that a
    /// concurrent removal of the player fails.
    pub(super) fn add_to(&self, tx: &mut Change<'_>, team_id: &TeamId) {
        let players: BTreeSet<&PlayerId> =
            [self.before, self.after, self.playing].into_iter().flatten().collect();
        for player_id in players {
            let key = PlayerKey::new(team_id.clone(), player_id.clone());
            let plays = || player::status().ne(PlayerStatus::Inactive);
            let must_play = self.playing.contains(player_id);
            let by = i64::from(self.after.contains(player_id))
                - i64::from(self.before.contains(player_id));
            match (by, must_play) {
                (0, false) => continue,
                (0, true) => tx.add(model::check(&key, plays())),
                (by, false) => tx.add(Player::update(&key).add_lineups(by)),
                (by, true) => tx.add(Player::update(&key).add_lineups(by).when(plays())),
            };
        }
    }
}
