use std::collections::BTreeMap;

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    #[serde(flatten)]
    pub rest: BTreeMap<String, String>,
    #[version]
    pub ver: u64,
}

fn main() {}
