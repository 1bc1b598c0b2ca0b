//! `GET /match/{id}/summaries`: lists the stories of a match.

use monotable_kit::{Answer, Call, operation};

use super::{SummaryView, all_summaries};
use crate::api::MatchPath;
use crate::api::items::Items;
use crate::app::App;
use crate::refusal::Refusal;
use crate::turn;

/// Lists the stories of all days that are over, by day.
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
