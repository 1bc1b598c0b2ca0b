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

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum State {
    Signed,
    Retired,
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CONTRACT")]
#[key(pk = "TEAM#{team_id}", sk = "CONTRACT#{state}#{number:03}")]
pub struct Contract {
    pub team_id: TeamId,
    #[immutable]
    pub state: State,
    #[immutable]
    pub number: u8,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Shirt, Contract);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(pk = "TEAM#{team_id}", sk = "SHIRT#{number}"..)]
    fn shirts_from(&self, team_id: &TeamId, number: u8) -> Rows<Shirt>;

    #[query(pk = "TEAM#{team_id}", sk = "SHIRT#{day}"..)]
    fn shirts_since(&self, team_id: &TeamId, day: Date) -> Rows<Shirt>;

    #[query(pk = "TEAM#{team_id}", sk = "CONTRACT#Signed#{number}"..)]
    fn signed_from(&self, team_id: &TeamId, number: u8) -> Rows<Contract>;
}

fn main() {}
