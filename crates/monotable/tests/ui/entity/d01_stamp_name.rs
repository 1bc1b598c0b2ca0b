use monotable::prelude::*;

ids!(TeamId, PlayerId);

/// A field with the name of a stamp.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
pub struct Team {
    pub team_id: TeamId,
    pub created: Date,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A field with the attribute of a stamp.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[key(pk = "PLAYER#{player_id}", sk = "METADATA")]
pub struct Player {
    pub player_id: PlayerId,
    pub created_at: Date,
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

table! {
    pub League {
        name = "league";
        key(PK, SK);
        type_attribute = ItemType;
        stamps Stamps(version = ver, created = createdAt);
        entities(Team, Player);
    }
}

fn main() {}
