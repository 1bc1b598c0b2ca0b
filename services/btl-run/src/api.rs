//! The operations of the service, one file each, in folders by chapter.

pub(crate) mod gm;
pub(crate) mod items;
pub(crate) mod kv;
pub(crate) mod lobby;
pub(crate) mod log;
pub(crate) mod matches;
pub(crate) mod me;
pub(crate) mod messages;
pub(crate) mod play;
pub(crate) mod prelude;
pub(crate) mod story;

use monotable_kit::{Body, Problem, Request, paths};

use crate::app::App;
use crate::table::{MatchId, MatchRow, TributeId};
use crate::{tokens, turn};

paths! {
    /// The match that a path names.
    MatchPath { id: MatchId }
    /// The tribute that a path names.
    TributePath { id: MatchId, tribute_id: TributeId }
}

/// The body of an operation that needs none: an object without fields, or nothing at all.
#[derive(Debug, Body)]
pub(crate) struct Nothing {}

/// Returns a match for its host, in the version that `If-Match` names.
///
/// # Errors
/// Returns 401, 403 for everyone but the host, 404, 412.
pub(crate) async fn hosted(
    app: &App,
    call: &Request,
    match_id: &MatchId,
) -> Result<MatchRow, Problem> {
    tokens::host(call, match_id)?;
    let row = turn::current(app, match_id).await?;
    call.check_version(row.stamps.version)?;
    Ok(row)
}
