#[path = "../league.rs"]
mod league;
use league::*;

#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct ActiveGame {
    pub team_id: TeamId,
}

#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "USER#{user_id}", sk = "GAMES")]
pub struct Games {
    pub user_id: UserId,
}

#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "USER#{user_id}", sk = "{name}")]
pub struct NamedLock {
    pub user_id: UserId,
    pub name: TeamId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
        rules(ActiveGame, Games, NamedLock);
    }
}

fn main() {}
