use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Field(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI1: pk = "FIELD#{field}", sk = "GAME#{date}#{field}")]
pub struct Game {
    pub game_id: GameId,
    pub date: Date,
    pub field: Field,
    #[counter]
    pub runs: u64,
}

fn move_to(key: &GameKey, date: Date) {
    let _ = Game::update(key).date(date);
    let _ = Game::update(key).runs(3);
}

fn main() {}
