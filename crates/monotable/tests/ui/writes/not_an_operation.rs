#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "no pattern here");
        entities(Team, Player);
    }
}

fn save(db: &Store<League>, team: Team) {
    let _ = db.run(team.clone());
    let mut tx = db.transact();
    tx.add(team);
}

fn main() {}
