use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1: pk = "OWNER#{owner_id}", sk = "TEAM#{team_id}")]
pub struct Team {
    pub team_id: TeamId,
    pub owner_id: Option<UserId>,
}

fn main() {}
