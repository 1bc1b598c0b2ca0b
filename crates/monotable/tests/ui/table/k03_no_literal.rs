#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "NOTE")]
#[key(pk = "TEAM#{team_id}", sk = "{day}")]
pub struct Note {
    pub team_id: TeamId,
    #[immutable]
    pub day: Date,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Note);
    }
}

fn main() {}
