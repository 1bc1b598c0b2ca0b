use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "SHIRT#{shirt}")]
#[index(GSI1: pk = "TEAM#{team_id}", sk = "GOALS#{balance}#{team_id}")]
pub struct Shirt {
    pub team_id: TeamId,
    #[immutable]
    pub shirt: u32,
    pub balance: i64,
}

fn main() {}
