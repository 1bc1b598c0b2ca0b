#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK);
        index GSI2(GSI2PK);
        index GSI3(GSI3PK);
        index GSI4(GSI4PK);
        index GSI5(GSI5PK);
        index GSI6(GSI6PK);
        index GSI7(GSI7PK);
        index GSI8(GSI8PK);
        index GSI9(GSI9PK);
        index GSI10(GSI10PK);
        index GSI11(GSI11PK);
        index GSI12(GSI12PK);
        index GSI13(GSI13PK);
        index GSI14(GSI14PK);
        index GSI15(GSI15PK);
        index GSI16(GSI16PK);
        index GSI17(GSI17PK);
        index GSI18(GSI18PK);
        index GSI19(GSI19PK);
        index GSI20(GSI20PK);
        index GSI21(GSI21PK);
        allow(I03, because = "not the point here");
        entities(Team);
    }
}

fn main() {}
