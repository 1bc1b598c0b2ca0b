#[path = "../league.rs"]
mod league;
use league::*;

#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{teamid}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    pub team_id: TeamId,
}

#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "RATE#{user_id}", sk = "CALLS")]
pub struct Calls {
    pub user_id: UserId,
}

#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "LOCK#{name}#{user_id}", sk = "LOCK")]
pub struct NamedLock {
    pub name: String,
    pub user_id: UserId,
}

#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "SCORE#{score}", sk = "COUNT")]
pub struct Scores {
    pub score: f64,
}

fn main() {}
