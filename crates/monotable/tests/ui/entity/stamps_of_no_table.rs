use monotable::prelude::*;

ids!(TeamId);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stamps {
    pub version: u64,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

fn main() {}
