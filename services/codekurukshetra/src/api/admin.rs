//! What organisers see and do: lists, figures, exports, settings, refunds, the audit.

pub(crate) mod alerts;
pub(crate) mod audit;
pub(crate) mod capacity;
pub(crate) mod check;
pub(crate) mod colleges;
pub(crate) mod config_get;
pub(crate) mod config_put;
pub(crate) mod counts;
pub(crate) mod daily_statistics;
pub(crate) mod disclosure;
pub(crate) mod export;
pub(crate) mod export_csv;
pub(crate) mod export_json;
pub(crate) mod funnel;
pub(crate) mod led_teams;
pub(crate) mod live;
pub(crate) mod merges;
pub(crate) mod order;
pub(crate) mod participants;
pub(crate) mod payments;
pub(crate) mod person;
pub(crate) mod reconcile;
pub(crate) mod refund;
pub(crate) mod registrations;
pub(crate) mod release;
pub(crate) mod statistics;

use monotable_kit::{PageRequest, Route, operations};

use crate::api::prelude::*;

/// Returns the operations of the chapter.
pub(crate) fn operations() -> Vec<Route> {
    operations![
        registrations,
        payments,
        order,
        participants,
        led_teams,
        statistics,
        daily_statistics,
        capacity,
        funnel,
        live,
        colleges,
        merges::list,
        merges::set,
        merges::remove,
        export_csv,
        export_json,
        config_get,
        config_put,
        refund,
        release,
        reconcile,
        check,
        audit,
        alerts,
    ]
}

/// Returns the page that a request asks for of a list that depends on more than its query of the table. Its
/// cursors are those of [`scoped`].
fn page_of(app: &App, call: &Request, scope: &str) -> Result<PageRequest, Problem> {
    let PageRequest { limit, next_token } = call.page();
    let Some(sealed) = next_token else { return Ok(PageRequest { limit, next_token }) };
    let text: String = app.bookmarks.open(scope, &sealed.to_string(), app.db.now())?;
    Ok(PageRequest { limit, next_token: text.parse().ok() })
}

/// Seals the cursor of a page, so that it is accepted for the same list only.
fn scoped<V>(app: &App, scope: &str, page: Page<V>) -> Page<V> {
    let seal = |next: monotable::model::Cursor| {
        app.bookmarks.seal(scope, &next.to_string(), app.db.now()).parse().ok()
    };
    Page { rows: page.rows, next: page.next.and_then(seal) }
}
