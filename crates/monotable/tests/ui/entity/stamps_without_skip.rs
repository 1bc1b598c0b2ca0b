use monotable::prelude::*;

ids!(TeamId);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    #[stamps]
    pub stamps: Stamps,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        stamps Stamps(version = ver);
        entities(Team);
    }
}

fn main() {}
