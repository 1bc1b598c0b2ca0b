use monotable::prelude::*;

ids!(TeamId);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    #[stamps]
    #[serde(skip)]
    pub stamps: Times,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        stamps Times(created = createdAt);
        entities(Team);
    }
}

fn rename(db: &Store<League>, team: Team) {
    let _ = db.edit(team, |team| team.name = "Pioneers".into());
}

fn changed(team: &TeamKey) -> impl Sized {
    Team::update(team).when(team::updated().exists())
}

fn main() {}
