#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Aggregate)]
pub struct TeamView {
    pub team: Team,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(pk = "TEAM#{team_id}", items_max = 10)]
    fn folded(&self, team_id: &TeamId) -> Fold<Team>;
    #[query(pk = "TEAM#{team_id}")]
    fn views(&self, team_id: &TeamId) -> Rows<TeamView>;
}

fn main() {}
