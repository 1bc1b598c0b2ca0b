use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SessionId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "SESSION#{session_id}", sk = "METADATA")]
pub struct Session {
    pub session_id: SessionId,
    #[ttl]
    pub expires: Timestamp,
}

fn main() {}
