use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1: pk = "TEAMS", sk = "RATING#{rating}")]
pub struct Team {
    pub team_id: TeamId,
    pub rating: f64,
}

fn main() {}
