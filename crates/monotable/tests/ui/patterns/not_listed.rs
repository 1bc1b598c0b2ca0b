#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
}

fn main() {}
