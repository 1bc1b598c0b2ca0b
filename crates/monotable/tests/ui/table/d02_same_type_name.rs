#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "TEAM")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
pub struct Club {
    pub team_id: TeamId,
}

mod other {
    use crate::league::*;

    #[derive(Entity, Clone, Debug, Serialize, Deserialize)]
    #[entity(type = "OTHER_TEAM")]
    #[key(pk = "OTHER#{team_id}", sk = "METADATA")]
    pub struct Team {
        pub team_id: TeamId,
    }
}
use other::Team as OtherTeam;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team, Club, OtherTeam);
    }
}

fn main() {}
