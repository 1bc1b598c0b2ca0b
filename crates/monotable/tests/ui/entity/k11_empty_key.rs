use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "{name}", sk = "TEAM")]
pub struct Team {
    #[immutable]
    pub name: String,
}

fn main() {}
