#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "TEAM")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
pub struct Club {
    pub team_id: TeamId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Club);
    }
}

fn main() {}
