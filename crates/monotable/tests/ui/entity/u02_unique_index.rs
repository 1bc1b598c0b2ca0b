use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct UserId(String);

#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "USER#{user_id}", sk = "METADATA")]
#[index(GSI1: unique, pk = "EMAIL#{email}", sk = "USER")]
pub struct User {
    pub user_id: UserId,
    pub email: String,
}

fn main() {}
