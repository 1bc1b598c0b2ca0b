//! Opening a match.

use std::time::Duration;

use monotable::model::time::{EpochSeconds, Timestamp};
use monotable::model::{Error, create, edit};
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::json;

use super::mine;
use super::narrate::personas_soon;
use crate::app::App;
use crate::log::{self, SHARDS};
use crate::rate::{self, Counted, Limited};
use crate::rules::decide::{self, NewMatch};
use crate::rules::events::{Event, fold};
use crate::rules::moderation;
use crate::rules::redact::{Viewer, state_view};
use crate::rules::rng::Seed;
use crate::rules::state::{MatchState, Mode, Rules, Status, Theme};
use crate::table::{
    BtlRunReads as _, Budget, Invite, InviteCode, Lobbies, LobbiesKey, MatchId, MatchRow,
    SecretRow, Settled, Stamps, TokenHashes, UserId,
};
use crate::tokens::{self, Bearer};

/// Lobbies that a user may have open.
const LOBBIES_MAX: usize = 5;
/// How long a code can be used, counted again whenever something happens in the lobby.
pub(crate) const INVITE_KEPT: Duration = Duration::from_secs(30 * 60);
/// Tributes that nobody plays, unless the host says how many.
const AI_DEFAULT: u32 = 6;
/// Codes that are tried before the request is.
const CODES_MAX: usize = 8;
/// Letters and digits that nobody takes for another: no 0, O, 1 or I.
const ALPHABET: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_CHARACTERS: usize = 6;
/// The code of a problem that only [`open_match`] sees.
const CODE_TAKEN: &str = "INVITE_CODE_TAKEN";

/// The body of `POST /match`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CreateMatchBody {
    mode: Mode,
    #[serde(default)]
    rules: Rules,
    #[serde(default)]
    theme: Theme,
    max_days: Option<u32>,
    timezone: Option<String>,
    cutoff: Option<String>,
    max_real_days: Option<u32>,
    ai_count: Option<u32>,
    #[serde(default)]
    sharded_log: bool,
}

/// A match that is about to be written.
struct Draft {
    user_id: UserId,
    state: MatchState,
    event: Event,
    secret: SecretRow,
    /// The row of the user's lobbies that was read, if there was one.
    lobbies: Option<Lobbies>,
    /// The user's lobbies with this one.
    open: Vec<MatchId>,
    token: String,
}

/// Counts a match that a user opens.
///
/// # Errors
/// 401, 403 or 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    rate::count(app, Limited::Create, tokens::user(call)?.as_str()).await
}

/// `POST /match`. Only this response, and its repeats, have the host's token.
///
/// # Errors
/// 400 for a match that can't be, 409 `TOO_MANY_LOBBIES`.
pub async fn open_match(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    let mut draft = draft(app, call, user_id).await?;
    for _ in 0..CODES_MAX {
        draft.secret.invite_code = Some(invite_code(app)?);
        match write(app, call, &draft).await {
            Err(problem) if problem.code == CODE_TAKEN => {}
            done => return done,
        }
    }
    Err(Problem::internal("no code was free"))
}

async fn draft(app: &App, call: &Request, user_id: UserId) -> Result<Draft, Problem> {
    let body: CreateMatchBody = call.read()?;
    moderation::check("theme.arena", &body.theme.arena)?;
    let match_id: MatchId = app.new_id()?;
    let mut bytes = [0; 32];
    app.randomness.fill(&mut bytes);
    let seed = Seed::new(bytes);
    let event = decide::create(body.into_match(&match_id, &user_id, &seed)?, app.now_ms())?;
    let mut state = fold(None, &event).map_err(|error| Problem::internal(error.to_string()))?;
    state.version = 1;
    let lobbies = match app.db.lobbies(&user_id).await {
        // Nobody knows any more what it said, and it must not be in the way.
        Err(Error::Decode { .. }) => {
            app.db.delete_by_key(&LobbiesKey::new(user_id.clone())).await?;
            None
        }
        read => read?,
    };
    let mut open = still_open(app, lobbies.as_ref()).await?;
    if open.len() >= LOBBIES_MAX {
        let text = "You have five lobbies open; start or end one of them first.";
        return Err(Problem::conflict("TOO_MANY_LOBBIES", text).with("matchIds", json!(open)));
    }
    open.push(match_id.clone());
    let (token, admin) = Bearer::Host(match_id.clone()).issue(&*app.randomness);
    let token_hashes = TokenHashes { admin, ..TokenHashes::default() };
    let (invite_code, pinned) = (None, false);
    let secret = SecretRow {
        match_id,
        seed,
        token_hashes,
        invite_code,
        pinned,
        stamps: Stamps::default(),
        ttl: None,
    };
    Ok(Draft { user_id, state, event, secret, lobbies, open, token })
}

/// The matches of a user that wait for players. One that can't be read waits for nobody.
async fn still_open(app: &App, lobbies: Option<&Lobbies>) -> Result<Vec<MatchId>, Problem> {
    let Some(lobbies) = lobbies else { return Ok(Vec::new()) };
    let mut open = Vec::new();
    for match_id in &lobbies.open {
        match app.find_match(match_id).await {
            Ok(Some(row)) if row.state.status == Status::Lobby => open.push(row.match_id),
            Ok(_) => {}
            Err(problem) if problem.status() == 500 => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(open)
}

async fn write(app: &App, call: &Request, draft: &Draft) -> Result<Reply, Problem> {
    let (match_id, now) = (&draft.state.match_id, app.db.now());
    let Some(code) = draft.secret.invite_code.clone() else {
        return Err(Problem::internal("a match without a code"));
    };
    let row = MatchRow {
        match_id: match_id.clone(),
        state: draft.state.clone(),
        stamps: Stamps::default(),
        ttl: None,
    };
    let mut tx = app.db.transact();
    let invite = tx.add(create(invite(&code, match_id, now)));
    tx.add(create(row));
    tx.add(create(draft.secret.clone()));
    tx.add(create(Budget {
        match_id: match_id.clone(),
        tokens: 0,
        stamps: Stamps::default(),
        ttl: None,
    }));
    tx.add(create(Settled { match_id: match_id.clone(), tokens: 0, ttl: None }));
    mine::keep(&mut tx, &draft.state, &draft.user_id)?;
    log::append(&mut tx, &draft.state, &draft.event, None);
    let lobbies = match &draft.lobbies {
        Some(lobbies) => tx.add(edit(lobbies, |row| row.open.clone_from(&draft.open))),
        None => {
            let (user_id, open) = (draft.user_id.clone(), draft.open.clone());
            tx.add(create(Lobbies { user_id, open, stamps: Stamps::default() }))
        }
    };
    let shown = json!({
        "matchId": match_id,
        "inviteCode": code,
        "seedCommit": draft.state.seed_commit,
        "match": state_view(&draft.state, &Viewer::GameMaster),
    });
    let token = draft.token.clone();
    call.commit(tx)
        .refuse(invite, Problem::conflict(CODE_TAKEN, "The code is taken."))
        // Another request opened the user's first lobby at the same moment.
        .retry(lobbies)
        .after(|_| personas_soon(app, match_id))
        .reply(move |_| Reply::created(&shown).secret("adminToken", token.clone()))
        .await
}

impl CreateMatchBody {
    fn into_match(
        self,
        match_id: &MatchId,
        user_id: &UserId,
        seed: &Seed,
    ) -> Result<NewMatch, Problem> {
        let cutoff_minute_of_day = match &self.cutoff {
            Some(text) => Some(minute_of_day(text)?),
            None => None,
        };
        Ok(NewMatch {
            match_id: match_id.clone(),
            host_user_id: Some(user_id.clone()),
            mode: self.mode,
            rules: self.rules,
            theme: self.theme,
            max_days: self.max_days,
            timezone: self.timezone,
            cutoff_minute_of_day,
            max_real_days: self.max_real_days,
            ai_count: self.ai_count.unwrap_or(AI_DEFAULT),
            seed_commit: seed.commit(),
            shard_count: if self.sharded_log { SHARDS } else { 0 },
        })
    }
}

/// `21:00` as minutes of the day.
fn minute_of_day(text: &str) -> Result<u16, Problem> {
    let is_number =
        |text: &str| text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
    let parts = text.split_once(':').filter(|(hour, minute)| is_number(hour) && is_number(minute));
    let numbers = parts
        .and_then(|(hour, minute)| Some((hour.parse::<u16>().ok()?, minute.parse::<u16>().ok()?)));
    match numbers {
        Some((hour @ 0..=23, minute @ 0..=59)) => Ok(hour * 60 + minute),
        _ => Err(Problem::field("cutoff", "is a time of the day, such as 21:00")),
    }
}

/// A code that can be used from now on.
pub(crate) fn invite(code: &InviteCode, match_id: &MatchId, now: Timestamp) -> Invite {
    Invite {
        code: code.clone(),
        match_id: match_id.clone(),
        created_at: now.as_ms(),
        stamps: Stamps::default(),
        ttl: Some(invite_end(now)),
    }
}

/// When a code that is used now ends.
pub(crate) fn invite_end(now: Timestamp) -> EpochSeconds {
    EpochSeconds::new(now.as_ms() / 1000) + INVITE_KEPT
}

/// A code that nobody can guess: six of 32 letters and digits.
pub(crate) fn invite_code(app: &App) -> Result<InviteCode, Problem> {
    let mut bytes = [0; CODE_CHARACTERS];
    app.randomness.fill(&mut bytes);
    let text: String =
        bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    InviteCode::new(text).map_err(|error| Problem::internal(error.to_string()))
}
