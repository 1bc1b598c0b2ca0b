#[path = "../league.rs"]
mod league;
use league::*;

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        entities(Team, Player);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI1, pk = "USER#{user_id}")]
    fn of_user(&self, user_id: &UserId) -> Rows<Player>;

    #[query(pk = "TEAM#{team_id}")]
    fn everything(&self, team_id: &TeamId) -> All<(Team, Player)>;
    #[query(pk = "TEAM#{team_id}", limit = 25, rows = Limited)]
    fn a_limit_is_of_one_request(&self, team_id: &TeamId) -> All<(Team, Player)>;
    #[query(pk = "TEAM#{team_id}")]
    fn as_one_value(&self, team_id: &TeamId) -> Fold<TeamView>;
    #[query(pk = "TEAM#{team_id}", rows = TeamAndPlayers, allow(P05, because = "a roster has 30 slots"))]
    fn with_a_reason(&self, team_id: &TeamId) -> All<(Team, Player)>;
}

#[derive(Aggregate)]
pub struct TeamView {
    pub team: Team,
    pub players: Vec<Player>,
}

fn main() {}
