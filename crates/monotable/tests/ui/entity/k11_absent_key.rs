use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "SHIRT#{shirt:03}")]
pub struct Shirt {
    pub team_id: TeamId,
    #[immutable]
    pub shirt: Option<u8>,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "")]
pub struct Team {
    pub team_id: TeamId,
}

fn main() {}
