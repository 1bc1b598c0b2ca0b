//! `POST /match`: creates a match.

use crate::api::lobby::codes::{invite_code, new_invite};
use crate::api::lobby::my_match;
use crate::api::prelude::*;
use crate::jobs::narrate::personas_soon;
use crate::log::{self, SHARDS};
use crate::rules::decide::NewMatch;
use crate::rules::events::fold;
use crate::rules::rng::Seed;
use crate::rules::state::{Mode, Rules, Theme};

/// The maximum number of open lobbies per user.
const LOBBIES_MAX: usize = 5;
/// The default number of AI tributes.
const AI_DEFAULT: u32 = 6;
const MATCHES: CallLimit = CallLimit::per_hour("create", 5);

/// A match to create.
#[derive(Debug, Body)]
pub(crate) struct MatchOptions {
    #[body(example = "quick")]
    mode: Mode,
    #[body(default)]
    rules: Rules,
    #[body(default)]
    theme: Theme,
    /// 5, 10 or 20 by default, depending on the mode.
    #[body(range = 1..=30)]
    max_days: Option<u32>,
    /// The IANA time zone in which days of a long match end; UTC by default.
    #[body(length = 1..=64, example = "Europe/Berlin")]
    timezone: Option<String>,
    /// The local time at which they end.
    #[body(example = "21:00")]
    cutoff: Option<TimeOfDay>,
    /// 7, 14 or 30; for long matches.
    #[body(range = 7..=30)]
    max_real_days: Option<u32>,
    /// The number of AI tributes; 6 by default.
    #[body(range = 0..=24)]
    ai_count: Option<u32>,
    /// Spreads the log over four partitions.
    #[body(default)]
    sharded_log: bool,
}

/// A minute of the day, as `21:00`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct TimeOfDay(u16);

impl FieldType for TimeOfDay {
    fn kind() -> Kind {
        Kind::Text { length: 5..=5 }
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let number = |text: &str| {
            let is_number = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
            text.parse::<u16>().ok().filter(|_| is_number)
        };
        let parts = text.split_once(':');
        match parts.and_then(|(hour, minute)| Some((number(hour)?, number(minute)?))) {
            Some((hour @ 0..=23, minute @ 0..=59)) => Ok(Self(hour * 60 + minute)),
            _ => Err("is a time of the day, such as 21:00"),
        }
    }
}

/// The match, its code, and the host's token.
#[derive(Clone, View)]
pub(crate) struct OpenedMatch {
    #[view(example = "m1")]
    match_id: MatchId,
    /// Only this response contains it.
    #[view(secret, example = "btl1/host/m1/…")]
    admin_token: String,
    #[view(example = "K7Q2MD")]
    invite_code: InviteCode,
    #[view(example = "9f86d0…")]
    seed_commit: String,
    #[view(name = "match")]
    state: MatchView,
}

/// Creates a match. Only this response contains its host's token.
#[operation(POST "/match", once_required, limit(MATCHES, host),
    refuses(ContentViolation, UserRequired, TooManyLobbies))]
pub(crate) async fn create_match(
    app: &App,
    call: &Call<(), MatchOptions>,
) -> Answer<Created<OpenedMatch>> {
    let user_id = tokens::user(call)?;
    moderation::check("theme.arena", &call.body.theme.arena)?;
    let (match_id, code): (MatchId, _) = (app.new_id()?, invite_code(app)?);
    let seed = app.new_seed();
    let new = call.body.to_match(&match_id, &user_id, &seed);
    let event = decide::create(new, app.now_ms())?;
    let mut state = fold(None, &event).map_err(|error| Problem::internal(error.to_string()))?;
    state.version = 1;
    let lobbies = lobbies(app, &user_id).await?;
    let mut open = still_open(app, lobbies.as_ref()).await?;
    if open.len() >= LOBBIES_MAX {
        return Err(Refusal::TooManyLobbies.with("matchIds", json!(open)));
    }
    open.push(match_id.clone());
    let (admin_token, admin) = Bearer::Host(match_id.clone()).issue(&*app.randomness);
    let mut tx = call.transact(&app.db).after(|_| personas_soon(app, &match_id));
    // A retry generates another code.
    tx.expect(create(new_invite(&code, &match_id, app.db.now())));
    tx.add(create(MatchRow {
        match_id: match_id.clone(),
        state: state.clone(),
        stamps: Stamps::default(),
        ttl: None,
    }));
    tx.add(create(SecretRow {
        match_id: match_id.clone(),
        seed,
        token_hashes: TokenHashes { admin, ..TokenHashes::default() },
        invite_code: Some(code.clone()),
        pinned: false,
        stamps: Stamps::default(),
        ttl: None,
    }));
    let stamps = Stamps::default();
    tx.add(create(Budget { match_id: match_id.clone(), tokens: 0, stamps, ttl: None }));
    tx.add(create(Settled { match_id: match_id.clone(), tokens: 0, ttl: None }));
    tx.add(put(my_match(&state, &user_id)?));
    log::append(&mut tx, &state, &event, None);
    // Another request may create the user's first lobby at the same moment.
    match &lobbies {
        Some(lobbies) => tx.expect(edit(lobbies, |row| row.open = open)),
        None => tx.expect(create(Lobbies { user_id, open, stamps: Stamps::default() })),
    };
    let opened = OpenedMatch {
        match_id: match_id.clone(),
        admin_token,
        invite_code: code,
        seed_commit: state.seed_commit.clone(),
        state: state_view(&state, &Viewer::GameMaster),
    };
    tx.respond(move |_| Created(opened.clone())).await
}

/// Returns the subject of the limit.
fn host(call: &Call<(), MatchOptions>) -> Result<String, Problem> {
    Ok(tokens::user(call)?.to_string())
}

async fn lobbies(app: &App, user_id: &UserId) -> Result<Option<Lobbies>, Problem> {
    match app.db.lobbies(user_id).await {
        // Its content is unknown, and it must not block new matches.
        Err(Error::Decode { .. }) => {
            app.db.delete_by_key(&LobbiesKey::new(user_id.clone())).await?;
            Ok(None)
        }
        read => Ok(read?),
    }
}

/// Returns the user's matches in the lobby. An unreadable one does not count.
async fn still_open(app: &App, lobbies: Option<&Lobbies>) -> Result<Vec<MatchId>, Problem> {
    let mut open = Vec::new();
    for match_id in lobbies.iter().flat_map(|lobbies| &lobbies.open) {
        match app.find_match(match_id).await {
            Ok(Some(row)) if row.state.status == Status::Lobby => open.push(row.match_id),
            Ok(_) => {}
            Err(problem) if problem.status() == 500 => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(open)
}

impl MatchOptions {
    fn to_match(&self, match_id: &MatchId, user_id: &UserId, seed: &Seed) -> NewMatch {
        NewMatch {
            match_id: match_id.clone(),
            host_user_id: Some(user_id.clone()),
            mode: self.mode,
            rules: self.rules,
            theme: self.theme.clone(),
            max_days: self.max_days,
            timezone: self.timezone.clone(),
            cutoff_minute_of_day: self.cutoff.map(|time| time.0),
            max_real_days: self.max_real_days,
            ai_count: self.ai_count.unwrap_or(AI_DEFAULT),
            seed_commit: seed.commit(),
            shard_count: if self.sharded_log { SHARDS } else { 0 },
        }
    }
}
