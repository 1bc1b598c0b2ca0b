//! A mistake in a declaration is told once, however often what is declared is used.
use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(u64);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA#{rating}")]
#[index(GSI1: pk = "TEAMS", sk = "NAME#{nme}")]
pub struct Team {
    pub team_id: TeamId,
    pub rating: f64,
    pub name: String,
    #[counter]
    pub wins: u64,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Player {
    pub team_id: TeamId,
    #[copy(Team.name)]
    pub team: String,
}

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "FAN#{name}")]
pub struct Fan {
    pub team_id: TeamId,
    #[immutable]
    pub name: String,
    #[copy(Team.name)]
    pub team: String,
}

#[derive(Aggregate, Debug)]
pub struct TeamPage {
    pub team: Team,
    pub other: Team,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        entities(Team, Player, Fan);
        patterns(LeagueReads);
    }
}

#[access_patterns(League)]
pub trait LeagueReads {
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;

    #[query(index = GSI1, pk = "TEAMS", sk = begins_with("NAME#{text}"))]
    fn named(&self, text: &str) -> Rows<Team>;

    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn players(&self, team_id: &TeamId, #[filter] team: &str) -> Rows<(Team, Player)>;

    #[query(pk = "TEAM#{team_id}")]
    fn page(&self, team_id: &TeamId) -> Fold<TeamPage>;
}

pub async fn rename(db: &Store<League>, team: Team) -> Result<(), monotable::model::Error> {
    let key = TeamKey::new(team.team_id.clone(), team.rating);
    let change = Team::update(&key).name("Reds".to_owned()).add_wins(1);
    db.update(change.when(team::name().exists()).or_create()).await?;
    db.edit(team, |team| team.name = "Blues".to_owned()).await?;
    let mut keys = std::collections::BTreeSet::from([key]);
    keys.retain(|key| format!("{key:?}").is_empty());
    db.page(&TeamId::generate()).await?;
    Ok(())
}

fn main() {}
