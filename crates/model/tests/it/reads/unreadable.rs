//! Rows that can't be read do not keep others from being read.

use monotable_model::Error;
use monotable_types::{Item, item};

use super::board::{BoardReads, Boards, Post, boards_of_others, fill, id, numbers, put_raw};
use monotable_model::codegen::Store;

/// Posts 1 to 6, of which others wrote 3 and 4 in another form.
async fn posts_of_others() -> Store<Boards> {
    let (store, backend) = boards_of_others().await;
    fill(&store, 6).await;
    let row = |sort: &str| -> Item {
        item! { "pk" => "BOARD#b", "sk" => sort, "seq" => "three" }
    };
    put_raw(&backend, row("POST#00003")).await;
    put_raw(&backend, row("POST#00004")).await;
    store
}

#[tokio::test]
async fn a_page_skips_unreadable_rows_and_reports_their_errors() {
    let store = posts_of_others().await;
    let page = store.posts(&id("b")).page().await;
    assert!(matches!(page, Err(Error::Decode { .. })), "{page:?}");
    let ask = || store.posts(&id("b")).skip_unreadable();
    let page = ask().take(3).page().await.unwrap();
    assert_eq!(numbers(&page.rows), [1, 2]);
    let [error] = &page.unreadable[..] else { panic!("{:?}", page.unreadable) };
    assert!(error.to_string().contains("`BOARD#b / POST#00003`"), "{error}");
    let rest = ask().after(&page.next.unwrap()).page().await.unwrap();
    assert_eq!((numbers(&rest.rows), rest.unreadable.len()), (vec![5, 6], 1));
    let back = ask().take(3).before(&rest.previous.unwrap()).page().await.unwrap();
    assert_eq!((numbers(&back.rows), back.unreadable.len()), (vec![1, 2], 1));
    assert_eq!(ask().count().await.unwrap(), 4);
    let newest = store.newest(&id("b")).skip_unreadable();
    let first = newest.take(1).page().await.unwrap();
    assert_eq!(numbers(&first.rows), [6]);
}

#[tokio::test]
async fn the_first_row_is_the_first_that_can_be_read() {
    let store = posts_of_others().await;
    let from = |seq| store.posts_from(&id("b"), seq);
    assert!(from(3).first().await.is_err());
    let first = from(3).skip_unreadable().first().await.unwrap();
    assert_eq!(first.map(|post| post.seq), Some(5));
}

#[tokio::test]
async fn a_stream_continues_after_unreadable_rows() {
    let store = posts_of_others().await;
    let mut stream = store.posts(&id("b")).stream();
    let mut rows: Vec<Result<u32, String>> = Vec::new();
    while let Some(row) = stream.next().await {
        let error = |error: Error| error.to_string()[..23].to_owned();
        rows.push(row.map(|post: Post| post.seq).map_err(error));
    }
    let unreadable = Err("a row of Post can't be ".to_owned());
    let expected = [Ok(1), Ok(2), unreadable.clone(), unreadable, Ok(5), Ok(6)];
    assert_eq!(rows, expected);
}
