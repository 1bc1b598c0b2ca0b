//! `GET /hackathon/criteria`: what judges look at.

use super::CriteriaView;
use crate::api::prelude::*;
use crate::rules::judging::usual_criteria;

/// Returns what judges look at, and how much each criterion counts.
#[operation(GET "/hackathon/criteria", public)]
pub(crate) async fn get_criteria(app: &App, _call: &Call) -> Answer<Json<CriteriaView>> {
    let view = match app.db.judging_rules().await? {
        Some(rules) => CriteriaView::of(&rules),
        None => CriteriaView { criteria: usual_criteria(), ver: 0 },
    };
    Ok(Json(view).into())
}
