//! What was done to a team, for those who may correct it.

use monotable_kit::{Call, Problem, Reply};

use super::paging;
use crate::app::App;
use crate::ids::TeamId;
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action};
use crate::show;

/// `GET /teams/{teamId}/audit`, the latest first.
pub(crate) async fn list(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    policy::authorize(app, call, &team_id, Action::CorrectFinal).await?;
    let asked = call.page();
    let rows = app.db.audit(&team_id).consistent().take(asked.limit);
    let page = paging::from(asked.next_token.as_ref(), rows).page().await?;
    Ok(Reply::page("entries", page.rows.iter().map(show::audit), page.next.as_ref()))
}
