#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "REFEREE")]
#[key(pk = "REFEREE#{player_id}", sk = "METADATA")]
#[index(GSI2: pk = "{player_id}", sk = "{number}")]
pub struct Referee {
    pub player_id: PlayerId,
    pub number: UserId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "not the point here");
        index GSI2(player_id, number) allow(I03, because = "not the point here");
        entities(Player, Referee);
    }
}

fn main() {}
