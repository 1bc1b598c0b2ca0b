use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(colour = "red")]
#[key(pk = "TEAM#{team_id")]
#[index(pk = "TEAMS")]
#[index(GSI1: pk = "TEAMS", pk = "CLUBS", sk = "{team_id}")]
#[index(GSI2: pk = "TEAMS#{shard}", sk = "{team_id}", shards = 8)]
#[index(GSI3, sparse, pk = "TEAMS", sk = "{team_id}")]
#[unique(name = "name")]
#[mirror(TeamFacet, pk = "FACET#{team_id}")]
pub struct Team {
    pub team_id: TeamId,
    #[version]
    #[version]
    pub ver: u64,
    #[copy(league)]
    pub league: String,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Nobody {
    pub team_id: TeamId,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{id:3}", sk = "METADATA")]
pub struct Tuple(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM", sk = "METADATA")]
pub enum Either {
    Left,
    Right,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{id}", sk = "METADATA")]
pub struct Generic<T> {
    pub id: T,
}

fn main() {}
