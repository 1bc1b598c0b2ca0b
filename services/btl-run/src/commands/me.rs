//! A user's own things: the profile, the matches, and the end of both.

use monotable::model::{Error, check_absent, create, delete_by_key, edit};
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::erase;
use crate::app::App;
use crate::change::{new_task, task};
use crate::table::{
    BtlRunReads as _, LobbiesKey, MatchRow, MatchRowKey, MyMatch, Profile, ProfileKey,
    ProfileStats, Stamps, Task, TaskKey, UserId,
};
use crate::tokens;

/// `GET /me`.
///
/// # Errors
/// 404 for who has no profile.
pub async fn show(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    let profile = app.db.profile(&user_id).await?.ok_or_else(|| {
        Problem::not_found("PROFILE_NOT_FOUND", "You have no profile yet; put one.")
    })?;
    Ok(shown(200, &profile))
}

fn shown(status: u16, profile: &Profile) -> Reply {
    let mut object = Map::new();
    object.insert("userId".to_owned(), json!(profile.user_id));
    object.insert("displayName".to_owned(), json!(profile.display_name));
    if let Some(avatar) = &profile.avatar {
        object.insert("avatar".to_owned(), json!(avatar));
    }
    object.insert("stats".to_owned(), json!(profile.stats));
    object.insert("createdAt".to_owned(), json!(profile.created_at));
    Reply::json(status, &object).version(profile.stamps.version)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProfileBody {
    display_name: String,
    /// Absent to keep it, null to remove it.
    #[serde(default, deserialize_with = "present")]
    avatar: Option<Option<String>>,
}

/// Reads a field that is present, also if it is null.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// `PUT /me`.
///
/// # Errors
/// 409 `ERASURE_PENDING` for who is being forgotten, 412.
pub async fn put_profile(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    let body: ProfileBody = call.read()?;
    let display_name = body.display_name.trim().to_owned();
    if display_name.is_empty() || display_name.chars().any(char::is_control) {
        return Err(Problem::field("displayName", "must have letters and no control characters"));
    }
    if body.avatar.as_ref().and_then(Option::as_deref).is_some_and(|avatar| !is_avatar(avatar)) {
        let text = "must be a name without colons, slashes, quotes and angle brackets, or an https address";
        return Err(Problem::field("avatar", text));
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let mut tx = app.db.transact();
    let staying = tx.add(check_absent(&TaskKey::new(erasure.kind, erasure.task_id)));
    let (profile, status) = match app.db.profile(&user_id).await? {
        Some(profile) => {
            call.check_version(profile.stamps.version)?;
            let edited = edit(&profile, |profile| {
                profile.display_name = display_name;
                if let Some(avatar) = body.avatar {
                    profile.avatar = avatar;
                }
            });
            (tx.add(edited), 200)
        }
        None => {
            call.check_absent()?;
            let avatar = body.avatar.flatten();
            let (stats, created_at) = (ProfileStats::default(), app.now_ms());
            let profile = Profile {
                user_id,
                display_name,
                avatar,
                stats,
                created_at,
                stamps: Stamps::default(),
            };
            (tx.add(create(profile)), 201)
        }
    };
    let text = "You are being forgotten; come back when that is done.";
    call.commit(tx)
        .refuse(staying, Problem::conflict("ERASURE_PENDING", text))
        .retry(profile)
        .reply(move |done| shown(status, &done[profile]))
        .await
}

/// Whether a text names a picture, or is the address of one that a page may load.
fn is_avatar(text: &str) -> bool {
    let is_mark = |sign: char| matches!(sign, ':' | '/' | '\\' | '<' | '>' | '"' | '\'' | '`');
    let is_name = |text: &str| !text.chars().any(|sign| is_mark(sign) || sign.is_control());
    let address = text.get(..8).filter(|scheme| scheme.eq_ignore_ascii_case("https://"));
    match address {
        Some(_) => {
            text[8..].starts_with(|first: char| first.is_ascii_alphanumeric())
                && text
                    .chars()
                    .all(|sign| sign.is_ascii_graphic() && !matches!(sign, '"' | '\'' | '<' | '>'))
        }
        None => is_name(text),
    }
}

/// `DELETE /me`: the profile goes at once, and everything else follows, now or when it can.
///
/// # Errors
/// 412.
pub async fn delete_profile(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    if let Some(profile) = app.db.profile(&user_id).await? {
        call.check_version(profile.stamps.version)?;
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let (kind, id) = (erasure.kind.clone(), erasure.task_id.clone());
    let mut tx = app.db.transact();
    tx.add(delete_by_key(&ProfileKey::new(user_id.clone())));
    tx.add(delete_by_key(&LobbiesKey::new(user_id)));
    let promised = match app.db.task(&kind, &id).await? {
        Some(task) => tx.add(edit(&task, |_| {})),
        None => tx.add(create(erasure)),
    };
    let reply = call.commit(tx).retry(promised).reply(|_| Reply::no_content()).await?;
    // The rest is promised. What can't be done of it now is done by whoever keeps promises.
    if let Ok(Some(task)) = app.db.task(&kind, &id).await {
        let _ = erase::run(app, task).await;
    }
    Ok(reply)
}

/// The promise that a user is forgotten.
fn erasure_of(user_id: &UserId, now: i64) -> Result<Task, Problem> {
    new_task(task::ERASE, user_id.as_str(), now)
}

/// `GET /me/matches`: newest first.
///
/// # Errors
/// 400 `INVALID_CURSOR`.
pub async fn matches(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    let asked = call.page();
    let rows = app.db.my_matches(&user_id).skip_unreadable().take(asked.limit);
    let rows = match &asked.next_token {
        Some(cursor) => rows.after(cursor),
        None => rows,
    };
    let page = rows.page().await?;
    let keys: Vec<MatchRowKey> =
        page.rows.iter().map(|mine| MatchRowKey::new(mine.match_id.clone())).collect();
    let states = states_of(app, &keys).await?;
    let items: Vec<Value> =
        page.rows.iter().zip(&states).map(|(mine, row)| item(mine, row)).collect();
    let next = page.next.map(|cursor| cursor.to_string());
    let mut shown = json!({ "items": items, "hasMore": next.is_some(), "nextToken": next });
    if !page.unreadable.is_empty() {
        shown["unreadable"] = json!(page.unreadable.len());
    }
    Ok(Reply::ok(&shown))
}

/// What is known of a match.
enum Found {
    State(Box<MatchRow>),
    Gone,
    Unreadable,
}

/// The states of matches. One that can't be read, and not be rebuilt either, hides no others.
async fn states_of(app: &App, keys: &[MatchRowKey]) -> Result<Vec<Found>, Problem> {
    let of = |row: Option<MatchRow>| row.map_or(Found::Gone, |row| Found::State(Box::new(row)));
    match app.db.match_states(keys).await {
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
                Found::Unreadable
            }
            Err(problem) => return Err(problem),
        });
    }
    Ok(states)
}

/// A match as its user sees it in the list.
fn item(mine: &MyMatch, found: &Found) -> Value {
    let mut item = json!({
        "matchId": mine.match_id,
        "createdAt": mine.created_at.as_ms(),
        "role": mine.role,
    });
    if let Some(result) = mine.result {
        item["result"] = json!(result);
    }
    match found {
        Found::State(row) => {
            let state = &row.state;
            item["mode"] = json!(state.mode);
            item["status"] = json!(state.status);
            item["arena"] = json!(state.theme.arena);
            item["day"] = json!(state.day);
            item["turn"] = json!(state.turn);
        }
        Found::Gone => {}
        Found::Unreadable => item["unreadable"] = json!(true),
    }
    item
}
