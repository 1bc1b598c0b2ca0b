#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "COACH")]
#[key(pk = "TEAM#{team_id}", sk = "COACH#{player_id}")]
#[index(Inverted: pk = "PERSON#{player_id}", sk = "TEAM#{team_id}")]
pub struct Coach {
    pub team_id: TeamId,
    pub player_id: PlayerId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index Inverted(SK, PK);
        entities(Coach);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = Inverted, pk = "PERSON#{player_id}")]
    fn teams_of(&self, player_id: &PlayerId) -> Rows<Coach>;
}

fn main() {}
