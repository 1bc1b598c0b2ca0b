#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "FIXTURE")]
#[key(pk = "TEAM#{team_id}", sk = "FIXTURE")]
pub struct Fixture {
    pub team_id: TeamId,
    #[copy(Team.name)]
    pub team_name: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Fixture);
    }
}

fn main() {}
