use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[unique(name)]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    #[ttl]
    pub expires: EpochSeconds,
}

fn main() {}
