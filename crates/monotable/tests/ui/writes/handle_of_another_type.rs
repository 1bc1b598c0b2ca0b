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

async fn join(db: &Store<League>, team: Team, player: Player) -> monotable::model::Result<Team> {
    let mut tx = db.transact();
    let team_handle: Handle<Team> = tx.add(create(player));
    let player = tx.add(delete(&team));
    let done = tx.commit().await?;
    let _: &Player = &done[player];
    let _: &Team = &done[0];
    Ok(done[team_handle].clone())
}

fn main() {}
