//! Counters stay in the range of their fields: no addition makes a row unreadable.

use expect_test::{Expect, expect};
use monotable_model::backend::Embedded;
use monotable_model::{Entity, Error, Id, Settings, Store, table};
use serde::{Deserialize, Serialize};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct ScoreId(String);

/// Numbers of every width.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(allow(W02, because = "counting starts with the first"))]
#[key(pk = "SCORE#{score_id}", sk = "SCORE")]
pub(crate) struct Score {
    pub(crate) score_id: ScoreId,
    #[counter]
    #[serde(default)]
    pub(crate) small: u8,
    #[counter]
    #[serde(default)]
    pub(crate) middle: u32,
    #[counter]
    #[serde(default)]
    pub(crate) large: u64,
    #[counter]
    #[serde(default)]
    pub(crate) signed: i8,
    pub(crate) state: Option<String>,
}

table! {
    /// Scores.
    pub(crate) Scores {
        name = "scores";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Score);
    }
}

async fn scores() -> Store<Scores> {
    Settings::<Scores>::new().open(Embedded::memory()).await.unwrap()
}

fn id() -> ScoreId {
    ScoreId::new("s1").unwrap()
}

fn update() -> ScoreUpdate {
    Score::update(&ScoreKey::new(id()))
}

fn score() -> Score {
    Score { score_id: id(), small: 250, middle: 5, large: 50, signed: -100, state: None }
}

fn check(error: Error, expected: Expect) {
    assert!(matches!(error, Error::LimitReached { .. }), "{error:?}");
    expected.assert_eq(&error.to_string());
}

#[tokio::test]
async fn no_addition_leaves_the_range_of_its_field() {
    let db = scores().await;
    db.create(&score()).await.unwrap();
    let refused = |update: ScoreUpdate| {
        let db = &db;
        async move { db.update(update).await.unwrap_err() }
    };
    check(
        refused(update().add_large(-51)).await,
        expect!["`large` of Score (u64) has reached its limit"],
    );
    check(
        refused(update().add_small(6)).await,
        expect!["`small` of Score (u8) has reached its limit"],
    );
    check(
        refused(update().add_middle(i64::from(u32::MAX))).await,
        expect!["`middle` of Score (u32) has reached its limit"],
    );
    check(
        refused(update().add_signed(-29)).await,
        expect!["`signed` of Score (i8) has reached its limit"],
    );
    check(
        refused(update().add_large(1).add_signed(i64::MIN)).await,
        expect!["`signed` of Score (i8) has reached its limit"],
    );
    let at_the_ends = update().add_large(-50).add_small(5).add_signed(-28);
    let score = db.update(at_the_ends.add_middle(i64::from(u32::MAX) - 5)).await.unwrap();
    assert_eq!((score.large, score.small, score.signed, score.middle), (0, 255, -128, u32::MAX));
    let error = db.transact().with(update().add_large(-1)).await.unwrap_err();
    let Error::Transaction { mut failures } = error else { panic!("{error:?}") };
    check(failures.remove(0).error, expect!["`large` of Score (u64) has reached its limit"]);
}

#[tokio::test]
async fn a_row_that_is_missing_counts_from_nothing() {
    let db = scores().await;
    let error = db.update(update().add_small(1)).await.unwrap_err();
    assert!(matches!(error, Error::NotFound { .. }), "{error:?}");
    let error = db.update(update().add_small(-1).or_create()).await.unwrap_err();
    check(error, expect!["`small` of Score (u8) has reached its limit"]);
    let error = db.update(update().add_small(256).or_create()).await.unwrap_err();
    check(error, expect!["`small` of Score (u8) has reached its limit"]);
    let score = db.update(update().add_small(255).add_signed(-128).or_create()).await.unwrap();
    assert_eq!((score.small, score.signed, score.large), (255, -128, 0));
    // An attribute that is missing counts from nothing, too.
    assert_eq!(db.update(update().add_large(3)).await.unwrap().large, 3);
}

#[tokio::test]
async fn the_callers_condition_is_reported_first() {
    let db = scores().await;
    db.create(&score()).await.unwrap();
    let update = update().add_large(-51).when(score::state().exists());
    let error = db.update(update).await.unwrap_err();
    assert!(matches!(error, Error::ConditionFailed { .. }), "{error:?}");
    let debug = format!("{:?}", Score::update(&ScoreKey::new(id())).add_large(2));
    assert!(debug.contains(r#"("large", Add(2))"#), "{debug}");
}
