//! `GET /my-matches`: the home page: the matches that users host or play.

use askama::Template;
use monotable_kit::Html;

use crate::api::me::matches::{StoredState, states_of};
use crate::api::prelude::*;

/// The maximum number of matches.
const MATCHES_MAX: usize = 50;

/// The content of the page.
#[derive(Template)]
#[template(path = "my_matches.html")]
struct MyMatchesPage {
    matches: Vec<Entry>,
}

struct Entry {
    arena: String,
    /// The state of the match, or its result for the user.
    note: String,
    /// The match, if it has a readable story.
    story: Option<MatchId>,
}

/// Shows the matches that you host or play, newest first, with the stories of ended ones.
#[operation(GET "/my-matches", refuses(UserRequired))]
pub(crate) async fn my_matches(app: &App, call: &Call) -> Answer<Html> {
    let mine = app.db.my_matches(&tokens::user(call)?).skip_unreadable().take(MATCHES_MAX);
    let mine = mine.page().await?.rows;
    let states = states_of(app, &mine).await?;
    let matches = mine.iter().zip(states).map(|(mine, found)| entry(mine, found)).collect();
    Ok(Html::new(call, "Your matches", &MyMatchesPage { matches })?.into())
}

fn entry(mine: &MyMatch, found: StoredState) -> Entry {
    let state = match found {
        StoredState::State(row) => row.state,
        StoredState::Gone | StoredState::Unreadable => {
            let (arena, note) = ("A match".to_owned(), "It can't be read.".to_owned());
            return Entry { arena, note, story: None };
        }
    };
    let rank = mine.result.and_then(|result| result.rank);
    let note = match (state.status, mine.result, rank) {
        (Status::Lobby, ..) => "Waiting for players".to_owned(),
        (Status::Active, ..) => format!("Day {}, turn {}", state.day, state.turn),
        (Status::Ended, Some(result), _) if result.won => "You won".to_owned(),
        (Status::Ended, _, Some(rank)) => format!("Over; your rank: {rank}"),
        (Status::Ended, ..) => "Over".to_owned(),
    };
    let story = (state.status == Status::Ended).then(|| mine.match_id.clone());
    Entry { arena: state.theme.arena, note, story }
}
