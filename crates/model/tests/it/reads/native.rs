//! Index keys that are fields of their own: numbers sort as numbers.

use monotable_model::backend::Embedded;
use monotable_model::codegen::Rows;
use monotable_model_derive::{Entity, Id, access_patterns, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(String);

/// A result of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "RESULT#{id}", sk = "RESULT")]
#[index(GSI1: pk = ["{team}"], sk = ["{score}", "{id}"])]
pub struct GameResult {
    pub id: Name,
    pub team: Name,
    pub score: u32,
}

table! {
    /// Results by score.
    pub Results {
        name = "results";
        key(PK, SK);
        type_attribute = none;
        index GSI1((team), (score, id));
        entities(GameResult);
        patterns(ResultReads);
    }
}

/// The access patterns.
#[access_patterns(Results)]
pub trait ResultReads {
    /// All results of a team.
    #[query(index = GSI1, pk = ["{team}"])]
    fn results(&self, team: &Name) -> Rows<GameResult>;
    /// Better results than this one.
    #[query(index = GSI1, pk = ["{team}"], sk = [after("{score}")])]
    fn better(&self, team: &Name, score: u32) -> Rows<GameResult>;
    /// Worse results than this one.
    #[query(index = GSI1, pk = ["{team}"], sk = [before("{score}")])]
    fn worse(&self, team: &Name, score: u32) -> Rows<GameResult>;
    /// Results from here to there.
    #[query(index = GSI1, pk = ["{team}"], sk = ["{from}"..="{to}"])]
    fn within(&self, team: &Name, from: u32, to: u32) -> Rows<GameResult>;
    /// Results of exactly this score, by id.
    #[query(index = GSI1, pk = ["{team}"], sk = ["{score}", begins_with("{prefix}")])]
    fn like(&self, team: &Name, score: u32, prefix: &str) -> Rows<GameResult>;
}

#[tokio::test]
async fn numbers_sort_and_bound_as_numbers() {
    let store = Results::open(Embedded::memory()).await.unwrap();
    let red = Name::new("red").unwrap();
    for (number, score) in [9, 10, 100, 2, 10].into_iter().enumerate() {
        let id = Name::new(format!("r{number}")).unwrap();
        store.create(&GameResult { id, team: red.clone(), score }).await.unwrap();
    }
    let scores = async |rows: Rows<GameResult>| -> Vec<u32> {
        rows.page().await.unwrap().rows.into_iter().map(|result| result.score).collect()
    };
    assert_eq!(scores(store.results(&red)).await, [2, 9, 10, 10, 100]);
    assert_eq!(scores(store.better(&red, 10)).await, [100]);
    assert_eq!(scores(store.worse(&red, 10)).await, [2, 9]);
    assert_eq!(scores(store.within(&red, 9, 10)).await, [9, 10, 10]);
    assert_eq!(scores(store.like(&red, 10, "r4")).await, [10]);
}
