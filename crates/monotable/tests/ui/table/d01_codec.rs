#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "LOG", codec = envelope("data"))]
#[key(pk = "TEAM#{team_id}", sk = "LOG")]
pub struct Log {
    pub team_id: TeamId,
    pub text: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        codec = plain;
        entities(Team, Log);
    }
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(codec = envelope("data"))]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
pub struct Game {
    pub game_id: TeamId,
    #[top]
    pub data: String,
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(codec = envelope("data"))]
#[key(pk = "SCORE#{game_id}", sk = "METADATA")]
#[index(ByRuns: pk = "{game_id}", sk = "{runs}")]
pub struct Score {
    pub game_id: TeamId,
    pub runs: u32,
}

table! {
    pub Games {
        name = "games";
        key(PK, SK);
        type_attribute = ItemType;
        index ByRuns(game_id, runs) allow(I03, because = "not the point here");
        entities(Game, Score);
    }
}

fn main() {}
