//! Several rows in one request, each on its own.

use monotable_model::backend::Row;
use monotable_model::backend::request::BatchAction;
use monotable_types::{Item, item};

use super::subject::{Subject, key, refused, row, texts};

fn rows(count: usize) -> Vec<Item> {
    (0..count).map(|n| row("P", &format!("{n:03}"), item! { "n" => n })).collect()
}

fn keys(count: usize) -> Vec<Item> {
    (0..count).map(|n| key("P", &format!("{n:03}"))).collect()
}

fn sorted_keys(rows: Vec<Row>) -> Vec<String> {
    let items: Vec<Item> = rows.into_iter().map(|row| row.into_item().unwrap()).collect();
    let mut keys = texts(&items, "SK");
    keys.sort();
    keys
}

pub(super) async fn puts_and_deletes_happen_together(subject: Subject) {
    let puts = rows(25).into_iter().map(BatchAction::Put).collect();
    let answer = subject.backend.batch_write(subject.batch_write_of(puts)).await.unwrap();
    assert!(answer.unprocessed.is_empty());
    let mut mixed: Vec<_> = keys(10).into_iter().map(BatchAction::Delete).collect();
    mixed.push(BatchAction::Put(row("P", "999", item! {})));
    mixed.push(BatchAction::Delete(key("P", "888")));
    subject.backend.batch_write(subject.batch_write_of(mixed)).await.unwrap();
    let mut wanted = keys(25);
    wanted.push(key("P", "999"));
    let answer = subject.backend.batch_get(subject.batch_get_of(wanted)).await.unwrap();
    let mut expected: Vec<String> = (10..25).map(|n| format!("{n:03}")).collect();
    expected.push("999".to_owned());
    assert_eq!(sorted_keys(answer.rows), expected);
}

pub(super) async fn missing_rows_are_left_out(subject: Subject) {
    subject.put_all(rows(3)).await;
    let answer = subject.backend.batch_get(subject.batch_get_of(keys(100))).await.unwrap();
    assert!(answer.unprocessed.is_empty());
    let found: Vec<Item> = answer.rows.into_iter().map(|row| row.into_item().unwrap()).collect();
    assert_eq!(found.len(), 3);
    assert!(rows(3).iter().all(|row| found.contains(row)));
}

pub(super) async fn missing_rows_are_paid_for(subject: Subject) {
    subject.put_all(rows(3)).await;
    let answer = subject.backend.batch_get(subject.batch_get_of(keys(10))).await.unwrap();
    assert_eq!(answer.units, 10.0);
}

pub(super) async fn too_many_rows_are_refused_in_our_words(subject: Subject) {
    let backend = &subject.backend;
    let read = refused(backend.batch_get(subject.batch_get_of(keys(101))).await);
    assert_eq!(read, "a batch reads at most 100 rows; this one has 101, so split it");
    let empty = refused(backend.batch_get(subject.batch_get_of(Vec::new())).await);
    assert_eq!(empty, "a batch reads at least one row; this one has none");
    let puts = || rows(26).into_iter().map(BatchAction::Put).collect();
    let written = refused(backend.batch_write(subject.batch_write_of(puts())).await);
    assert_eq!(written, "a batch writes at most 25 rows; this one has 26, so split it");
    let empty = refused(backend.batch_write(subject.batch_write_of(Vec::new())).await);
    assert_eq!(empty, "a batch writes at least one row; this one has none");
    assert_eq!(subject.get(key("P", "000")).await, None);
}

pub(super) async fn a_row_twice_is_refused(subject: Subject) {
    let twice = vec![key("P", "1"), key("P", "1")];
    refused(subject.backend.batch_get(subject.batch_get_of(twice)).await);
    let twice = vec![
        BatchAction::Put(row("P", "1", item! { "a" => 1 })),
        BatchAction::Delete(key("P", "1")),
    ];
    refused(subject.backend.batch_write(subject.batch_write_of(twice)).await);
}

/// A batch reads at most 16 MB; the remaining keys are returned as unprocessed.
pub(super) async fn keys_beyond_the_size_limit_are_unprocessed(subject: Subject) {
    let text = "x".repeat(390 * 1024);
    let large = |n: usize| row("P", &format!("{n:03}"), item! { "t" => text.as_str() });
    for batch in 0..3 {
        let puts = (0..15).map(|n| BatchAction::Put(large(batch * 15 + n))).collect();
        let answer = subject.backend.batch_write(subject.batch_write_of(puts)).await.unwrap();
        assert!(answer.unprocessed.is_empty());
    }
    let mut wanted = keys(45);
    let mut read = Vec::new();
    let mut requests = 0;
    while !wanted.is_empty() {
        let answer = subject.backend.batch_get(subject.batch_get_of(wanted)).await.unwrap();
        assert!(!answer.rows.is_empty(), "nothing was read, and nothing ever will be");
        read.extend(answer.rows);
        wanted = answer.unprocessed;
        requests += 1;
    }
    assert!(requests > 1, "17 MB in one answer");
    let expected: Vec<String> = (0..45).map(|n| format!("{n:03}")).collect();
    assert_eq!(sorted_keys(read), expected);
}
