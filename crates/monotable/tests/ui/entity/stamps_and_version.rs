use monotable::prelude::*;

ids!(TeamId);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "{created}")]
pub struct Team {
    pub team_id: TeamId,
    #[version]
    pub ver: u64,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    #[stamps]
    #[serde(skip)]
    pub more: Stamps,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        stamps Stamps(version = ver, created = createdAt);
        entities(Team);
    }
}

fn main() {}
