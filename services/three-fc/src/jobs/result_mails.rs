//! Writes the e-mails about a finished game: one to every user who has claimed a player of its line-ups.
//!
//! `finishGame` leaves one ticket, so that its transaction stays small however many players there are.

use monotable::model::time::Timestamp;
use monotable::model::{Store, create};
use monotable_kit::jobs::{JobStep, JobTicket};
use monotable_kit::outbox::{Letter, LetterSealer, OutboxMessage};
use monotable_kit::{Problem, Zone};
use serde::{Deserialize, Serialize};

use crate::api::players::by_ids;
use crate::app::LANE;
use crate::pages::day;
use crate::rules::callouts::{callouts, result_text};
use crate::table::{
    Game, GameId, GameResult, GameStatus, Player, ThreeFc, ThreeFcReads as _, User,
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
/// Returns 500 if the ids can't be written.
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
    let next = result.players.len().min(from + PLAYERS_MAX);
    let ids = result.players[from.min(next)..next].iter().map(|line| &line.player_id);
    for player in by_ids(&db, ids).await? {
        let Some(user) = owner(&db, &player).await? else { continue };
        if let Some(letter) = letter(game, result, (&player, &user), &zone) {
            let id = format!("{}.{}.{}", game.game_id, mails.version, player.player_id);
            tx.add(create(OutboxMessage::new(LANE, &id, letter, &sealer, db.now())?));
        }
    }
    Ok(if next < result.players.len() { JobStep::next(tx, next) } else { JobStep::done(tx) })
}

/// Returns the account of the user who has claimed a player.
async fn owner(db: &Store<ThreeFc>, player: &Player) -> Result<Option<User>, Problem> {
    let Some(user_id) = &player.claimed_by_user_id else { return Ok(None) };
    Ok(db.user(user_id).await?.filter(|user| user.deleted_at.is_none()))
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
    let (game_id, player_id) = (&game.game_id, &player.player_id);
    let at = game.finished_at.unwrap_or_default();
    Some(Letter {
        recipient: user.email.clone()?,
        subject: "The result of your game".to_owned(),
        text: text + "\n",
        deduplication_key: format!("result-{game_id}-{at}-{player_id}"),
    })
}
