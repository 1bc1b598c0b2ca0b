#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CLUB")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = "NAME#{name}")]
pub struct Club {
    pub team_id: TeamId,
    pub name: String,
    pub city: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK) projection(include(ItemType));
        entities(Team, Player, Club);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI1, pk = "USER#{user_id}")]
    fn of_user(&self, user_id: &UserId) -> Rows<Player>;

    #[query(index = GSI2, pk = "NAME#{name}")]
    fn named(&self, name: &str) -> Rows<Club>;
}

fn main() {}
