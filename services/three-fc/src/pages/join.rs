//! `GET /join/{code}`: where people join a game, from the QR code that this page also shows.

use askama::Template;
use monotable_kit::{Form, Html, QrCode};

use crate::api::join::{open, use_code};
use crate::api::players::{claim, claimed_by};
use crate::api::prelude::*;
use crate::api::public::players;
use crate::api::public::scoreboard::{Scoreboard, scoreboard};
use crate::legacy::games::shown;

/// The content of the page.
#[derive(Template)]
#[template(path = "join.html")]
struct JoinPage {
    board: Scoreboard,
    /// As a new player.
    new: Form,
    /// As a player that the person has claimed.
    claimed: Option<Form>,
    /// Players of the game whom nobody has claimed, for people who are signed in.
    unclaimed: Vec<(String, Form)>,
    is_signed_in: bool,
    join_code: JoinCode,
    url: String,
    code: QrCode,
}

/// Shows how to join a game.
#[operation(GET "/join/{code}", public, refuses(NotFound, JoinClosed))]
async fn join_page(app: &App, call: &Call<JoinPath>) -> Answer<Html> {
    let (join, game) = open(app, call.path.code.as_str()).await?;
    let then = format!("/games/{}", game.game_id);
    let new = Form::of(call, &use_code::route()).required("nickname").submit("Join").then(&then);
    let is_signed_in = call.principal.is_some();
    let new = new.without(if is_signed_in { &["playerId"] } else { &["playerId", "claim"] });
    let (mine, unclaimed) = if is_signed_in {
        (claimed_players(app, call).await?, unclaimed_players(app, call, &game).await?)
    } else {
        Default::default()
    };
    let mine = mine.into_iter();
    let mine =
        mine.map(|player| (player.player_id.to_string(), format!("Join as {}", player.nickname)));
    let mine: Vec<(String, String)> = mine.collect();
    let claimed = (!mine.is_empty()).then(|| {
        Form::of(call, &use_code::route())
            .without(&["nickname", "claim"])
            .submits("playerId", mine)
            .then(&then)
    });
    let url = call.url(&format!("/join/{}", join.code));
    let code = QrCode::of(&url, "QR code to join the game")?;
    let board = scoreboard(app, &shown(app, game).await?).await?;
    let join_code = join.code;
    let page = JoinPage { board, new, claimed, unclaimed, is_signed_in, join_code, url, code };
    Ok(Html::new(call, "Join the game", &page)?.into())
}

/// Returns the players that the caller has claimed.
pub(super) async fn claimed_players(app: &App, call: &Request) -> Result<Vec<Player>, Problem> {
    claimed_by(app, &accounts::signed_in(app, call.principal()?).await?.user_id).await
}

/// Returns the players of a game whom nobody has claimed, and the forms that make them the caller's own.
async fn unclaimed_players(
    app: &App,
    call: &Call<JoinPath>,
    game: &Game,
) -> Result<Vec<(String, Form)>, Problem> {
    let roster = app.db.roster(&game.game_id).all().await?;
    let pool = app.db.pool(&game.league_id).all().await?;
    let joined =
        pool.into_iter().filter(|entry| entry.last_game_id.as_ref() == Some(&game.game_id));
    let ids = roster.into_iter().map(|entry| entry.player_id);
    let ids = ids.chain(joined.map(|entry| entry.player_id)).collect();
    let free = players(app, ids).await?.into_values();
    let free = free.filter(|player| player.claimed_by_user_id.is_none());
    let form = |player: Player| {
        let form = Form::of(call, &claim::route())
            .path("playerId", &player.player_id)
            .fixed("code", &call.path.code)
            .without(&["userId"])
            .submit("This is me")
            .then(format!("/join/{}", call.path.code));
        (player.nickname, form)
    };
    Ok(free.map(form).collect())
}
