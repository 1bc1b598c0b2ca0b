use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[index(GSI1: sparse, pk = "OWNER#{owner_id}", sk = "TEAM#{team_id}")]
#[unique(name)]
pub struct Team {
    #[serde(skip_serializing)]
    pub team_id: TeamId,
    #[serde(serialize_with = "text")]
    pub name: String,
    #[serde(skip_serializing_if = "is_nobody")]
    pub owner_id: Option<UserId>,
    #[serde(rename(serialize = "colour", deserialize = "color"))]
    pub color: String,
    #[serde(skip)]
    pub is_selected: bool,
    #[serde(skip_serializing)]
    pub token: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[version]
    #[serde(skip)]
    pub ver: u64,
}

fn text<S: serde::Serializer>(name: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(name)
}

fn is_nobody(owner: &Option<UserId>) -> bool {
    owner.is_none()
}

fn main() {}
