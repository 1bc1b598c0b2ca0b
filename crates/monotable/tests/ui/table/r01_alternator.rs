#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CLUB")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
#[unique(name)]
pub struct Club {
    pub team_id: TeamId,
    pub name: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        targets(embedded, alternator);
        entities(Club);
    }
}

fn main() {}
