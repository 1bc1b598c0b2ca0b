#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "LOG", codec = envelope("data"))]
#[key(pk = "TEAM#{team_id}", sk = "LOG")]
pub struct Log {
    pub team_id: TeamId,
    pub text: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        codec = plain;
        entities(Team, Log);
    }
}

fn main() {}
