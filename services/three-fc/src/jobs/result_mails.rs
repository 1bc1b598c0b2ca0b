//! Writes the e-mails about a finished game: one to every user who has claimed a player of its line-ups.
//!
//! `finishGame` leaves one ticket, so that its transaction stays small however many players there are.

use monotable::model::time::Timestamp;
use monotable::model::{Store, create};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::outbox::{Letter, LetterSealer, OutboxMessage};
use monotable_kit::{Problem, Zone};
use serde::{Deserialize, Serialize};

use crate::app::LANE;
use crate::pages::day;
use crate::rules::callouts::{callouts, result_text};
use crate::table::{
    Game, GameId, GameResult, GameStatus, Player, PlayerKey, ThreeFc, ThreeFcReads as _, User,
    UserKey,
};

/// The kind of the work that is promised.
pub(super) const KIND: &str = "result-mails";
/// Players of a step at most.
const PLAYERS_MAX: usize = 40;

/// What the work is about.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultMails {
    game_id: GameId,
    /// The version of the game that was finished.
    version: u64,
    /// When it was finished: a game that is reopened meanwhile gets other e-mails.
    finished_at: Timestamp,
}

/// Returns the ticket that promises the e-mails about a game that is finished now.
///
/// # Errors
/// 500 if the ids can't be written.
pub(crate) fn ticket(game: &Game, now: Timestamp) -> Result<JobTicket, Problem> {
    let (game_id, version) = (game.game_id.clone(), game.stamps.version);
    let id = format!("{game_id}.{version}");
    JobTicket::new(KIND, &id, &ResultMails { game_id, version, finished_at: now }, now)
}

/// Writes the e-mails to some players, from a position in the result on.
pub(super) async fn step(
    db: Store<ThreeFc>,
    (sealer, zone): (LetterSealer, Zone),
    mails: ResultMails,
    from: Option<usize>,
) -> Result<JobStep<ThreeFc, usize>, Problem> {
    let mut tx = db.transact();
    let game = db.game(&mails.game_id).await?;
    let game = game.filter(|game| {
        game.status == GameStatus::Finished && game.finished_at == Some(mails.finished_at)
    });
    let Some((game, result)) = game.as_ref().and_then(|game| Some((game, game.result.as_ref()?)))
    else {
        return Ok(JobStep::done(tx));
    };
    let from = from.unwrap_or_default();
    let lines = result.players.iter().skip(from).take(PLAYERS_MAX);
    let keys: Vec<PlayerKey> = lines.map(|line| PlayerKey::new(line.player_id.clone())).collect();
    for (player, user) in claimed(&db, &keys).await? {
        if let Some(letter) = letter(game, result, (&player, &user), &zone) {
            let id = format!("{}.{}.{}", game.game_id, mails.version, player.player_id);
            tx.add(create(OutboxMessage::new(LANE, &id, letter, &sealer, db.now())?));
        }
    }
    let next = from + keys.len();
    Ok(if next < result.players.len() { JobStep::next(tx, next) } else { JobStep::done(tx) })
}

/// Returns the players that somebody has claimed, with the accounts.
async fn claimed(db: &Store<ThreeFc>, keys: &[PlayerKey]) -> Result<Vec<(Player, User)>, Problem> {
    let players: Vec<Player> = db.players_by_key(keys).await?.into_iter().flatten().collect();
    let mut claimed = Vec::new();
    for player in players {
        let Some(user_id) = player.claimed_by_user_id.clone() else { continue };
        let user = db.users_by_key(&[UserKey::new(user_id)]).await?.pop().flatten();
        if let Some(user) = user.filter(|user| user.deleted_at.is_none()) {
            claimed.push((player, user));
        }
    }
    Ok(claimed)
}

/// Returns the e-mail to the user of a player.
fn letter(
    game: &Game,
    result: &GameResult,
    (player, user): (&Player, &User),
    zone: &Zone,
) -> Option<Letter> {
    let mut text = format!(
        "Hello {},\n\nthe game of {} is over:\n\n{}",
        player.nickname,
        day(&zone.day(game.starts_at())),
        result_text(&game.teams, result)
    );
    for sentence in callouts(result, &player.player_id) {
        text = text + "\n" + &sentence;
    }
    Some(Letter {
        recipient: user.email.clone()?,
        subject: "The result of your game".to_owned(),
        text: text + "\n",
        deduplication_key: format!(
            "result-{}-{}-{}",
            game.game_id,
            game.finished_at.unwrap_or_default(),
            player.player_id
        ),
    })
}
