//! `GET /manage/games/{gameId}`: the line-ups of a game, which players enter by a tap.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use monotable_kit::{Form, Html};

use super::super::{color, title};
use super::{Section, with_third_lengths};
use crate::api::acl::list::emails;
use crate::api::game_change::GameChange;
use crate::api::games::{GameView, delete, finish, reopen, set_team, teams, update};
use crate::api::prelude::*;
use crate::api::public::players;
use crate::api::{join, roster};

/// Lines of the audit that are shown.
const HISTORY_MAX: usize = 50;

/// The content of the page.
#[derive(Template)]
#[template(path = "lineups.html")]
struct LineupsPage {
    game: Game,
    title: String,
    teams: Vec<LineUp>,
    /// Players of the league who are in no team yet, with a button for each team.
    pool: Vec<(String, Form)>,
    /// Until the game is finished.
    join: Option<Form>,
    settings: Section,
    /// What was done to the game, the latest first.
    history: Vec<String>,
}

struct LineUp {
    team: TeamSnapshot,
    /// Gives the team another name or colour in this game.
    rename: Form,
    /// Nicknames, and the forms that take them out.
    players: Vec<(String, Form)>,
}

/// Shows the line-ups of a game to those who run it.
#[operation(GET "/manage/games/{gameId}", refuses(refusal::SCORING))]
async fn manage_game(app: &App, call: &Call<GamePath>) -> Answer<Html> {
    let game_id = &call.path.game_id;
    let change = GameChange::read(app, call, game_id).await?;
    let (game, entries) = (change.game.clone(), &change.sheet.roster);
    let mut pool = app.db.pool(&game.league_id).all().await?;
    let mut ids: BTreeSet<PlayerId> = pool.iter().map(|entry| entry.player_id.clone()).collect();
    ids.extend(entries.iter().map(|entry| entry.player_id.clone()));
    let known = players(app, ids).await?;
    let then = format!("/manage/games/{game_id}");
    let nickname = |player_id: &PlayerId| {
        known.get(player_id).map_or_else(|| player_id.to_string(), |one| one.nickname.clone())
    };
    let teams = game.teams.iter().map(|team| LineUp {
        team: team.clone(),
        rename: Form::of(call, &set_team::route())
            .path("teamId", &team.team_id)
            .distinct(&team.team_id)
            .values(team)
            .submit("Save the name")
            .then(&then),
        players: entries
            .iter()
            .filter(|entry| entry.team_id == team.team_id)
            .map(|entry| {
                let form = Form::of(call, &roster::remove::route())
                    .path("playerId", &entry.player_id)
                    .submit("Take out")
                    .then(&then);
                (nickname(&entry.player_id), form)
            })
            .collect(),
    });
    // Players who came for this game are first, then those who played last.
    pool.sort_by_cached_key(|entry| {
        let is_here = entry.last_game_id.as_ref() == Some(game_id);
        (!is_here, Reverse(entry.last_played), nickname(&entry.player_id).to_lowercase())
    });
    let is_free = |player: &&Player| entries.iter().all(|it| it.player_id != player.player_id);
    let buttons = || game.teams.iter().map(|team| (team.team_id.to_string(), team.name.clone()));
    let listed = pool.iter().filter_map(|entry| known.get(&entry.player_id));
    let free = listed.filter(is_free).map(|player| {
        let form = Form::of(call, &roster::assign::route())
            .fixed("playerId", &player.player_id)
            .without(&["fromTeamId"])
            .submits("teamId", buttons())
            .then(&then);
        (player.nickname.clone(), form)
    });
    let pool = free.collect();
    let is_open = game.status != GameStatus::Finished;
    let page = LineupsPage {
        title: title(&game.teams),
        settings: settings(app, call, &change).await?,
        history: history(app, call, &change, &known).await?,
        teams: teams.collect(),
        pool,
        join: is_open.then(|| {
            Form::of(call, &join::make_code::route())
                .submit("Let players join by QR code")
                .then("/join/{code}")
        }),
        game: game.clone(),
    };
    Ok(Html::new(call, page.title.clone(), &page)?.into())
}

/// Returns the latest lines of a game's audit in words. Admins see who it was.
async fn history(
    app: &App,
    call: &Call<GamePath>,
    change: &GameChange<'_>,
    known: &BTreeMap<PlayerId, Player>,
) -> Result<Vec<String>, Problem> {
    let lines = app.db.audit(&change.game.game_id).skip_unreadable().take(HISTORY_MAX);
    let lines = lines.page().await?.rows;
    let mut actors = vec![None; lines.len()];
    if change.granted.is_admin() {
        actors = emails(app, lines.iter().map(|line| &line.actor)).await?;
    }
    let name = |word: &str| {
        let player = PlayerId::new(word).ok().and_then(|id| known.get(&id));
        player.map_or_else(|| word.to_owned(), |player| player.nickname.clone())
    };
    let names = |values: &BTreeMap<String, String>, field: &str| {
        let value = values.get(field).map_or("", String::as_str);
        if !field.contains("Player") {
            return value.to_owned();
        }
        value.split(' ').map(name).collect::<Vec<_>>().join(", ")
    };
    let show = |(line, actor): (&Audit, Option<String>)| {
        let mut text = format!("{} · {}", call.viewer.zone.text(line.at), words(&line.action));
        if let Some(email) = actor {
            text += &format!(" by {email}");
        }
        let fields: BTreeSet<&String> = line.before.keys().chain(line.after.keys()).collect();
        for field in fields {
            let label = words(field).to_lowercase();
            let label = label.trim_end_matches('s').trim_end_matches(" id");
            match (names(&line.before, field), names(&line.after, field)) {
                (before, after) if before.is_empty() && ["", "false"].contains(&&*after) => {}
                (before, after) if before.is_empty() => text += &format!(" · {label}: {after}"),
                (before, after) => text += &format!(" · {label}: {before} → {after}"),
            }
        }
        text
    };
    Ok(lines.iter().zip(actors).map(show).collect())
}

/// Returns the name of an operation in words: `editGoal` becomes `Edit goal`.
fn words(action: &str) -> String {
    let mut words = String::new();
    for one in action.chars() {
        match one {
            first if words.is_empty() => words.extend(first.to_uppercase()),
            upper if upper.is_uppercase() => {
                words.push(' ');
                words.extend(upper.to_lowercase());
            }
            other => words.push(other),
        }
    }
    words
}

/// Returns what can be changed of a game.
async fn settings(
    app: &App,
    call: &Call<GamePath>,
    change: &GameChange<'_>,
) -> Result<Section, Problem> {
    let game = &change.game;
    let then = format!("/manage/games/{}", game.game_id);
    let mut form = Form::of(call, &update::route()).without(&["status"]);
    if game.thirds.is_empty() {
        let season = teams::of_season(&app.db, &game.season_id).await?;
        let others = season.iter().filter(|team| !game.team_ids.contains(&team.team_id));
        let teams = game.teams.iter().chain(others);
        let teams = teams.map(|team| (team.team_id.to_string(), team.name.clone()));
        form = with_third_lengths(form).options("teamIds", teams);
    } else {
        form = form.without(&["teamIds", "thirdLengthMinutes"]);
    }
    let form = form.values(&GameView::of(game)).submit("Save the game").then(&then);
    let mut forms = vec![("Start, place and visibility", form)];
    if change.granted.is_admin() {
        match game.status {
            GameStatus::Live => {
                let end = Form::of(call, &finish::route()).submit("End the game now").then(&then);
                forms.push(("End the game early", end));
            }
            GameStatus::Finished => {
                let reopen = Form::of(call, &reopen::route()).submit("Reopen the game").then(&then);
                forms.push(("Reopen", reopen));
            }
            GameStatus::Scheduled | GameStatus::Deleting => {}
        }
        let delete = Form::of(call, &delete::route()).submit("Delete the game");
        forms.push(("Delete", delete.then(format!("/manage/seasons/{}", game.season_id))));
    }
    Ok(Section::settings(forms))
}
