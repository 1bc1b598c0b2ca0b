//! A day of a match as one HTML page, to be shared during the match.

use super::html::{HEAD, escaped};
use crate::rules::narration::Summary;
use crate::rules::state::{MatchState, Status};
use crate::table::TributeId;

/// Returns the story of a day as an HTML page, with links to the finished days around it.
#[must_use]
pub fn to_recap(state: &MatchState, summary: &Summary, days: &[u32]) -> String {
    let title = format!("Day {} in {}", summary.day, escaped(&state.theme.arena));
    let mut page = format!("{HEAD}<title>{title}</title>\n</head>\n<body>\n<h1>{title}</h1>\n");
    page += &format!("<p>{}</p>\n", escaped(&summary.narration));
    if !summary.highlights.is_empty() {
        page += "<h2>Highlights</h2>\n<ul>\n";
        for highlight in &summary.highlights {
            page += &format!("<li>{}</li>\n", escaped(highlight));
        }
        page += "</ul>\n";
    }
    if !summary.deaths.is_empty() {
        let names: Vec<String> = summary.deaths.iter().map(|id| name_of(state, id)).collect();
        page += &format!("<p>Fallen: {}</p>\n", names.join(", "));
    }
    page += &format!("<p>{} alive.</p>\n", summary.alive_count);
    let winner = state.winner_id.as_ref().filter(|_| state.status == Status::Ended);
    if let Some(winner) = winner.filter(|_| days.last() == Some(&summary.day)) {
        page += &format!("<p><strong>{}</strong> won.</p>\n", name_of(state, winner));
    }
    page += "<nav>";
    let before = days.iter().rev().find(|day| **day < summary.day);
    let after = days.iter().find(|day| **day > summary.day);
    for (day, word) in
        before.map(|day| (day, "before")).into_iter().chain(after.map(|day| (day, "after")))
    {
        page += &format!("<a href=\"?day={day}\">The day {word}</a> ");
    }
    page + "</nav>\n</body>\n</html>\n"
}

fn name_of(state: &MatchState, id: &TributeId) -> String {
    state.tribute(id).map_or_else(|| "somebody".to_owned(), |tribute| escaped(&tribute.name))
}
