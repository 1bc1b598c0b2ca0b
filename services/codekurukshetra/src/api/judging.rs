//! Judging: what judges look at, which teams each of them scores, their scores, and the leaderboard.

pub(crate) mod assign;
pub(crate) mod assigned;
pub(crate) mod criteria;
pub(crate) mod leaderboard;
pub(crate) mod mine;
pub(crate) mod score;
pub(crate) mod set_criteria;
pub(crate) mod unassign;

use std::collections::BTreeMap;

use monotable_kit::paths;

use super::submissions::SubmissionView;
use crate::api::prelude::*;
use crate::rules::judging::{Criterion, usual_criteria};

paths! {
    /// The judge that a path names.
    JudgePath { judge_id: JudgeId }
    /// The team of a judge that a path names.
    AssignmentPath { judge_id: JudgeId, team_id: TeamId }
}

/// What judges look at.
#[derive(Clone, View)]
#[view(of = JudgingRules)]
pub(crate) struct CriteriaView {
    pub(crate) criteria: Vec<Criterion>,
    #[view(version, from = stamps.version)]
    ver: u64,
}

/// A team that a judge scores.
#[derive(View)]
#[view(case = "snake", list = "teams")]
pub(crate) struct JudgedTeam {
    pub(crate) team_id: TeamId,
    #[view(example = "Code Warriors")]
    pub(crate) name: String,
    pub(crate) track: Option<Track>,
    /// What it has handed in.
    pub(crate) submission: Option<SubmissionView>,
    /// The judge's own score.
    pub(crate) score: Option<ScoreView>,
}

/// The score of a judge.
#[derive(Clone, View)]
#[view(of = Score, case = "snake")]
pub(crate) struct ScoreView {
    pub(crate) team_id: TeamId,
    pub(crate) judge_id: JudgeId,
    /// Points by criterion, 0 to 10.
    #[view(from = criteria)]
    pub(crate) points: BTreeMap<String, u8>,
    #[view(example = "A clear idea, well shown.")]
    pub(crate) comment: Option<String>,
    #[view(version, from = stamps.version)]
    pub(crate) ver: u64,
}

/// Returns what judges look at.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn criteria_of_event(app: &App) -> Result<Vec<Criterion>, Problem> {
    Ok(app.db.judging_rules().await?.map_or_else(usual_criteria, |rules| rules.criteria))
}

/// Returns the teams that a judge scores, with what they have handed in and the scores of the judge.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn judged_teams(
    app: &App,
    assignments: &[Assignment],
) -> Result<Vec<JudgedTeam>, Problem> {
    let mut judged = Vec::new();
    for Assignment { judge_id, team_id, .. } in assignments {
        let (team, submission, score) = tokio::try_join!(
            async { app.db.team(team_id).await },
            async { app.db.submission(team_id).await },
            async { app.db.score(team_id, judge_id).await },
        )?;
        judged.extend(team.map(|team| JudgedTeam {
            team_id: team.team_id,
            name: team.name.0,
            track: team.track,
            submission: submission.as_ref().map(SubmissionView::of),
            score: score.as_ref().map(ScoreView::of),
        }));
    }
    Ok(judged)
}
