//! Rows that exist before the first request: teams with their members and players, and games of
//! older programs.

use monotable::dynamodb::PutItem;
use monotable::item;
use monotable_hacktracker::table::{
    Membership, MembershipStatus, Period, Player, PlayerId, PlayerLink, PlayerStatus, Role, Stamps,
    Team, TeamId, TeamType, UserId,
};

use super::World;

/// Writes rows that exist before the first request.
pub(crate) trait Rows {
    /// Creates a team with its members and this many players, `red-1` and so on; the first is
    /// linked to the owner.
    async fn team(&self, name: &str, kind: TeamType, members: &[(&str, Role)], players: usize);

    /// Creates a game of the team `red` as an older program wrote it.
    fn old_game(&self, game: &str, status: &str, start: &str);
}

impl Rows for World {
    async fn team(&self, name: &str, kind: TeamType, members: &[(&str, Role)], players: usize) {
        let now = self.app.db.now();
        let team_id = TeamId::new(name).unwrap();
        let owner_id = UserId::new(members[0].0).unwrap();
        let team = Team {
            team_id: team_id.clone(),
            name: if kind == TeamType::Personal { "Default".into() } else { name.into() },
            description: None,
            owner_id: owner_id.clone(),
            team_type: Some(kind),
            is_personal: None,
            status: None,
            deleted_at: None,
            purge_after: None,
            recovery_token: None,
            list_shard: Default::default(),
            stamps: Stamps::default(),
        };
        self.app.db.create(&team).await.unwrap();
        for (user, role) in members {
            let membership = Membership {
                user_id: UserId::new(*user).unwrap(),
                team_id: team_id.clone(),
                role: *role,
                status: MembershipStatus::Active,
                joined_at: now,
                invited_by: None,
                stamps: Stamps::default(),
            };
            self.app.db.create(&membership).await.unwrap();
        }
        for number in 1..=players {
            let user_id = (number == 1).then(|| owner_id.clone());
            player(self, &team_id, &format!("{name}-{number}"), user_id).await;
        }
        let link = PlayerLink {
            user_id: owner_id,
            player_id: PlayerId::new(format!("{name}-1")).unwrap(),
            team_id,
            team_name: team.name,
            team_type: Some(kind),
            periods: vec![Period { from: None, to: None }],
            stamps: Stamps::default(),
        };
        self.app.db.create(&link).await.unwrap();
    }

    fn old_game(&self, game: &str, status: &str, start: &str) {
        let row = item! {
            "PK" => format!("GAME#{game}"), "SK" => "METADATA",
            "gameId" => game, "teamId" => "red", "status" => status, "scheduledStart" => start,
            "createdAt" => "2026-12-01T10:00:00.123456+00:00",
            "updatedAt" => "2026-12-01T10:00:00.123456+00:00",
            "GSI2PK" => "ENTITY#GAME", "GSI2SK" => format!("METADATA#{game}"),
            "GSI3PK" => "TEAM#red", "GSI3SK" => format!("GAME#{game}"),
        };
        self.database.put_item(PutItem::new("hacktracker-dev", row)).unwrap();
    }
}

async fn player(world: &World, team_id: &TeamId, name: &str, user_id: Option<UserId>) {
    let now = world.app.db.now();
    let player = Player {
        team_id: team_id.clone(),
        player_id: PlayerId::new(name).unwrap(),
        is_ghost: user_id.is_none(),
        linked_at: user_id.as_ref().map(|_| now),
        user_id,
        first_name: name.into(),
        last_name: None,
        player_number: None,
        positions: Vec::new(),
        status: PlayerStatus::Active,
        named_by_manager: None,
        named_by: None,
        last_unlinked_at: None,
        pa_count: Some(0),
        lineups: 0,
        stamps: Stamps::default(),
    };
    world.app.db.create(&player).await.unwrap();
}
