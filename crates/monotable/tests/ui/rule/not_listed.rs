#[path = "../league.rs"]
mod league;
use league::*;

#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    pub team_id: TeamId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
    }
}

async fn play(db: Store<League>, team_id: TeamId) {
    let _ = db.run(ActiveGame { team_id }.guard().hold("g1"));
}

fn main() {}
