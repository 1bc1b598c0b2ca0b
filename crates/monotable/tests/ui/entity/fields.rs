#![allow(unreachable_patterns)]
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1: pk = "TEAMS", sk = "WINS#{wins:020}")]
#[index(GSI1: pk = "TEAMS#{shard}", sk = "{team_id}")]
#[unique(name, pk = "NAME#{team_id}", sk = "TEAM")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    #[counter]
    pub wins: u64,
    #[counter]
    pub rating: f32,
    #[version]
    pub ver: u32,
    #[updated]
    #[version]
    pub changed: u64,
    #[top]
    pub status: String,
    #[value]
    pub value: String,
    #[key_only]
    pub lost: String,
    #[serde(rename = "name")]
    pub title: String,
}

fn main() {}
