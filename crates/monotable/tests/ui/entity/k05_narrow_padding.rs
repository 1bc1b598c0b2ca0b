use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}", sk = "MINUTE#{minute:04}")]
pub struct Goal {
    pub game_id: GameId,
    #[immutable]
    pub minute: u32,
}

fn main() {}
