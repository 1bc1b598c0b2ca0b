#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "SHIRT")]
#[key(pk = "TEAM#{team_id}", sk = "SHIRT#{number:03}")]
pub struct Shirt {
    pub team_id: TeamId,
    #[immutable]
    pub number: u8,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Shirt);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(pk = "TEAM#{team_id}", sk = "SHIRT#{number}"..)]
    fn shirts_from(&self, team_id: &TeamId, number: u8) -> Rows<Shirt>;

    #[query(pk = "TEAM#{team_id}", sk = "SHIRT#{day}"..)]
    fn shirts_since(&self, team_id: &TeamId, day: Date) -> Rows<Shirt>;
}

fn main() {}
