//! The route of links to the recap of a day.

use monotable_kit::{Field, Route, Schema};

use super::command::command;
use crate::commands::recap;

pub(crate) fn routes() -> Vec<Route> {
    let day = Field::integer("day", 1..=30).about("The last that is over unless set.").example(1);
    let recap = command!(GET "/r/{id}", "getRecap", recap::show)
        .about("Stories", "A day of a match as a page for people; the id is the match's.")
        .public()
        .query(Schema::object("Recap", [day]))
        .answers(200, "The page.", None)
        .produces(&["text/html"])
        .refuses(&[(404, "MATCH_NOT_FOUND"), (404, "SUMMARY_NOT_FOUND")]);
    vec![recap]
}
