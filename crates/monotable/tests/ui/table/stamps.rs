#[path = "../league.rs"]
mod league;
use league::*;

#[derive(Entity, Clone, Debug, Serialize, Deserialize)]
#[key(pk = "NOTE#{team_id}", sk = "NOTE")]
pub struct Note {
    pub team_id: TeamId,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        stamps Stamps(version = ver, creatd = createdAt, updated = ver, version = revision);
        stamps Stamps(version = ver);
        stamps Empty();
        stamps(version = ver);
        stamp Other(version = ver);
        entities(Team, Note);
    }
}

fn main() {}
