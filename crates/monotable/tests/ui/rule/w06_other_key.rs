#[path = "../league.rs"]
mod league;
use league::*;

#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME", value = game_id)]
pub struct ActiveGame {
    pub team_id: TeamId,
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(rule = ActiveGame)]
#[key(pk = "TEAM#{team_id}", sk = "PLAYING")]
pub struct Playing {
    pub team_id: TeamId,
    pub game_id: PlayerId,
}

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(rule = Team)]
#[key(pk = "GAME#{team_id}", sk = "PLAYED")]
pub struct Played {
    pub team_id: TeamId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Playing);
        rules(ActiveGame);
    }
}

fn main() {}
