//! `GET /api/games/{gameId}/report.csv`: tells how a game went, as a table.

use std::borrow::Cow;

use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use monotable_kit::csv;

use super::report::reported;
use crate::api::prelude::*;

const COLUMNS: [&str; 11] = [
    "rank",
    "team",
    "completed",
    "score",
    "level",
    "completedAt",
    "minutes",
    "clues",
    "map",
    "skipped",
    "photos",
];

/// 200 with a table.
pub(crate) struct CsvReport(String);

impl Response for CsvReport {
    const MEDIA_TYPES: &'static [&'static str] = &["text/csv"];

    fn describe() -> Answered {
        let meaning = "A table with a row for each level of each team, in UTF-8.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let name = HeaderValue::from_static("attachment; filename=\"report.csv\"");
        Reply::text(csv::CONTENT_TYPE, self.0).header(CONTENT_DISPOSITION, name)
    }
}

/// Tells how a game went, as a table for spreadsheets.
#[operation(GET "/api/games/{gameId}/report.csv", refuses(refusal::WATCHING))]
pub(crate) async fn export_report(app: &App, call: &Call<GamePath>) -> Answer<CsvReport> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    let mut table = csv::BYTE_ORDER_MARK.to_owned();
    csv::row(&mut table, COLUMNS.map(Cow::Borrowed));
    for team in reported(app, &game).await?.teams {
        for level in &team.route {
            let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
            let cells = [
                team.rank.rank.to_string(),
                team.rank.team_name.clone(),
                team.rank.completed.to_string(),
                team.rank.score.to_string(),
                level.level_name.clone(),
                time(level.completed_at).unwrap_or_default(),
                level.minutes.map(|minutes| format!("{minutes:.1}")).unwrap_or_default(),
                level.hints_used.to_string(),
                time(level.map_at).unwrap_or_default(),
                level.skipped.to_string(),
                team.photos.to_string(),
            ];
            csv::row(&mut table, cells.map(Cow::Owned));
        }
    }
    Ok(CsvReport(table).into())
}
