use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Team);
    }
}

fn add(db: &Store<League>, team: Team) {
    let _ = db.run(create(team).when(team::name().absent()));
}

fn main() {}
