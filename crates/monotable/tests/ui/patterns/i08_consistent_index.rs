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

    #[query(index = GSI1, pk = "USER#{user_id}", consistent)]
    fn players_of(&self, user_id: &UserId) -> Rows<Player>;
}

fn main() {}
