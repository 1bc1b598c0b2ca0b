//! What programs see of requests and handles while they look for a mistake.

use expect_test::expect;
use monotable_model::Settings;
use monotable_model::codegen::Store;

use super::board::{BoardReads, Boards, PostKey, boards, boards_of_others, id};

/// A program that prints its state.
#[derive(Clone, Debug)]
#[allow(dead_code, reason = "it is printed")]
struct App {
    db: Store<Boards>,
}

#[tokio::test]
async fn handles_and_requests_can_be_printed() {
    let (store, _) = boards().await;
    expect![[r#"App { db: Store { table_name: "boards", backend: "the embedded engine", .. } }"#]]
        .assert_eq(&format!("{:?}", App { db: store.clone() }));
    expect!["Embedded { .. }"].assert_eq(&format!("{:?}", boards_of_others().await.1));
    expect![[r#"One { pattern: "board", .. }"#]].assert_eq(&format!("{:?}", store.board(&id("b"))));
    expect![[r#"One { pattern: "first_about", .. }"#]]
        .assert_eq(&format!("{:?}", store.first_about(&id("b"), "cats")));
    expect![[r#"Rows { pattern: "posts", take: 5, .. }"#]]
        .assert_eq(&format!("{:?}", store.posts(&id("b")).take(5)));
    expect!["RowStream { read_ahead: 0, .. }"]
        .assert_eq(&format!("{:?}", store.posts(&id("b")).stream()));
    expect![[r#"All(Rows { pattern: "few", take: 50, .. })"#]]
        .assert_eq(&format!("{:?}", store.few(&id("b"))));
    expect![[r#"Fold(All(Rows { pattern: "view", take: 50, .. }))"#]]
        .assert_eq(&format!("{:?}", store.view(&id("b"))));
    expect!["Many { keys: 1, consistent: false, moment: Each, .. }"]
        .assert_eq(&format!("{:?}", store.posts_by_key(&[PostKey::new(id("b"), 1)])));
    expect![[r#"Ok(Page { rows: [], next: None, previous: None, units: 0.5, pattern: "posts", skipped: 0, unreadable: [] })"#]].assert_eq(&format!("{:?}", store.posts(&id("b")).page().await));
}

#[test]
fn the_secret_of_cursors_is_not_printed() {
    let settings = Settings::<Boards>::new().cursor_key([77; 32]);
    assert!(!format!("{settings:?}").contains("77"));
}

#[test]
fn a_key_travels_as_its_texts() {
    let key = PostKey::new(id("b"), 7);
    let text = serde_json::to_string(&key).unwrap();
    assert_eq!(text, r#"["BOARD#b","POST#00007"]"#);
    assert_eq!(serde_json::from_str::<PostKey>(&text).unwrap(), key);
    for other in [r#"["BOARD#b"]"#, r#"["BOARD#b","POST#7"]"#, r#"["BOARD#b","POST#00007","x"]"#] {
        let error = serde_json::from_str::<PostKey>(other).unwrap_err();
        assert_eq!(error.to_string(), "Post: the key does not follow the template");
    }
}
