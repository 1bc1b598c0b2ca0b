//! Lists in pages: their parameters and their responses.

use monotable::model::{self, Cursor, RowSet, Rows};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::body::Body;
use crate::call::Request;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::schema::{Field, Schema};
use crate::view::{Page, ViewFields};

/// Elements of a page unless the request says otherwise.
const LIMIT: usize = 50;
/// Elements of a page at most.
const LIMIT_MAX: i64 = 100;
/// Pages of rows that are read to fill one page.
const PAGES_MAX: usize = 20;
/// Characters of a cursor at most: the keys of a few rows in base64.
const TOKEN_CHARACTERS_MAX: usize = 8_192;

/// The page that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageRequest {
    /// The maximum number of elements.
    pub limit: usize,
    /// The end of the page before it; `None` for the first page.
    pub next_token: Option<Cursor>,
}

impl Schema {
    /// Adds the query parameters of a list in pages: `limit` and `nextToken`.
    #[must_use]
    pub fn paged(mut self) -> Self {
        self.fields.extend([
            Field::integer("limit", 1..=LIMIT_MAX)
                .about("The maximum number of elements; 50 by default.")
                .example(25),
            Field::text("nextToken", 1..=TOKEN_CHARACTERS_MAX)
                .about("The `nextToken` of the previous page."),
        ]);
        self
    }
}

/// The query of a list with only the parameters `limit` and `nextToken`.
#[derive(Clone, Copy, Debug)]
pub struct Paged;

impl Body for Paged {
    fn schema() -> Option<Schema> {
        Some(Schema::default().paged())
    }

    fn read(_: Map<String, Value>) -> Result<Self, Problem> {
        Ok(Self)
    }
}

impl PageRequest {
    /// Reads the page of a list. Unreadable rows are left out.
    ///
    /// # Errors
    /// Returns 400 `INVALID_CURSOR` for a cursor of another list.
    pub async fn of<S: RowSet>(&self, rows: Rows<S>) -> Result<model::Page<S>, Problem> {
        let rows = rows.skip_unreadable().take(self.limit);
        let rows = match &self.next_token {
            Some(cursor) => rows.after(cursor),
            None => rows,
        };
        Ok(rows.page().await?)
    }

    /// Fills a page of a list that leaves out some rows: `show` returns those that are shown. Reads
    /// a bounded number of pages, so a page can have fewer elements than `limit`.
    ///
    /// # Errors
    /// Returns 400 `INVALID_CURSOR` for a cursor of another list, and the errors of `show`.
    pub async fn fill<S: RowSet, V, F>(
        &self,
        query: impl Fn() -> Rows<S>,
        show: impl Fn(Vec<S>) -> F,
    ) -> Result<Page<V>, Problem>
    where
        F: Future<Output = Result<Vec<V>, Problem>>,
    {
        let (mut next, mut rows) = (self.next_token.clone(), Vec::new());
        for _ in 0..PAGES_MAX {
            let wanted = Self { limit: self.limit - rows.len(), next_token: next };
            let page = wanted.of(query()).await?;
            rows.extend(show(page.rows).await?);
            next = page.next;
            if next.is_none() || rows.len() == self.limit {
                break;
            }
        }
        Ok(Page { rows, next })
    }
}

impl Request {
    /// Returns the requested page, by the parameters of [`Schema::paged`].
    pub fn page(&self) -> PageRequest {
        let limit = self.query.get("limit").and_then(Value::as_u64);
        let next_token = self.query.get("nextToken").and_then(Value::as_str);
        PageRequest {
            limit: limit.and_then(|limit| limit.try_into().ok()).unwrap_or(LIMIT),
            next_token: next_token.map(|text| match text.parse() {
                Ok(cursor) => cursor,
                Err(never) => match never {},
            }),
        }
    }
}

impl Reply {
    /// Returns 200 with a page of a list: the elements under the list's name, their number, and the
    /// token of the next page, if there is one.
    pub fn page<E: Serialize>(
        list: &str,
        elements: impl IntoIterator<Item = E>,
        next: Option<&Cursor>,
    ) -> Self {
        let elements: Vec<E> = elements.into_iter().collect();
        let mut fields = ViewFields::default();
        fields.or_null("count", &elements.len());
        fields.show("nextToken", &next.map(Cursor::to_string));
        fields.or_null(list, &elements);
        Self::of_fields(200, fields)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::reply::ReplyBody;

    #[test]
    fn a_page_has_fifty_elements_unless_said_otherwise() {
        let schema = Schema::object("List", []).paged();
        let asked = |query: &str| {
            let read = schema.check_query(query).map_err(|problem| problem.message);
            read.map(|query| Request { query, ..Request::default() }.page())
        };
        assert_eq!(asked(""), Ok(PageRequest { limit: 50, next_token: None }));
        let cursor = "abc".parse().ok();
        assert_eq!(
            asked("limit=100&nextToken=abc"),
            Ok(PageRequest { limit: 100, next_token: cursor })
        );
        assert_eq!(asked("limit=0"), Err("limit: must be from 1 to 100".to_owned()));
        assert_eq!(asked("nextToken="), Err("nextToken: must not be empty".to_owned()));
    }

    fn json(reply: Reply) -> String {
        match reply.body {
            ReplyBody::Json(text) => text,
            _ => panic!("a page is JSON"),
        }
    }

    #[test]
    fn a_page_tells_its_elements_their_number_and_where_to_go_on() {
        let Ok(next) = "abc".parse::<Cursor>();
        expect![[r#"{"count":2,"nextToken":"abc","players":["a","b"]}"#]]
            .assert_eq(&json(Reply::page("players", ["a", "b"], Some(&next))));
        expect![[r#"{"count":0,"players":[]}"#]]
            .assert_eq(&json(Reply::page("players", [""; 0], None)));
    }
}
