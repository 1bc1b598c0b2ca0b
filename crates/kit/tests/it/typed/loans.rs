//! Limits of calls, and stored types as fields of bodies.

use monotable_kit::{CallLimit, FieldType};

use super::*;

mod lend_book {
    use super::*;

    #[derive(Debug, Body)]
    pub(crate) struct Loan {
        is_free: bool,
        place: Option<Place>,
    }

    const LOANS: CallLimit = CallLimit::per_hour("loan", 2);

    fn reader(call: &Call<BookPath, Loan>) -> Result<String, Problem> {
        Ok(call.principal()?.id.clone())
    }

    /// Lends a book, twice an hour.
    #[operation(POST "/books/{bookId}/loans", limit(LOANS, reader), refuses(super::BOOK))]
    pub(crate) async fn lend_book(
        _app: &App,
        call: &Call<BookPath, Loan>,
    ) -> Answer<Json<ShelfView>> {
        let Loan { is_free, place } = &call.body;
        if !is_free {
            return Err(Refusal::BookNotFound.into());
        }
        let shelf = place.as_ref().map_or("A", |place| &place.shelf).to_owned();
        Ok(Json(ShelfView { shelf }).into())
    }
}

/// Where a book is, as it is stored and sent.
#[derive(Debug, Serialize, Deserialize, FieldType)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[field(length = 1..=3, example = "B")]
    shelf: String,
    #[field(default)]
    #[serde(default)]
    row_number: u8,
}

fn lending() -> Service {
    let plain = crate::shelf::service();
    Service::new("shelf", "Shelf", "Books.", plain.problem_form)
        .chapter("Books", operations![lend_book])
}

#[tokio::test]
async fn calls_with_an_effect_are_limited_by_subject() {
    let world = World::of(lending(), |host| host).await;
    let lend = async |is_free: bool| {
        world.request(Method::POST, "/books/emma/loans", json!({ "isFree": is_free })).await
    };
    for _ in 0..3 {
        assert_eq!(lend(false).await.outcome(), "404 BOOK_NOT_FOUND");
    }
    assert_eq!([lend(true).await.status, lend(true).await.status], [200, 200]);
    let refused = lend(true).await;
    assert_eq!(refused.outcome(), "429 RATE_LIMITED");
    assert_eq!(
        refused.json()["error"],
        "This can be done 2 times in 60 minutes; try again in 60 minutes."
    );
    assert_eq!(
        (refused.header("retry-after"), &refused.json()["retryAfterSeconds"]),
        ("3600", &json!(3600))
    );
}

#[tokio::test]
async fn what_is_stored_can_be_a_field_of_a_body() {
    let world = World::of(lending(), |host| host).await;
    let lend = async |place: Value| {
        let body = json!({ "isFree": true, "place": place });
        world.request(Method::POST, "/books/emma/loans", body).await
    };
    assert_eq!(lend(json!({ "shelf": "C" })).await.json(), json!({ "shelf": "C" }));
    let refused = lend(json!({ "shelf": "long", "rowNumber": -1 })).await;
    assert_eq!(refused.outcome(), "400 VALIDATION");
    let place = &lending().openapi()["components"]["schemas"]["Place"];
    assert_eq!(place["required"], json!(["shelf"]));
    assert_eq!(place["properties"]["rowNumber"]["maximum"], 255);
}
