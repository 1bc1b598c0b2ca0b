use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId(String);

/// Stands for the type of another library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DateTime(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI1: pk = "GAMES", sk = "START#{start}")]
pub struct Game {
    pub game_id: GameId,
    pub start: DateTime,
}

fn main() {}
