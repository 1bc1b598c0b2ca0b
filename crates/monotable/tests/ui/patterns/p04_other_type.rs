#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "read by another service");
        entities(Team, Player);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &UserId) -> One<Team>;

    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn with_number(&self, team_id: &TeamId, #[filter] number: &str) -> Rows<Player>;

    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn of_user(&self, team_id: &TeamId, #[filter(user_id)] user: &PlayerId) -> Rows<Player>;

    #[query(
        pk = "TEAM#{team_id}",
        sk = begins_with("PLAYER#"),
        allow(P04, because = "users and teams have the same ids")
    )]
    fn of_owner(&self, team_id: &UserId) -> Rows<Player>;
}

fn main() {}
