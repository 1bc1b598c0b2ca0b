#[path = "../league.rs"]
mod league;
use league::*;

#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "TEAM#{team_id}", sk = "PLAYER#COUNT")]
pub struct PlayerCount {
    pub team_id: TeamId,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK) allow(I03, because = "not the point here");
        entities(Player);
        rules(PlayerCount);
        patterns(LeagueReads);
        allow(K01, because = "not the point here");
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    /// The roster.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
}

fn main() {}
