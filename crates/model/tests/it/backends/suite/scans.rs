//! Pages of everything.

use monotable_expression::path;
use monotable_model::backend::request::Scan;
use monotable_types::item;

use super::subject::{Subject, items, row, texts};

async fn with_rows(subject: &Subject) -> Vec<String> {
    let keys: Vec<String> = (10..40).map(|number| number.to_string()).collect();
    for (position, name) in keys.iter().enumerate() {
        subject.put(row(&format!("P{}", position % 7), name, item! { "n" => position })).await;
    }
    keys
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}

pub(super) async fn pages_join_to_all_rows(subject: Subject) {
    let keys = with_rows(&subject).await;
    for limit in [None, Some(1), Some(7), Some(30)] {
        let pages = subject.scan_pages(Scan { limit, ..subject.scan_of() }).await;
        let most = limit.unwrap_or(u32::MAX);
        assert!(pages.iter().all(|page| page.scanned <= most));
        assert_eq!(sorted(texts(&items(pages), "SK")), keys, "{limit:?}");
    }
}

pub(super) async fn segments_join_to_all_rows(subject: Subject) {
    let keys = with_rows(&subject).await;
    for total in [1, 3, 10] {
        let mut read = Vec::new();
        for segment in 0..total {
            let scan =
                Scan { segment: Some((segment, total)), limit: Some(4), ..subject.scan_of() };
            read.extend(texts(&items(subject.scan_pages(scan).await), "SK"));
        }
        assert_eq!(sorted(read), keys, "{total} segments");
    }
}

pub(super) async fn filters_leave_short_pages(subject: Subject) {
    with_rows(&subject).await;
    let scan = Scan { filter: Some(path("n").lt(3)), limit: Some(10), ..subject.scan_of() };
    let pages = subject.scan_pages(scan).await;
    assert_eq!(pages.iter().map(|page| page.scanned).sum::<u32>(), 30);
    assert_eq!(sorted(texts(&items(pages), "SK")), ["10", "11", "12"]);
}

pub(super) async fn an_index_is_scanned(subject: Subject) {
    with_rows(&subject).await;
    for number in ["1", "2"] {
        let indexed = item! { "GSI1PK" => "X", "GSI1SK" => number };
        subject.put(row("Q", number, indexed)).await;
    }
    let scan = Scan { index: Some("GSI1"), consistent: false, ..subject.scan_of() };
    assert_eq!(sorted(texts(&items(subject.scan_pages(scan).await), "SK")), ["1", "2"]);
}
