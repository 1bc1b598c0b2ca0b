//! `GET /api/teams/{teamId}/coords`: lists positions of a team.

use crate::api::dashboard::PositionView;
use crate::api::prelude::*;

/// Which positions.
#[derive(Debug, Body)]
#[body(paged)]
pub(crate) struct WhichPositions {
    /// Only those from then on; in seconds since 1970.
    since: Option<EpochSeconds>,
}

/// Lists the positions that players of a team have reported, the first ones first.
#[operation(GET "/api/teams/{teamId}/coords", refuses(refusal::WATCHING, TeamNotFound))]
pub(crate) async fn list_positions(
    app: &App,
    call: &Call<TeamPath, (), WhichPositions>,
) -> Answer<Page<PositionView>> {
    let (_, team) = policy::team(app, call, &call.path.team_id, Action::Watch).await?;
    let rows = match call.query.since {
        Some(since) => app.db.positions_of_team(&team.id, since),
        None => app.db.track_of_team(&team.id),
    };
    Ok(Page::of(call.page().of(rows).await?, PositionView::of).into())
}
