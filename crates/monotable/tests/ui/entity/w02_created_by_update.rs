use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W02, because = "the first event of a team makes its row"))]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    pub city: Option<String>,
    #[serde(default)]
    pub colours: Vec<String>,
    #[counter]
    pub events: u64,
}

fn main() {}
