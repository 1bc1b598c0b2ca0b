//! Goals: recorded while a game is played, corrected later.

pub(crate) mod correction;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod quick;
pub(crate) mod quick_edit;
pub(crate) mod record;
pub(crate) mod undo;

use crate::api::prelude::*;
use crate::rules::clock::ShownTime;

/// A goal.
#[derive(View)]
#[view(of = Goal, list = "goals")]
pub(crate) struct GoalView {
    game_id: GameId,
    event_id: EventId,
    #[view(example = 1)]
    third: u8,
    /// Minutes since the third began, stoppage time included.
    #[view(example = 12)]
    game_minute: u16,
    #[view(flatten, absent)]
    time: ShownTime,
    /// null for an own goal.
    #[view(null, from = scored_by().cloned())]
    scoring_team_id: Option<TeamId>,
    conceding_team_id: TeamId,
    scorer_player_id: PlayerId,
    assist_player_ids: Vec<PlayerId>,
    own_goal: bool,
    recorded_by: Option<UserId>,
    #[view(stamps)]
    stamps: Stamps,
}

impl GoalView {
    /// Shows a goal of a game.
    pub(crate) fn of_game(goal: &Goal, third_length: u8) -> Self {
        Self { time: ShownTime::of(goal.game_minute, third_length), ..Self::of(goal) }
    }
}

impl Goal {
    /// Writes the minute as people see it.
    fn show_time(&mut self, third_length: u8) {
        let shown = ShownTime::of(self.game_minute, third_length);
        self.third_minute = Some(shown.third_minute);
        self.stoppage_minute = Some(shown.stoppage_minute);
        self.display_time = Some(shown.display_time);
    }

    /// Returns what an audit has of it, without personal data.
    fn summary(&self) -> [(&'static str, String); 6] {
        let ids = |ids: &[PlayerId]| ids.iter().map(PlayerId::as_str).collect::<Vec<_>>().join(" ");
        [
            ("time", format!("{}/{}", self.third, self.game_minute)),
            ("scoringTeamId", self.scored_by().map(ToString::to_string).unwrap_or_default()),
            ("concedingTeamId", self.conceding_team_id.to_string()),
            ("scorerPlayerId", self.scorer_player_id.to_string()),
            ("assistPlayerIds", ids(&self.assist_player_ids)),
            ("ownGoal", self.own_goal.to_string()),
        ]
    }
}
