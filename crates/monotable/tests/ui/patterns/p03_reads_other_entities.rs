#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "SEAT")]
#[key(pk = "BUS#{team_id}", sk = "ROW#{player_id}")]
#[mirror(pk = "BUS#{team_id}", sk = "SEAT#{player_id}")]
pub struct Seat {
    pub team_id: TeamId,
    pub player_id: PlayerId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        entities(Team, Player, Seat);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI1, pk = "USER#{user_id}")]
    fn of_user(&self, user_id: &UserId) -> Rows<Player>;

    #[query(pk = "TEAM#{team_id}")]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;

    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#{player_id}"))]
    fn player(&self, team_id: &TeamId, player_id: &PlayerId) -> Rows<Player>;

    #[query(pk = "BUS#{team_id}")]
    fn seats(&self, team_id: &TeamId) -> Rows<Seat>;
}

fn main() {}
