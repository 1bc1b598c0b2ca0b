//! `GET /organise/judging`: what judges look at, who scores which team, and the leaderboard.

use std::collections::BTreeMap;

use askama::Template;
use monotable_kit::{Form, Html};

use crate::api::judging::leaderboard::{StandingView, standings};
use crate::api::judging::{assign, criteria_of_event, set_criteria, unassign};
use crate::api::prelude::*;

/// Criteria that can be added at once.
const MORE: usize = 2;

/// The judge whose teams are shown.
#[derive(Debug, Body)]
pub(crate) struct ChosenJudge {
    judge: Option<JudgeId>,
}

/// The content of the page.
#[derive(Template)]
#[template(path = "organise/judging.html")]
struct JudgingPage {
    standings: Vec<StandingView>,
    /// Judges, and how many teams each scores.
    judges: BTreeMap<String, usize>,
    chosen: Option<Chosen>,
    /// Until the first score.
    criteria: Option<Form>,
}

/// A judge, and the teams of the judge.
struct Chosen {
    judge_id: JudgeId,
    teams: Vec<(String, Form)>,
    /// Until the judge scores all teams.
    assign: Option<Form>,
}

/// Shows the leaderboard and the judges, to organisers.
#[operation(GET "/organise/judging", refuses(Forbidden))]
async fn judging_page(app: &App, call: &Call<(), (), ChosenJudge>) -> Answer<Html> {
    policy::administer(call)?;
    let assignments = app.db.every_assignment().all().await?;
    let mut judges = BTreeMap::new();
    for assignment in &assignments {
        *judges.entry(assignment.judge_id.to_string()).or_default() += 1;
    }
    let chosen = match &call.query.judge {
        Some(judge_id) => Some(chosen(app, call, judge_id, &assignments).await?),
        None => None,
    };
    let rules = app.db.judging_rules().await?;
    let are_used = rules.is_some_and(|rules| rules.is_used);
    let page = JudgingPage {
        criteria: if are_used { None } else { Some(criteria(app, call).await?) },
        standings: standings(app).await?,
        judges,
        chosen,
    };
    Ok(Html::new(call, "Judging", &page)?.into())
}

/// Returns the form of what judges look at, with room for more.
async fn criteria(app: &App, call: &Request) -> Result<Form, Problem> {
    let known = criteria_of_event(app).await?;
    let titles = (1..=known.len() + MORE).map(|number| format!("Criterion {number}"));
    let mut form = Form::of(call, &set_criteria::route()).elements("criteria", titles);
    for (position, criterion) in known.iter().enumerate() {
        form = form
            .value(&format!("criteria.{position}.name"), &criterion.name)
            .value(&format!("criteria.{position}.weight"), criterion.weight);
    }
    Ok(form.submit("Save the criteria").then("/organise/judging"))
}

async fn chosen(
    app: &App,
    call: &Request,
    judge_id: &JudgeId,
    assignments: &[Assignment],
) -> Result<Chosen, Problem> {
    let of_judge = assignments.iter().filter(|one| one.judge_id == *judge_id);
    let own: Vec<&TeamId> = of_judge.map(|one| &one.team_id).collect();
    let submissions = app.db.every_submission().all().await?;
    let open = submissions.iter().map(|work| &work.team_id).filter(|id| !own.contains(id));
    let ids: Vec<&TeamId> = own.iter().copied().chain(open).collect();
    let keys: Vec<TeamKey> = ids.into_iter().cloned().map(TeamKey::new).collect();
    let teams: Vec<Team> = app.db.teams_by_key(&keys).await?.into_iter().flatten().collect();
    let then = format!("/organise/judging?judge={judge_id}");
    let (own, open): (Vec<Team>, Vec<Team>) =
        teams.into_iter().partition(|team| own.contains(&&team.team_id));
    let form = |team: Team| {
        let form = Form::of(call, &unassign::route())
            .path("judgeId", judge_id)
            .path("teamId", &team.team_id);
        (team.name.0, form.submit("Take away").then(&then))
    };
    let options: Vec<(String, String)> =
        open.into_iter().map(|team| (team.team_id.to_string(), team.name.0)).collect();
    Ok(Chosen {
        judge_id: judge_id.clone(),
        teams: own.into_iter().map(form).collect(),
        assign: (!options.is_empty()).then(|| {
            Form::of(call, &assign::route())
                .path("judgeId", judge_id)
                .options("team_ids", options)
                .submit("Give these teams")
                .then(&then)
        }),
    })
}
