//! Lists in pages: `items`, `nextToken` and `hasMore`.

use monotable_kit::{Answered, Body, Field, FieldType, Problem, Reply, Response, Schema};
use serde::Serialize;
use serde_json::json;

use crate::app::App;

/// The default number of elements on a page.
const LIMIT: usize = 50;

/// 200 with a page of a list.
pub(crate) struct Items<V> {
    pub(crate) items: Vec<V>,
    /// The token of the next page, if there is one.
    pub(crate) next_token: Option<String>,
    /// Rows of the page that can't be read.
    pub(crate) unreadable: usize,
}

impl<V: FieldType + Serialize + 'static> Response for Items<V> {
    fn describe() -> Answered {
        let fields = [
            Field::list("items", V::kind(), 0..=usize::MAX).required(),
            Field::text("nextToken", 0..=usize::MAX)
                .required()
                .nullable()
                .about("The token of the next page; null on the last page."),
            Field::flag("hasMore")
                .required()
                .about("Whether there is another page.")
                .example(false),
            Field::new("unreadable", usize::kind())
                .about("The number of damaged rows that were left out; absent if there are none."),
        ];
        Answered::of_view(200, Schema::object("", fields).about("A page of a list."))
    }

    fn into_reply(self) -> Reply {
        let Self { items, next_token, unreadable } = self;
        let has_more = next_token.is_some();
        let mut page = json!({ "items": items, "nextToken": next_token, "hasMore": has_more });
        if unreadable > 0 {
            page["unreadable"] = unreadable.into();
        }
        Reply::ok(&page)
    }
}

/// Which page of a list of numbered elements is returned.
#[derive(Debug, Body)]
pub(crate) struct NumberedPage {
    /// The number after which the page starts; 0 is the beginning.
    // At most the last number of a log.
    #[body(range = 0..=999_999, example = 12)]
    after: Option<u32>,
    /// The maximum number of elements on the page; 50 by default.
    #[body(range = 1..=200, example = 25)]
    limit: Option<usize>,
    /// The cursor of the previous page, instead of `after`.
    #[body(length = 1..=8_192)]
    next_token: Option<String>,
}

impl NumberedPage {
    /// Returns the maximum number of elements on the page.
    pub(crate) fn limit(&self) -> usize {
        self.limit.unwrap_or(LIMIT)
    }

    /// Returns the number after which the page starts. The name of the list contains everything
    /// that the list depends on.
    ///
    /// # Errors
    /// Returns 400 if the token belongs to another list, or the request contains both parameters.
    pub(crate) fn start(&self, app: &App, list: &str) -> Result<u32, Problem> {
        match (self.after, &self.next_token) {
            (Some(_), Some(_)) => Err(Problem::field("after", "cannot be combined with nextToken")),
            // The first number is 1, so 0 is the same as no number.
            (after, None) => Ok(after.unwrap_or_default()),
            (None, Some(token)) => app.bookmarks.open(list, token, app.db.now()),
        }
    }
}

impl<V> Items<V> {
    /// Creates the page that ends with a number; `None` for the last page.
    pub(crate) fn until(app: &App, list: &str, items: Vec<V>, last: Option<u32>) -> Self {
        let next_token = last.map(|last| app.bookmarks.seal(list, &last, app.db.now()));
        Self { items, next_token, unreadable: 0 }
    }
}
