//! Joining a match with its code.

use monotable::model::edit;
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::json;

use super::create::invite_end;
use super::{invite, mine, turn};
use crate::app::App;
use crate::change::Change;
use crate::rate::{self, Counted, Limited};
use crate::refusal::Refusal;
use crate::rules::decide::{self, Newcomer};
use crate::rules::moderation;
use crate::rules::redact::{Viewer, state_view};
use crate::rules::state::{MatchState, Persona, Playstyle, Stats, Status, TributeKind};
use crate::service::NAME;
use crate::table::{Invite, MatchId, SecretRow, TributeId, UserId};
use crate::tokens::{self, Bearer};

/// The body of `POST /match/{id}/join`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JoinBody {
    code: String,
    name: String,
    #[serde(rename = "type")]
    kind: Option<TributeKind>,
    stats: Option<Stats>,
    persona: Option<Persona>,
    playstyle: Option<Playstyle>,
    opening_choice: Option<u8>,
}

/// Counts somebody who tries to join.
///
/// # Errors
/// 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    rate::count(app, Limited::Join, &rate::address(call)).await
}

/// `POST /match/{id}/join`. Only this response, and its repeats, have the player's token.
///
/// # Errors
/// 404 for a code that is not the match's, 409 if the match has no place for the tribute.
pub async fn join(app: &App, call: &Request) -> Result<Reply, Problem> {
    let match_id: MatchId = call.id("id")?;
    let body: JoinBody = call.read()?;
    body.check_words()?;
    let user_id = tokens::user_if_any(call)?;
    let row = app.match_row(&match_id).await?;
    let secret = turn::secret(app, &match_id).await?;
    in_progress(&row.state)?;
    let invite = open(app, &body.code, &row.state, &secret).await?;
    let tribute_id: TributeId = app.new_id()?;
    let newcomer = body.into_newcomer(&tribute_id, user_id.clone());
    let events = decide::join(&row.state, newcomer, app.now_ms())?;
    let change = Change::new(app, row, events).await?;
    let bearer = Bearer::Player(match_id, tribute_id.clone());
    let (token, hash) = bearer.issue(&*app.randomness);
    let end = invite_end(app.db.now());
    let mut written = change.transaction(app)?;
    written.tx.add(edit(&secret, |secret| {
        secret.token_hashes.players.insert(tribute_id.clone(), hash);
    }));
    written.tx.add(edit(&invite, |invite| invite.ttl = Some(end)));
    if let Some(user_id) = &user_id {
        mine::keep(&mut written.tx, &change.state, user_id)?;
    }
    let shown = json!({
        "matchId": change.state.match_id,
        "tributeId": tribute_id,
        "match": state_view(&change.state, &Viewer::Player(tribute_id.clone())),
    });
    let version = change.state.version;
    let reply =
        move || Reply::created(&shown).version(version).secret("playerToken", token.clone());
    change.commit(app, call, written, reply).await
}

/// Sends whoever comes too late to where they can watch.
fn in_progress(state: &MatchState) -> Result<(), Problem> {
    match state.status {
        Status::Active => {
            let text = "The match has begun; you can watch it.";
            let watch = format!("/{NAME}/match/{}", state.match_id);
            Err(Problem::conflict("MATCH_IN_PROGRESS", text).with("spectate", watch))
        }
        Status::Lobby | Status::Ended => Ok(()),
    }
}

/// The invitation that a code stands for, if it is to this match.
async fn open(
    app: &App,
    code: &str,
    state: &MatchState,
    secret: &SecretRow,
) -> Result<Invite, Problem> {
    if state.status == Status::Ended {
        return Err(Refusal::MatchEnded.into());
    }
    let code = invite::code(code)?;
    if secret.invite_code.as_ref() != Some(&code) {
        return Err(invite::not_found());
    }
    let open = invite::open_invite(app, secret).await?;
    open.ok_or_else(|| {
        let text = "The code has expired; its host gets a new one by POST /match/{id}/invite.";
        Problem::conflict("INVITE_EXPIRED", text)
    })
}

impl JoinBody {
    /// Everybody will read these words.
    fn check_words(&self) -> Result<(), Problem> {
        moderation::check("name", &self.name)?;
        let Some(persona) = &self.persona else { return Ok(()) };
        moderation::check("persona.archetype", &persona.archetype)?;
        moderation::check("persona.catchphrase", persona.catchphrase.as_deref().unwrap_or(""))?;
        persona.quirks.iter().try_for_each(|quirk| moderation::check("persona.quirks", quirk))
    }

    fn into_newcomer(self, tribute_id: &TributeId, user_id: Option<UserId>) -> Newcomer {
        Newcomer {
            tribute_id: tribute_id.clone(),
            user_id,
            kind: self.kind.unwrap_or(TributeKind::Human),
            name: self.name,
            stats: self.stats.unwrap_or_default(),
            persona: self.persona.unwrap_or_default(),
            playstyle: self
                .playstyle
                .or_else(|| self.opening_choice.and_then(Playstyle::of_opening)),
        }
    }
}
