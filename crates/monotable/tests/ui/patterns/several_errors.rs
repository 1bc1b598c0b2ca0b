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

    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    async fn asynchronous(&self, team_id: &TeamId) -> One<Team>;
    #[get(pk = "TEAM#{teamid}", sk = "METADATA")]
    fn misspelt(&self, team_id: &TeamId) -> One<Team>;
    #[get(pk = "TEAM#{team_id}", sk = "METADATA", indx = GSI1, descending)]
    fn unknown_options(&self, team_id: &TeamId) -> One<Team>;
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn no_request(&self, team_id: &TeamId) -> Option<Team>;
    #[query(pk = "TEAM#{team_id}", allow(P03))]
    fn no_reason(&self, team_id: &TeamId) -> Rows<Player>;
    #[query(pk = "TEAM#{team_id}")]
    fn twice(&self, team_id: &TeamId) -> Rows<(Team, Team)>;
    #[batch_get]
    fn no_keys(&self, team_id: &TeamId) -> Many<Team>;
    fn no_attribute(&self) -> One<Team>;
}

// A pattern with an error is there all the same: its callers have none of their own.
pub fn caller(db: &Store<League>, team_id: &TeamId) -> One<Team> {
    db.misspelt(team_id)
}

fn main() {}
