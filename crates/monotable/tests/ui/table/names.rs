#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "t1";
        key(PK);
        type_attribute = PK;
        index G1(G1PK);
        index "by region"(region);
        index GSI3(region, region);
        local index LSI1(city);
        entities(Team);
    }
}

fn main() {}
