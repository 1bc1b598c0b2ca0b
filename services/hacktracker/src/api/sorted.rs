//! Lists that are sorted in memory, and their pages.

use monotable_kit::{Answered, FieldType, Listed, Page, Problem, Reply, Request, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::app::App;

/// A list in the order of its positions.
pub(crate) struct SortedList<'a, E, Position> {
    /// Everything that the list depends on; a cursor is valid for the same list only.
    pub(crate) scope: String,
    /// All rows, in order.
    pub(crate) rows: &'a [E],
    /// The position of a row.
    pub(crate) position: Position,
}

impl<E, Position> SortedList<'_, E, Position> {
    /// Returns the page that a request names. Clients of the first version get all rows, as an array.
    ///
    /// # Errors
    /// 400 `INVALID_CURSOR` for a position in another list.
    pub(crate) fn page<P, V>(
        &self,
        app: &App,
        call: &Request,
        show: impl Fn(&E) -> V,
    ) -> Result<SortedPage<V>, Problem>
    where
        P: Ord + Serialize + DeserializeOwned,
        Position: Fn(&E) -> P,
    {
        let is_array = call.accept_version == Some(1);
        let limit = match call.query.get("limit") {
            None if is_array => self.rows.len().max(1),
            _ => call.page().limit,
        };
        let start = match call.query.get("nextToken").and_then(Value::as_str) {
            Some(text) => {
                let seen: P = app.bookmarks.open(&self.scope, text, app.db.now())?;
                self.rows.partition_point(|row| (self.position)(row) <= seen)
            }
            None => 0,
        };
        let page = &self.rows[start..self.rows.len().min(start + limit)];
        let is_last = start + page.len() == self.rows.len();
        let next = page
            .last()
            .filter(|_| !is_last)
            .map(|last| app.bookmarks.seal(&self.scope, &(self.position)(last), app.db.now()));
        let rows = page.iter().map(show).collect();
        let page = Page { rows, next: next.and_then(|text| text.parse().ok()) };
        Ok(SortedPage { page, is_array })
    }
}

/// 200 with a page of a sorted list, or with an array for clients of the first version.
pub(crate) struct SortedPage<V> {
    page: Page<V>,
    is_array: bool,
}

impl<V: Listed + FieldType + Serialize + 'static> Response for SortedPage<V> {
    fn describe() -> Answered {
        let meaning = "A page of a list; a bare array under Accept-Version: 1.";
        Answered { meaning, ..Page::<V>::describe() }
    }

    fn into_reply(self) -> Reply {
        if self.is_array { Reply::ok(&self.page.rows) } else { self.page.into_reply() }
    }
}
