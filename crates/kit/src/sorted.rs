//! Lists that a service sorts in memory, and their pages.

use monotable::model::time::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bookmark::Bookmarks;
use crate::call::Request;
use crate::field_type::FieldType;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::route::Answered;
use crate::schema::Kind;
use crate::view::{Listed, Page, Response};

/// A list in the order of its positions.
#[derive(Debug)]
pub struct SortedList<'a, E, Position> {
    /// Everything that the list depends on; a cursor is valid for the same list only.
    pub scope: String,
    /// All rows, in order.
    pub rows: &'a [E],
    /// The position of a row.
    pub position: Position,
}

impl<E, Position> SortedList<'_, E, Position> {
    /// Returns the requested page. Clients of the first version get all rows, as an array.
    ///
    /// # Errors
    /// Returns 400 `INVALID_CURSOR` for a position in another list.
    pub fn page<P, V>(
        &self,
        bookmarks: &Bookmarks,
        now: Timestamp,
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
                let seen: P = bookmarks.open(&self.scope, text, now)?;
                self.rows.partition_point(|row| (self.position)(row) <= seen)
            }
            None => 0,
        };
        let page = &self.rows[start..self.rows.len().min(start + limit)];
        let is_last = start + page.len() == self.rows.len();
        let last = page.last().filter(|_| !is_last);
        let next = last.map(|last| bookmarks.seal(&self.scope, &(self.position)(last), now));
        let rows = page.iter().map(show).collect();
        let page = Page { rows, next: next.and_then(|text| text.parse().ok()) };
        Ok(SortedPage { page, is_array })
    }
}

/// 200 with a page of a sorted list, or with an array for clients of the first version.
#[derive(Clone, Debug)]
pub struct SortedPage<V> {
    page: Page<V>,
    is_array: bool,
}

impl<V: Listed + FieldType + Serialize + 'static> Response for SortedPage<V> {
    fn describe() -> Answered {
        let page = Page::<V>::describe();
        let schema = page.schema.map(|schema| Kind::OneOf(vec![schema, Vec::<V>::kind()]));
        let meaning = "A page of a list; a bare array under Accept-Version: 1.";
        Answered { meaning, schema, ..page }
    }

    fn into_reply(self) -> Reply {
        if self.is_array { Reply::ok(&self.page.rows) } else { self.page.into_reply() }
    }
}
