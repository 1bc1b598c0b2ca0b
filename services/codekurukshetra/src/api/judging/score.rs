//! `PUT /hackathon/team/{teamId}/score`: scores what a team has built.

use std::collections::BTreeMap;

use monotable_kit::Saved;

use super::ScoreView;
use crate::api::checkin::require_confirmed;
use crate::api::prelude::*;
use crate::rules::judging::{check_points, usual_criteria};

/// The points for one criterion.
#[derive(Debug, Body)]
pub(crate) struct PointsFor {
    #[body(length = 1..=40, example = "Innovation")]
    criterion: String,
    #[body(range = 0..=10, example = 7)]
    points: u8,
}

/// The score of a judge.
#[derive(Debug, Body)]
pub(crate) struct NewScore {
    /// For each criterion once.
    #[body(items = 1..=10)]
    scores: Vec<PointsFor>,
    /// For organisers.
    #[body(length = 0..=1_000, example = "A clear idea, well shown.")]
    comment: Option<String>,
}

/// Scores what a team has built, or changes your score. Judges score the teams that they were given.
#[operation(
    PUT "/hackathon/team/{teamId}/score", once, if_match,
    refuses(NotFound, Forbidden, InvalidState)
)]
pub(crate) async fn put_score(
    app: &App,
    call: &Call<TeamPath, NewScore>,
) -> Answer<Saved<ScoreView>> {
    let granted = policy::team(app, call, &call.path.team_id, Action::Score).await?;
    require_confirmed(&granted.team)?;
    let team_id = &granted.team.team_id;
    let judge_id: JudgeId = call.user()?;
    let missing = || Refusal::InvalidState.text("The team has not handed in anything yet.");
    let submission = app.db.submission(team_id).await?.ok_or_else(missing)?;
    let mut points = BTreeMap::new();
    for PointsFor { criterion, points: given } in &call.body.scores {
        if points.insert(criterion.clone(), *given).is_some() {
            let text = format!("must not contain {criterion:?} twice");
            return Err(Problem::field("scores", text));
        }
    }
    let rules = app.db.judging_rules().await?;
    let criteria = rules.as_ref().map_or_else(usual_criteria, |rules| rules.criteria.clone());
    check_points(&criteria, &points).map_err(|message| Problem::field("scores", message))?;
    let before = app.db.score(team_id, &judge_id).await?;
    call.check_version(before.as_ref().map_or(0, |score| score.stamps.version))?;
    let comment = call.body.comment.clone().filter(|text| !text.is_empty());
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(check(&submission.key(), submission::version().ge(1)));
    match rules {
        Some(rules) if rules.is_used => _ = tx.add(check(&rules.key(), rules.unchanged())),
        // The first score: from now on, the criteria stay.
        Some(rules) => _ = tx.add(edit(&rules, |rules| rules.is_used = true)),
        None => {
            let (criteria, stamps) = (criteria.clone(), Stamps::default());
            tx.expect(create(JudgingRules { criteria, is_used: true, stamps }));
        }
    }
    if !granted.roles.contains(&Role::Admin) {
        let assignment = AssignmentKey::new(judge_id.clone(), team_id.clone());
        tx.require(check(&assignment, assignment::version().ge(1)), Refusal::NotFound);
    }
    if let Some(before) = before {
        let score = tx.add(edit(&before, move |score| {
            (score.criteria, score.comment) = (points, comment);
        }));
        return tx.respond(move |done| Saved::Changed(ScoreView::of(&done[score]))).await;
    }
    let (team_id, stamps) = (team_id.clone(), Stamps::default());
    let score = tx.expect(create(Score { team_id, judge_id, criteria: points, comment, stamps }));
    tx.respond(move |done| Saved::Created(ScoreView::of(&done[score]))).await
}
