#[path = "../league.rs"]
mod league;
use league::*;

pub struct Coach;

pub trait LeagueReads {}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Coach);
        patterns(LeagueReads);
    }
}

fn main() {}
