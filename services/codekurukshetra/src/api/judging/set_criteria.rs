//! `PUT /hackathon/admin/criteria`: sets what judges look at.

use super::CriteriaView;
use crate::api::prelude::*;
use crate::rules::judging::{Criterion, check_criteria};

/// What judges look at.
#[derive(Debug, Body)]
pub(crate) struct NewCriteria {
    /// At least one; their names are those in scores.
    #[body(items = 1..=10, check = check_criteria)]
    criteria: Vec<Criterion>,
}

/// Sets the criteria of judges. They can't be changed after the first score.
#[operation(
    PUT "/hackathon/admin/criteria", once, if_match, refuses(Forbidden, InvalidState)
)]
pub(crate) async fn set_criteria(
    app: &App,
    call: &Call<(), NewCriteria>,
) -> Answer<Json<CriteriaView>> {
    policy::administer(call)?;
    let before = app.db.judging_rules().await?;
    call.check_version(before.as_ref().map_or(0, |rules| rules.stamps.version))?;
    if before.as_ref().is_some_and(|rules| rules.is_used) {
        let text = "Judges have given scores by these criteria already.";
        return Err(Refusal::InvalidState.text(text));
    }
    let criteria = call.body.criteria.clone();
    let names = criteria.iter().map(|it| format!("{} {}", it.name, it.weight));
    let entry = app.audit(call, "setCriteria", "CONFIG")?;
    let entry = entry.is("criteria", names.collect::<Vec<_>>().join(", "));
    let mut tx = call.transact(&app.db).or_retry();
    let rules = match before {
        Some(before) => tx.add(edit(&before, move |rules| rules.criteria = criteria)),
        None => {
            let stamps = Stamps::default();
            tx.expect(create(JudgingRules { criteria, is_used: false, stamps }))
        }
    };
    tx.add(create(entry));
    tx.respond(move |done| Json(CriteriaView::of(&done[rules]))).await
}
