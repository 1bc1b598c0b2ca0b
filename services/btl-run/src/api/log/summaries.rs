//! `GET /match/{id}/summaries`: lists the stories of a match.

use super::{SummaryView, all_summaries};
use crate::api::prelude::*;

/// Lists the stories of all finished days, by day.
#[operation(GET "/match/{id}/summaries", public, refuses(MatchNotFound))]
pub(crate) async fn list_summaries(
    app: &App,
    call: &Call<MatchPath>,
) -> Answer<Items<SummaryView>> {
    let match_id = &call.path.id;
    turn::seen(app, match_id).await?;
    let (summaries, unreadable) = all_summaries(app, match_id).await?;
    let items = summaries.iter().map(SummaryView::of).collect();
    Ok(Items { items, next_token: None, unreadable }.into())
}
