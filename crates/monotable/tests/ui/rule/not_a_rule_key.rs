#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
        rules(TeamId);
    }
}

fn main() {}
