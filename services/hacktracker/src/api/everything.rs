//! Lists of all rows of a kind, for administrators: the shards of a list, merged in the order of
//! ids.

use monotable::model::RowSet;
use monotable_kit::PageRequest;

use crate::api::prelude::*;

/// The maximum number of pages that are read to fill a page if rows are filtered.
const PAGES_MAX: usize = 20;

/// An element of such a list.
pub(crate) trait Listed: RowSet {
    /// Returns the id by which the list is sorted.
    fn id(&self) -> &str;

    /// Returns the rows of a shard of the list, after an id if there is one.
    ///
    /// # Errors
    ///
    /// Returns 400 `INVALID_CURSOR` for an invalid id.
    fn rows(
        db: &Store<HackTracker>,
        shard: ListShard,
        behind: Option<&str>,
    ) -> Result<Rows<Self>, Problem>;
}

macro_rules! listed {
    ($entity:ty, $id:ident, $all:ident, $behind:ident) => {
        impl Listed for $entity {
            fn id(&self) -> &str {
                self.$id.as_str()
            }

            fn rows(
                db: &Store<HackTracker>,
                shard: ListShard,
                behind: Option<&str>,
            ) -> Result<Rows<Self>, Problem> {
                let Some(behind) = behind else { return Ok(db.$all(shard)) };
                let id = behind.parse().map_err(|_| Problem::from(Error::InvalidCursor))?;
                Ok(db.$behind(shard, &id))
            }
        }
    };
}

listed!(User, user_id, users, users_after);
listed!(Team, team_id, teams, teams_after);
listed!(Game, game_id, games, games_after);

/// Returns the requested page of a list. `list` contains everything that the list depends on,
/// because a cursor is valid only for the same list; `show` returns `None` for rows that are not
/// part of it.
///
/// # Errors
///
/// Returns 400 `INVALID_CURSOR`, and errors of the table.
pub(crate) async fn page<E: Listed, V>(
    app: &App,
    call: &Request,
    list: &str,
    show: impl Fn(&E) -> Option<V>,
) -> Result<Page<V>, Problem> {
    let (limit, now) = (call.page().limit, app.db.now());
    let mut behind: Option<String> = match call.page().next_token {
        Some(token) => Some(app.bookmarks.open(list, &token.to_string(), now)?),
        None => None,
    };
    let mut items = Vec::new();
    let mut has_more = true;
    for _ in 0..PAGES_MAX {
        if !has_more || items.len() == limit {
            break;
        }
        let rows: Vec<E>;
        (rows, has_more) = rows_after(app, behind.as_deref(), limit - items.len()).await?;
        items.extend(rows.iter().filter_map(&show));
        behind = rows.last().map(|row| row.id().to_owned()).or(behind);
    }
    let next = behind.filter(|_| has_more);
    let next = next.map(|behind| app.bookmarks.seal(list, &behind, now));
    Ok(Page { rows: items, next: next.and_then(|text| text.parse().ok()) })
}

/// Returns this many rows after an id, and whether there are more. The same number is read from
/// each shard, so that no row is missed.
async fn rows_after<E: Listed>(
    app: &App,
    behind: Option<&str>,
    limit: usize,
) -> Result<(Vec<E>, bool), Problem> {
    let (mut rows, mut has_more) = (Vec::new(), false);
    for shard in app.lists.all() {
        let (mut cursor, start) = (None, rows.len());
        loop {
            let missing = limit + start - rows.len();
            let request = PageRequest { limit: missing, next_token: cursor };
            let page = request.of(E::rows(&app.db, shard, behind)?).await?;
            rows.extend(page.rows);
            cursor = page.next;
            if cursor.is_none() || rows.len() == start + limit {
                break;
            }
        }
        has_more |= cursor.is_some();
    }
    rows.sort_by(|one: &E, other| one.id().cmp(other.id()));
    has_more |= rows.len() > limit;
    rows.truncate(limit);
    Ok((rows, has_more))
}
