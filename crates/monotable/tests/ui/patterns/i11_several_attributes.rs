#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CLUB")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = ["{region}", "{league}"], sk = ["{city}", "{name}"])]
#[index(GSI3: pk = "{region}", sk = "{wins}")]
pub struct Club {
    pub team_id: TeamId,
    pub region: TeamId,
    pub league: TeamId,
    pub city: TeamId,
    pub name: TeamId,
    pub wins: u16,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2((region, league), (city, name));
        index GSI3(region, wins);
        entities(Team, Player, Club);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI1, pk = "USER#{user_id}")]
    fn of_user(&self, user_id: &UserId) -> Rows<Player>;

    #[query(index = GSI2, pk = "{region}", sk = begins_with("{city}"))]
    fn part_of_the_partition(&self, region: &TeamId, city: &TeamId) -> Rows<Club>;
    #[query(index = GSI2, pk = ["{region}", "{league}"], sk = [begins_with("{city}"), "{name}"])]
    fn range_before_the_last(&self, region: &TeamId, league: &TeamId, city: &TeamId, name: &TeamId) -> Rows<Club>;
    #[query(index = GSI2, pk = ["{region}", "{league}"], sk = ["{city}", begins_with("{name}")])]
    fn sound(&self, region: &TeamId, league: &TeamId, city: &TeamId, name: &str) -> Rows<Club>;
    #[query(index = GSI3, pk = "{region}", sk = begins_with("1"))]
    fn with_wins(&self, region: &TeamId) -> Rows<Club>;
    #[get(pk = "TEAM#{team_id}")]
    fn half_a_key(&self, team_id: &TeamId) -> One<Team>;
}

fn main() {}
