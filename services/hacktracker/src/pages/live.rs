//! `GET /live/{token}`: the page of a shared game: the score, the diamond, the plays and the box
//! score.

use askama::Template;
use monotable_kit::{Answer, Call, Html, KeptPage, Problem, QrCode, Words as _, operation};

use crate::api::shares::follow::{SharedGame, shared_game, token};
use crate::api::shares::plays::{PlayByPlay, plays};
use crate::app::App;
use crate::refusal::Refusal;
use crate::rules::batting::BattingLine;
use crate::rules::box_score::BoxScore;
use crate::rules::live::{self, Situation};
use crate::rules::results::Outcome;
use crate::rules::roster::Who;
use crate::table::GameStatus;

/// The content of the page.
#[derive(Template)]
#[template(path = "live.html")]
struct LivePage {
    title: String,
    opponent: String,
    status: &'static str,
    score: BoxScore,
    situation: Option<Situation>,
    batter: Option<String>,
    log: PlayByPlay,
    /// The address of this page, for other phones.
    url: String,
    code: QrCode,
}

/// Shows a game to anyone with its link, and keeps it up to date.
#[operation(GET "/live/{token}", public, refuses(ShareNotFound))]
pub(crate) async fn live_page(app: &App, call: &Call) -> Answer<Html> {
    let shared = shared_game(app, call).await?;
    let SharedGame { team, played } = &shared;
    let players = played.roster.iter().map(|player| (&player.player_id, player.stamps.version));
    let with = (&team.name, players.collect::<Vec<_>>());
    let page = KeptPage::new(format!("live {}", token(call)), played.game.stamps.version);
    app.pages.show(call, page.with(with), app.db.now(), async { rendered(call, &shared) }).await
}

fn rendered(call: &Call, shared: &SharedGame) -> Result<Html, Problem> {
    let (game, log) = (&shared.played.game, plays(shared));
    let opponent = game.opponent_name.clone().unwrap_or_else(|| "Opponent".to_owned());
    let is_live = game.status == GameStatus::InProgress;
    let situation = is_live.then(|| live::situation(game, &shared.played.at_bats));
    let url = call.url(&format!("/live/{}", token(call)));
    let at_bat = situation.as_ref().and_then(|situation| situation.batter.as_ref());
    let page = LivePage {
        title: format!("{} – {opponent}", log.team_name),
        opponent,
        status: status(game.status),
        score: shared.played.box_score(),
        batter: at_bat.map(|place| name(&Who::of(&place.player_id, &shared.played.roster))),
        situation,
        log,
        code: QrCode::of(&url, "QR code with the address of this page")?,
        url,
    };
    let page = Html::new(call, page.title.clone(), &page)?;
    Ok(page.live(format!("/share/{}/events", token(call))))
}

/// Returns the status of a game in words.
pub(super) fn status(status: GameStatus) -> &'static str {
    match status {
        GameStatus::Scheduled => "Not started yet",
        GameStatus::InProgress => "Live",
        GameStatus::Final => "Final",
        GameStatus::Postponed => "Postponed",
    }
}

/// Returns a player's usual name: the name with its number, or only the number.
pub(super) fn name(who: &Who) -> String {
    let names = [who.first_name.as_deref(), who.last_name.as_deref()];
    let name = names.into_iter().flatten().collect::<Vec<_>>().join(" ");
    match (name.is_empty(), who.player_number) {
        (false, Some(number)) => format!("{name} #{number}"),
        (false, None) => name,
        (true, Some(number)) => format!("Player #{number}"),
        (true, None) => "Former player".to_owned(),
    }
}

/// Returns a result in words.
pub(super) fn words(result: &str) -> &str {
    match Outcome::read(result) {
        Some(Outcome::Strikeout) => "strikes out",
        Some(Outcome::Walk) => "walks",
        Some(Outcome::HitByPitch) => "is hit by a pitch",
        Some(Outcome::Single) => "singles",
        Some(Outcome::Double) => "doubles",
        Some(Outcome::Triple) => "triples",
        Some(Outcome::HomeRun) => "hits a home run",
        Some(Outcome::Out) => "is out",
        Some(Outcome::Sacrifice) => "sacrifices",
        Some(Outcome::FieldersChoice) => "reaches on a fielder's choice",
        Some(Outcome::Error) => "reaches on an error",
        None => result,
    }
}

impl LivePage {
    /// Returns the plays, the last inning first, and in it the last play first.
    fn innings(&self) -> Vec<(u8, Vec<String>)> {
        let mut innings: Vec<(u8, Vec<String>)> = Vec::new();
        for play in self.log.plays.iter().rev() {
            let mut text = format!("{} {}", name(&play.batter), words(&play.result));
            let others = play.scored.iter().filter(|who| who.player_id != play.batter.player_id);
            let scored: Vec<String> = others.map(name).collect();
            match scored.len() {
                0 => {}
                1 => text += &format!("; {} scores", scored[0]),
                _ => text += &format!("; {} score", scored.join(", ")),
            }
            match innings.last_mut() {
                Some((inning, plays)) if *inning == play.inning => plays.push(text),
                _ => innings.push((play.inning, vec![text])),
            }
        }
        innings
    }

    /// Returns the bases in the order in which they are drawn, with their runners.
    fn bases(&self) -> [(&'static str, &'static str, Option<String>); 3] {
        let base = &self.log.on_base;
        [
            ("First", "M75 50 l10 10 l-10 10 l-10 -10 z", base.first.as_ref().map(name)),
            ("Second", "M50 25 l10 10 l-10 10 l-10 -10 z", base.second.as_ref().map(name)),
            ("Third", "M25 50 l10 10 l-10 10 l-10 -10 z", base.third.as_ref().map(name)),
        ]
    }

    /// Returns the figures of a line in the box score: at-bats, runs, hits, runs batted in, walks, strikeouts.
    fn figures(line: &BattingLine) -> [u64; 6] {
        [line.at_bats(), line.runs, line.hits(), line.runs_batted_in, line.walks, line.strikeouts]
    }
}
