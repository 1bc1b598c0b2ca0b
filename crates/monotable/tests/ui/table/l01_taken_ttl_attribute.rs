#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CACHE")]
#[key(pk = "CACHE#{user_id}", sk = "METADATA")]
pub struct CacheLine {
    pub user_id: UserId,
    pub ttl: u64,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        ttl = ttl;
        entities(CacheLine);
    }
}

fn main() {}
