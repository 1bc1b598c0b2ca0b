#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "SESSION")]
#[key(pk = "SESSION#{user_id}", sk = "METADATA")]
pub struct Session {
    pub user_id: UserId,
    #[ttl]
    pub expires: EpochSeconds,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        ttl = ttl;
        entities(Session);
    }
}

fn main() {}
