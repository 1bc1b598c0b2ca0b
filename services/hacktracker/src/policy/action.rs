//! Actions, and the roles and teams that they are for.

use monotable_kit::Policy;

use crate::table::{Role, TeamType};

/// What is done to a team, as far as roles decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the team, its roster, games, at-bats and statistics.
    View,
    /// Rename a team.
    RenameTeam,
    /// Describe a team.
    DescribeTeam,
    /// Add, change, link and remove players.
    ManageRoster,
    /// Give the own roster slot up.
    UnlinkSelf,
    /// Delete a team and bring it back.
    DeleteTeam,
    /// Make somebody else the owner.
    TransferTeam,
    /// Give members other roles.
    ChangeRoles,
    /// Remove members.
    RemoveMembers,
    /// Invite people, see invitations and take them back.
    Invite,
    /// Begin seasons.
    ManageSeasons,
    /// Create, change, start and finish games.
    ManageGames,
    /// Delete a game that is not final.
    DeleteGame,
    /// Delete, reopen or correct a final game.
    CorrectFinal,
    /// Record and change at-bats.
    ManageAtBats,
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::View,
        Self::RenameTeam,
        Self::DescribeTeam,
        Self::ManageRoster,
        Self::UnlinkSelf,
        Self::DeleteTeam,
        Self::TransferTeam,
        Self::ChangeRoles,
        Self::RemoveMembers,
        Self::Invite,
        Self::ManageSeasons,
        Self::ManageGames,
        Self::DeleteGame,
        Self::CorrectFinal,
        Self::ManageAtBats,
    ];

    /// Whether it can be done to a team that is one person's own. Such a team has one member and one
    /// player for as long as it lives, but may have another name.
    pub fn suits(self, kind: TeamType) -> bool {
        match self {
            Self::View
            | Self::RenameTeam
            | Self::ManageSeasons
            | Self::ManageGames
            | Self::DeleteGame
            | Self::CorrectFinal
            | Self::ManageAtBats => true,
            Self::DescribeTeam
            | Self::ManageRoster
            | Self::UnlinkSelf
            | Self::DeleteTeam
            | Self::TransferTeam
            | Self::ChangeRoles
            | Self::RemoveMembers
            | Self::Invite => kind == TeamType::Managed,
        }
    }
}

/// What each role may do in its team.
pub const POLICY: Policy<Action, Role> = {
    use Role::{Manager, Owner, Player, Scorekeeper};
    Policy::new(&[
        (Action::View, &[Owner, Manager, Scorekeeper, Player]),
        (Action::RenameTeam, &[Owner, Manager]),
        (Action::DescribeTeam, &[Owner, Manager]),
        (Action::ManageRoster, &[Owner, Manager]),
        (Action::UnlinkSelf, &[Owner, Manager, Scorekeeper, Player]),
        (Action::DeleteTeam, &[Owner]),
        (Action::TransferTeam, &[Owner]),
        (Action::ChangeRoles, &[Owner]),
        (Action::RemoveMembers, &[Owner, Manager]),
        (Action::Invite, &[Owner, Manager]),
        (Action::ManageSeasons, &[Owner, Manager]),
        (Action::ManageGames, &[Owner, Manager, Scorekeeper]),
        (Action::DeleteGame, &[Owner, Manager, Scorekeeper]),
        (Action::CorrectFinal, &[Owner, Manager]),
        (Action::ManageAtBats, &[Owner, Manager, Scorekeeper]),
    ])
};

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn roles_may_do_what_the_table_says() {
        let roles = [Role::Owner, Role::Manager, Role::Scorekeeper, Role::Player];
        expect![[r#"
            | | Owner | Manager | Scorekeeper | Player |
            |---|---|---|---|---|
            | View | yes | yes | yes | yes |
            | RenameTeam | yes | yes | | |
            | DescribeTeam | yes | yes | | |
            | ManageRoster | yes | yes | | |
            | UnlinkSelf | yes | yes | yes | yes |
            | DeleteTeam | yes | | | |
            | TransferTeam | yes | | | |
            | ChangeRoles | yes | | | |
            | RemoveMembers | yes | yes | | |
            | Invite | yes | yes | | |
            | ManageSeasons | yes | yes | | |
            | ManageGames | yes | yes | yes | |
            | DeleteGame | yes | yes | yes | |
            | CorrectFinal | yes | yes | | |
            | ManageAtBats | yes | yes | yes | |
        "#]]
        .assert_eq(&POLICY.document(&Action::ALL, &roles));
    }

    #[test]
    fn a_personal_team_takes_games_and_another_name() {
        let suits = |action: &&Action| action.suits(TeamType::Personal);
        let personal: Vec<_> = Action::ALL.iter().filter(suits).collect();
        expect![
            "[View, RenameTeam, ManageSeasons, ManageGames, DeleteGame, CorrectFinal, ManageAtBats]"
        ]
        .assert_eq(&format!("{personal:?}"));
        assert!(Action::ALL.iter().all(|action| action.suits(TeamType::Managed)));
    }
}
