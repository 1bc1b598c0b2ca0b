//! Entities that the tests of messages share. They keep every rule.
#![allow(dead_code, unused_imports)]

pub use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PlayerId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserId(String);

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "TEAM")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "PLAYER")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI1: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub user_id: Option<UserId>,
    pub number: Option<u8>,
}
