#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        entities(Team, Player);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI1, pk = "USER#{user_id}")]
    fn of_user(&self, user_id: &UserId) -> Rows<Player>;

    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<(Team, Player)>;
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn filtered(&self, team_id: &TeamId, #[filter] shirt: u8) -> Rows<Player>;
}

fn main() {}
