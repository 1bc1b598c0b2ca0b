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

fn change(db: &Store<League>, team: &Team) {
    let mut tx = db.transact();
    tx.add(create(team.clone()).when(league::team::name().absent()));
    tx.add(put(team.clone()));
    tx.add(edit(team, |team| team.name = "Pioneers".into()));
    tx.add(delete(team).when(league::player::number().absent()));
}

fn main() {}
