#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "my league";
        key(PK, SK, TK);
        key(PK, SK);
        type_atribute = ItemType;
        index GSI1;
        index GSI2(GSI2PK, GSI2SK) projection(some);
        index GSI3(GSI3PK) allow(I03);
        index GSI3(GSI3PK, GSI3SK);
        index GSI4(GSI4PK) projected(all);
        local GSI5(SK2);
        targets(embedded, aws);
        codec = json;
        entities(Team, Player, league::Team);
    }
}

fn main() {}
