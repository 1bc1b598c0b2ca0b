//! A user's own statistics across teams: those of players while they were linked to the user, in
//! former and deleted teams, too.

use monotable_kit::View;

use super::batting::{BattingLine, line_of, total};
use super::log::GameLog;
use super::scope::Scope;
use crate::table::{AtBat, PlayerId, PlayerLink, TeamId, TeamType};

/// The part of a career that counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// Only this team.
    pub team: Option<TeamId>,
    /// Only teams of this type.
    pub team_type: Option<TeamType>,
    /// Only these games.
    pub scope: Scope,
}

/// A user's own statistics.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Career {
    /// The games in which the user batted or scored.
    #[view(example = 3)]
    pub games: u64,
    /// All teams.
    pub totals: BattingLine,
    /// Each roster slot.
    pub teams: Vec<Stint>,
}

/// The statistics of one roster slot.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Stint {
    /// The team.
    #[view(example = "t1")]
    pub team_id: TeamId,
    /// Its name when the slot was linked to the user.
    #[view(example = "Seattle Sluggers")]
    pub team_name: String,
    /// The type of the team.
    #[view(name = "team_type")]
    pub team_type: Option<TeamType>,
    /// The slot.
    #[view(example = "p1")]
    pub player_id: PlayerId,
    /// The games in which the user batted or scored.
    #[view(example = 3)]
    pub games: u64,
    /// The figures.
    pub line: BattingLine,
}

/// Returns the career of the user with these links. The logs are those of all games in which one of
/// the players has a plate appearance, each with the plate appearances of all players, because runs
/// are also scored on those of other players.
pub fn career(links: &[PlayerLink], logs: &[GameLog], filter: &Filter) -> Career {
    let wanted = links.iter().filter(|link| {
        filter.team.as_ref().is_none_or(|team| link.team_id == *team)
            && filter.team_type.is_none_or(|kind| link.team_type == Some(kind))
    });
    let teams: Vec<Stint> = wanted.map(|link| stint(link, logs, filter)).collect();
    Career {
        games: teams.iter().map(|stint| stint.games).sum(),
        totals: total(teams.iter().map(|stint| &stint.line)),
        teams,
    }
}

fn stint(link: &PlayerLink, logs: &[GameLog], filter: &Filter) -> Stint {
    let mut games = 0;
    let mut line = BattingLine::default();
    for log in logs.iter().filter(|log| filter.scope.has(&log.game)) {
        let is_own = |at_bat: &&AtBat| link.covers(at_bat.played_at());
        let part = line_of(&link.player_id, log.at_bats.iter().filter(is_own));
        if part != BattingLine::default() {
            games += 1;
            line += part;
        }
    }
    Stint {
        team_id: link.team_id.clone(),
        team_name: link.team_name.clone(),
        team_type: link.team_type,
        player_id: link.player_id.clone(),
        games,
        line,
    }
}
