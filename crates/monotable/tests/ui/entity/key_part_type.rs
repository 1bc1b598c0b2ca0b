use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Colour(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1, pk = "COLOUR#{colour}", sk = "{team_id}")]
pub struct Team {
    pub team_id: TeamId,
    pub colour: Colour,
}

fn main() {}
