//! `GET /judge`: the teams that a judge scores.

use askama::Template;
use monotable_kit::Html;

use crate::api::judging::mine::judge;
use crate::api::judging::{JudgedTeam, judged_teams};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "judge.html")]
struct JudgePage {
    judge_id: JudgeId,
    teams: Vec<JudgedTeam>,
}

impl JudgePage {
    fn scored(&self) -> usize {
        self.teams.iter().filter(|team| team.score.is_some()).count()
    }
}

/// Shows the teams that you score.
#[operation(GET "/judge", refuses(Forbidden))]
async fn judge_page(app: &App, call: &Call) -> Answer<Html> {
    let judge_id = judge(call)?;
    let assignments = app.db.assignments(&judge_id).all().await?;
    let mut teams = judged_teams(app, &assignments).await?;
    teams.sort_by_key(|team| (team.score.is_some(), team.name.to_lowercase()));
    Ok(Html::new(call, "Judging", &JudgePage { judge_id, teams })?.into())
}
