#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "AWARD")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#AWARD#{player_id}")]
pub struct Award {
    pub team_id: TeamId,
    pub player_id: PlayerId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "not the point here");
        entities(Player, Award);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
}

fn main() {}
