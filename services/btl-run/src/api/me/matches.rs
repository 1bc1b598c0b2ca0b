//! `GET /me/matches`: lists the matches of the caller.

use crate::api::prelude::*;
use crate::rules::state::Mode;

/// A match of a user.
#[derive(View)]
pub(crate) struct MyMatchView {
    #[view(example = "m1")]
    match_id: MatchId,
    /// When it was created, in milliseconds since 1970.
    #[view(example = 1_800_000_000_000_i64)]
    created_at: i64,
    #[view(example = "host_and_player")]
    role: MyRole,
    /// The result of the user's tribute.
    result: Option<ResultView>,
    #[view(flatten)]
    state: Option<StateView>,
    /// Whether the match is damaged and can't be read.
    unreadable: Option<bool>,
}

/// The result of a user's tribute in a match.
#[derive(View)]
#[view(of = MyResult)]
pub(crate) struct ResultView {
    /// The tribute's rank.
    #[view(example = 1)]
    rank: Option<u32>,
    #[view(example = true)]
    won: bool,
    #[view(example = 3)]
    kills: u32,
}

/// The state of a match; absent for one that was removed.
#[derive(View)]
pub(crate) struct StateView {
    #[view(example = "quick")]
    mode: Mode,
    #[view(example = "ended")]
    status: Status,
    #[view(example = "the old forest")]
    arena: String,
    #[view(example = 4)]
    day: u32,
    #[view(example = 2)]
    turn: u32,
}

impl MyMatchView {
    fn of(mine: &MyMatch, found: StoredState) -> Self {
        let unreadable = matches!(found, StoredState::Unreadable).then_some(true);
        let state = match found {
            StoredState::State(row) => Some(StateView {
                mode: row.state.mode,
                status: row.state.status,
                arena: row.state.theme.arena,
                day: row.state.day,
                turn: row.state.turn,
            }),
            StoredState::Gone | StoredState::Unreadable => None,
        };
        Self {
            match_id: mine.match_id.clone(),
            created_at: mine.created_at.as_ms(),
            role: mine.role,
            result: mine.result.as_ref().map(ResultView::of),
            state,
            unreadable,
        }
    }
}

/// Lists the matches that you host, play or left, newest first.
#[operation(GET "/me/matches", refuses(UserRequired))]
pub(crate) async fn list_my_matches(
    app: &App,
    call: &Call<(), (), Paged>,
) -> Answer<Items<MyMatchView>> {
    let user_id = tokens::user(call)?;
    let page = call.page().of(app.db.my_matches(&user_id)).await?;
    let states = states_of(app, &page.rows).await?;
    let items = page.rows.iter().zip(states).map(|(mine, row)| MyMatchView::of(mine, row));
    let next_token = page.next.map(|cursor| cursor.to_string());
    Ok(Items { items: items.collect(), next_token, unreadable: page.unreadable.len() }.into())
}

/// The stored state of a match.
pub(crate) enum StoredState {
    State(Box<MatchRow>),
    Gone,
    Unreadable,
}

/// Returns the states of matches. One that can't be read or rebuilt does not hide others.
pub(crate) async fn states_of(app: &App, mine: &[MyMatch]) -> Result<Vec<StoredState>, Problem> {
    let keys: Vec<MatchRowKey> =
        mine.iter().map(|mine| MatchRowKey::new(mine.match_id.clone())).collect();
    let of = |row: Option<MatchRow>| {
        row.map_or(StoredState::Gone, |row| StoredState::State(Box::new(row)))
    };
    match app.db.match_states(&keys).await {
        Ok(states) => return Ok(states.into_iter().map(of).collect()),
        Err(Error::Decode { .. } | Error::Key { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let mut states = Vec::with_capacity(keys.len());
    for key in keys {
        states.push(match app.find_match(&key.match_id).await {
            Ok(row) => of(row),
            Err(problem) if problem.status() == 500 => {
                app.backlog.unreadable();
                StoredState::Unreadable
            }
            Err(problem) => return Err(problem),
        });
    }
    Ok(states)
}
