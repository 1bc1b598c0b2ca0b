#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "COACH")]
#[key(pk = "COACH#{player_id}", sk = "METADATA")]
#[index(GSI1: pk = "COACH#{player_id}")]
pub struct Coach {
    pub player_id: PlayerId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "not the point here");
        entities(Coach);
    }
}

fn main() {}
