#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[entity(type = "CLUB")]
#[key(pk = "CLUB#{team_id}", sk = "METADATA")]
#[index(GSI2: pk = "CLUBS#{shard}", sk = "{team_id}", shards = 4, by = team_id)]
#[index(GSI3: pk = "YEAR#{year:05}", sk = "{team_id}")]
pub struct Club {
    pub team_id: TeamId,
    pub year: u16,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        entities(Club);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[query(index = GSI2, pk = "CLUBS#{shard}", shards = 3)]
    fn too_few(&self) -> Rows<Club>;

    #[query(index = GSI2, pk = "CLUBS#{number}")]
    fn only_one(&self, number: u8) -> Rows<Club>;

    #[query(index = GSI3, pk = "YEAR#{shard}", shards = 4)]
    fn not_spread(&self) -> Rows<Club>;
}

fn main() {}
