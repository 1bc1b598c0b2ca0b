use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W01))]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1: pk = "TEAMS", sk = "{team_id}", allow(I04, why = "few teams"))]
#[index(GSI2: pk = "TEAMS", sk = "{team_id}", allow(X99, because = "few teams"))]
#[unique(name, allow(U03, because = ""))]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
}

fn main() {}
