//! `POST /match/{id}/join`: joins a match with its code.

use super::codes::{invite_end, open_invite, typed_code};
use super::{address, my_match};
use crate::api::prelude::*;
use crate::rules::decide::Newcomer;
use crate::rules::state::{Persona, Playstyle, Stats, TributeKind};
use crate::service::NAME;

/// Attempts are limited, so that codes cannot be guessed.
const JOINS: CallLimit = CallLimit::per_minute("join", 10).counting_attempts();

/// The tribute of a joining player.
#[derive(Debug, Body)]
pub(crate) struct NewTribute {
    #[body(length = 1..=32, example = "K7Q2MD")]
    code: String,
    /// Letters of any script, digits, spaces, hyphens and apostrophes.
    #[body(length = 1..=50, example = "Zoë")]
    name: String,
    /// With hybrid, its persona chooses actions while its player is away.
    #[body(name = "type", words = &["human", "hybrid"])]
    kind: Option<TributeKind>,
    stats: Option<Stats>,
    persona: Option<Persona>,
    /// The default action of the tribute.
    playstyle: Option<Playstyle>,
    /// From a choice link: fight, hide or make friends.
    #[body(range = 1..=3)]
    opening_choice: Option<u8>,
}

/// The tribute and its player's token.
#[derive(Clone, View)]
pub(crate) struct JoinedView {
    #[view(example = "m1")]
    match_id: MatchId,
    #[view(example = "t1")]
    tribute_id: TributeId,
    /// Only this response contains it.
    #[view(secret, example = "btl1/player/m1/t1/…")]
    player_token: String,
    #[view(name = "match", versioned)]
    state: MatchView,
}

/// Joins a match with its code. Only this response contains the player's token.
#[operation(POST "/match/{id}/join", public, once_required, queue = id, limit(JOINS, |call| Ok(address(call))),
    refuses(refusal::CHANGING, ContentViolation, InviteNotFound, MatchNotFound, InviteExpired, LobbyFull,
        MatchInProgress, NameTaken))]
pub(crate) async fn join_match(
    app: &App,
    call: &Call<MatchPath, NewTribute>,
) -> Answer<Created<JoinedView>> {
    call.body.check_words()?;
    let user_id = tokens::user_if_any(call)?;
    let row = app.match_row(&call.path.id).await?;
    let secret = turn::secret(app, &row.match_id).await?;
    let invite = invitation(app, &call.body.code, &row.state, &secret).await?;
    let tribute_id: TributeId = app.new_id()?;
    let newcomer = call.body.to_newcomer(&tribute_id, user_id.clone());
    let events = decide::join(&row.state, newcomer, app.now_ms())?;
    let change = Change::new(app, row, events).await?;
    let match_id = change.state.match_id.clone();
    let bearer = Bearer::Player(match_id.clone(), tribute_id.clone());
    let (player_token, hash) = bearer.issue(&*app.randomness);
    let end = invite_end(app.db.now());
    let mut written = change.transaction(app)?;
    written.tx.add(edit(&secret, |secret| {
        secret.token_hashes.players.insert(tribute_id.clone(), hash);
    }));
    written.tx.add(edit(&invite, |invite| invite.ttl = Some(end)));
    if let Some(user_id) = &user_id {
        written.tx.add(put(my_match(&change.state, user_id)?));
    }
    let state = state_view(&change.state, &Viewer::Player(tribute_id.clone()));
    let joined = JoinedView { match_id, tribute_id, player_token, state };
    change.commit(app, call, written, Created(joined)).await
}

/// Returns the invitation of a code, if it is for this match. Callers that come too late get a link
/// to watch the match.
async fn invitation(
    app: &App,
    code: &str,
    state: &MatchState,
    secret: &SecretRow,
) -> Result<Invite, Problem> {
    match state.status {
        Status::Lobby => {}
        Status::Ended => return Err(Refusal::MatchEnded.into()),
        Status::Active => {
            let refusal = Refusal::MatchInProgress.text("The match has started; you can watch it.");
            return Err(refusal.with("spectate", format!("/{NAME}/match/{}", state.match_id)));
        }
    }
    if secret.invite_code != Some(typed_code(code)?) {
        return Err(Refusal::InviteNotFound.into());
    }
    open_invite(app, secret).await?.ok_or_else(|| Refusal::InviteExpired.into())
}

impl NewTribute {
    /// Checks the texts, which are public.
    fn check_words(&self) -> Result<(), Problem> {
        moderation::check("name", &self.name)?;
        let Some(persona) = &self.persona else { return Ok(()) };
        moderation::check("persona.archetype", &persona.archetype)?;
        moderation::check("persona.catchphrase", persona.catchphrase.as_deref().unwrap_or(""))?;
        persona.quirks.iter().try_for_each(|quirk| moderation::check("persona.quirks", quirk))
    }

    fn to_newcomer(&self, tribute_id: &TributeId, user_id: Option<UserId>) -> Newcomer {
        let opening = self.opening_choice.and_then(Playstyle::of_opening);
        Newcomer {
            tribute_id: tribute_id.clone(),
            user_id,
            kind: self.kind.unwrap_or(TributeKind::Human),
            name: self.name.clone(),
            stats: self.stats.unwrap_or_default(),
            persona: self.persona.clone().unwrap_or_default(),
            playstyle: self.playstyle.or(opening),
        }
    }
}
