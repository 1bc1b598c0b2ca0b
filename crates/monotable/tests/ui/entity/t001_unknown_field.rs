use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlayerId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{playerid}")]
#[index(GSI1: pk = "SEASON#{season}", sk = "PLAYER#{player_id}")]
#[index(GSI2: pk = "ALL#{shard}", sk = "{player_id}", shards = 4, by = teamId)]
#[unique(nubmer)]
pub struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub number: u8,
}

fn main() {}
