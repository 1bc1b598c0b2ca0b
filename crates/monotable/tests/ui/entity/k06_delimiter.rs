use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "NOTE#{topic}#{title}")]
#[index(GSI1: pk = "NOTES#{team_id}", sk = "{team_id}{title}")]
pub struct Note {
    pub team_id: TeamId,
    #[immutable]
    pub topic: String,
    #[immutable]
    pub title: String,
}

fn main() {}
