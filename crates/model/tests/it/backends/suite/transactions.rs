//! Several rows all or nothing.

use monotable_expression::{Update, attribute_exists, attribute_not_exists, path};
use monotable_model::backend::request::{Action, Transaction, Write};
use monotable_model::backend::{BackendError, Reason};
use monotable_types::{Item, item};

use super::subject::{Subject, key, refused, row};

fn reasons(result: Result<(), BackendError>) -> Vec<Reason> {
    match result {
        Err(BackendError::Cancelled { reasons }) => reasons,
        other => panic!("another answer: {other:?}"),
    }
}

fn create(subject: &Subject, sk: &str) -> Write {
    Write {
        condition: Some(attribute_not_exists("PK")),
        ..subject.put_of(row("P", sk, item! { "new" => true }))
    }
}

pub(super) async fn all_kinds_of_actions_happen_together(subject: Subject) {
    subject.put_all(["1", "2", "3"].map(|sk| row("P", sk, item! { "n" => 1 }))).await;
    let writes = vec![
        create(&subject, "4"),
        subject.update_of(key("P", "1"), Update::new().add("n", 4)),
        subject.delete_of(key("P", "2")),
        subject.check_of(key("P", "3"), path("n").eq(1)),
    ];
    subject.transact(writes).await.unwrap();
    assert_eq!(subject.get(key("P", "1")).await, Some(row("P", "1", item! { "n" => 5 })));
    assert_eq!(subject.get(key("P", "2")).await, None);
    assert_eq!(subject.get(key("P", "4")).await, Some(row("P", "4", item! { "new" => true })));
}

pub(super) async fn every_action_costs_twice(subject: Subject) {
    let writes = vec![
        create(&subject, "1"),
        subject.update_of(key("P", "2"), Update::new().add("n", 4)),
        subject.delete_of(key("P", "3")),
        subject.check_of(key("P", "4"), attribute_not_exists("PK")),
    ];
    let answer = subject.backend.transact(Transaction { writes, token: None }).await.unwrap();
    assert_eq!(answer.units, 8.0);
}

pub(super) async fn reasons_come_in_the_order_of_the_actions(subject: Subject) {
    let seen = row("P", "1", item! { "n" => 1 });
    subject.put(seen.clone()).await;
    let writes = vec![
        subject.put_of(row("P", "9", item! {})),
        Write { return_on_failure: true, ..create(&subject, "1") },
        subject.check_of(key("P", "2"), attribute_exists("PK")),
        Write {
            condition: Some(path("n").eq(2)),
            return_on_failure: true,
            ..subject.delete_of(key("P", "3"))
        },
        subject.delete_of(key("P", "4")),
    ];
    let reasons = reasons(subject.transact(writes).await);
    assert!(
        matches!(
            &reasons[..],
            [
                Reason::Fine,
                Reason::ConditionFailed { row: Some(row) },
                Reason::ConditionFailed { row: None },
                Reason::ConditionFailed { row: None },
                Reason::Fine,
            ] if **row == seen
        ),
        "{reasons:?}"
    );
}

pub(super) async fn a_cancelled_transaction_changes_nothing(subject: Subject) {
    let kept = row("P", "1", item! { "n" => 1 });
    subject.put(kept.clone()).await;
    let writes = vec![
        subject.update_of(key("P", "1"), Update::new().add("n", 1)),
        create(&subject, "2"),
        subject.check_of(key("P", "3"), attribute_exists("PK")),
    ];
    reasons(subject.transact(writes).await);
    assert_eq!(subject.get(key("P", "1")).await, Some(kept));
    assert_eq!(subject.get(key("P", "2")).await, None);
}

pub(super) async fn a_malformed_action_is_a_reason(subject: Subject) {
    subject.put(row("P", "1", item! { "name" => "text" })).await;
    let writes =
        vec![create(&subject, "2"), subject.update_of(key("P", "1"), Update::new().add("name", 1))];
    let reasons = reasons(subject.transact(writes).await);
    assert!(matches!(&reasons[..], [Reason::Fine, Reason::Refused(_)]), "{reasons:?}");
}

pub(super) async fn too_many_rows_are_refused_in_our_words(subject: Subject) {
    let many = |count: usize| (0..count).map(|n| key("P", &n.to_string())).collect::<Vec<Item>>();
    let puts = |count| many(count).into_iter().map(|key| subject.put_of(key)).collect();
    let text = refused(subject.transact(puts(101)).await);
    assert_eq!(text, "a transaction writes at most 100 rows; this one has 101, so split it");
    let text = refused(subject.transact(puts(0)).await);
    assert_eq!(text, "a transaction writes at least one row; this one has none");
    let text = refused(subject.backend.transact_get(subject.transaction_get_of(many(101))).await);
    assert_eq!(text, "a transaction reads at most 100 rows; this one has 101, so split it");
    subject.transact(puts(100)).await.unwrap();
    let read = subject.backend.transact_get(subject.transaction_get_of(many(100))).await.unwrap();
    assert!(read.rows.iter().all(Option::is_some));
}

pub(super) async fn a_row_both_checked_and_written_is_refused(subject: Subject) {
    let writes = vec![
        subject.put_of(row("P", "1", item! {})),
        subject.check_of(key("P", "1"), attribute_not_exists("PK")),
    ];
    refused(subject.transact(writes).await);
    assert_eq!(subject.get(key("P", "1")).await, None);
}

pub(super) async fn a_row_twice_is_refused(subject: Subject) {
    let writes = vec![subject.put_of(row("P", "1", item! {})), subject.delete_of(key("P", "1"))];
    refused(subject.transact(writes).await);
    let keys = vec![key("P", "1"), key("P", "1")];
    refused(subject.backend.transact_get(subject.transaction_get_of(keys)).await);
}

pub(super) async fn an_update_of_nothing_is_refused(subject: Subject) {
    refused(subject.transact(vec![subject.update_of(key("P", "1"), Update::new())]).await);
    refused(subject.transact(vec![subject.action(Action::Check(key("P", "1")))]).await);
}

fn counted(subject: &Subject, by: i32, token: &str) -> Transaction {
    let count = subject.update_of(key("COUNT", "1"), Update::new().add("n", by));
    Transaction { writes: vec![count], token: Some(token.to_owned()) }
}

pub(super) async fn a_token_makes_a_repeat_harmless(subject: Subject) {
    for token in ["one", "one", "two", "one"] {
        let token = format!("{}-{token}", &subject.table[6..]);
        subject.backend.transact(counted(&subject, 1, &token)).await.unwrap();
    }
    assert_eq!(subject.get(key("COUNT", "1")).await.unwrap()["n"], 2.into());
}

pub(super) async fn a_token_belongs_to_its_transaction(subject: Subject) {
    let token = &subject.table[6..];
    subject.backend.transact(counted(&subject, 1, token)).await.unwrap();
    match subject.backend.transact(counted(&subject, 2, token)).await {
        Err(BackendError::TokenReused) => {}
        other => panic!("another answer: {other:?}"),
    }
    assert_eq!(subject.get(key("COUNT", "1")).await.unwrap()["n"], 1.into());
}

pub(super) async fn rows_are_read_as_of_one_moment_in_order(subject: Subject) {
    subject.put_all(["1", "2"].map(|sk| row("P", sk, item! { "sk" => sk }))).await;
    let keys = ["2", "3", "1"].map(|sk| key("P", sk)).to_vec();
    let answer = subject.backend.transact_get(subject.transaction_get_of(keys)).await.unwrap();
    assert_eq!(answer.units, 6.0);
    let rows: Vec<Option<Item>> =
        answer.rows.into_iter().map(|row| row.map(|row| row.into_item().unwrap())).collect();
    let found = |sk: &str| Some(row("P", sk, item! { "sk" => sk }));
    assert_eq!(rows, [found("2"), None, found("1")]);
}

pub(super) async fn a_missing_table_is_named(subject: Subject) {
    let missing = Subject { table: "no-such-table".into(), ..subject };
    let keys = vec![key("P", "1")];
    let read = missing.backend.transact_get(missing.transaction_get_of(keys)).await.map(drop);
    let written = missing.transact(vec![missing.put_of(key("P", "1"))]).await;
    for answer in [read, written] {
        match answer {
            Err(BackendError::NoTable(name)) => assert_eq!(name, "no-such-table"),
            other => panic!("another answer: {other:?}"),
        }
    }
}
