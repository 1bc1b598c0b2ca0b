//! `GET /judge/{teamId}`: what a team has built, and the judge's score of it.

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::judging::{criteria_of_event, score};
use crate::api::prelude::*;
use crate::api::submissions::SubmissionView;
use crate::rules::judging::{Criterion, POINTS};

/// The content of the page.
#[derive(Template)]
#[template(path = "judge_team.html")]
struct JudgeTeamPage {
    team: Team,
    submission: Option<SubmissionView>,
    /// Whether the judge has scored the team.
    is_scored: bool,
    form: Form,
}

/// Shows what a team has built, to score it by taps.
#[operation(GET "/judge/{teamId}", refuses(NotFound, Forbidden))]
async fn judge_team_page(app: &App, call: &Call<TeamPath>) -> Answer<Html> {
    let team_id = &call.path.team_id;
    let granted = policy::team(app, call, team_id, Action::Score).await?;
    let judge_id: JudgeId = call.user()?;
    let (submission, known) =
        tokio::try_join!(app.db.submission(team_id), app.db.score(team_id, &judge_id))?;
    let criteria = criteria_of_event(app).await?;
    let page = JudgeTeamPage {
        submission: submission.as_ref().map(SubmissionView::of),
        is_scored: known.is_some(),
        form: form(call, &criteria, known.as_ref()),
        team: granted.team,
    };
    Ok(Html::new(call, page.team.name.0.clone(), &page)?.into())
}

/// Returns the form of a score: a button for each number of points of each criterion.
fn form(call: &Request, criteria: &[Criterion], known: Option<&Score>) -> Form {
    let titles = criteria.iter().map(|criterion| criterion.name.clone());
    let mut form = Form::of(call, &score::route()).elements("scores", titles);
    for (position, Criterion { name, .. }) in criteria.iter().enumerate() {
        let field = format!("scores.{position}.points");
        let points = POINTS.map(|points| (points.to_string(), points.to_string()));
        form = form
            .fixed(format!("scores.{position}.criterion"), name)
            .buttons(&field, [(String::new(), points.collect())]);
        if let Some(points) = known.and_then(|score| score.criteria.get(name)) {
            form = form.value(&field, points);
        }
    }
    let comment = known.and_then(|score| score.comment.as_ref());
    form.value("comment", comment).submit("Save the score").then("/judge")
}
