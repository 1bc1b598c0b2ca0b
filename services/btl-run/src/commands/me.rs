//! A user's own things: the profile, the matches, and the end of both.

use monotable::model::{Error, Receipt};
use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::erase;
use crate::app::App;
use crate::change::{new_task, task};
use crate::ids::UserId;
use crate::patterns::BtlRunReads as _;
use crate::rows::{
    LobbiesKey, MatchRow, MatchRowKey, MyMatch, Profile, ProfileKey, ProfileStats, Task, TaskKey,
};
use crate::tokens;

/// `GET /me`.
///
/// # Errors
/// 404 for who has no profile.
pub async fn show(app: &App, call: &Call) -> Result<Reply, Problem> {
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
    Reply::json(status, &object).version(profile.ver)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    display_name: String,
    /// Absent to keep it, null to remove it.
    #[serde(default, deserialize_with = "told")]
    avatar: Option<Option<String>>,
}

/// A field that was told, also if it is null.
fn told<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(from).map(Some)
}

/// `PUT /me`.
///
/// # Errors
/// 409 `ERASURE_PENDING` for who is being forgotten, 412.
pub async fn put(app: &App, call: &Call) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    let wanted: Wanted = call.read()?;
    let display_name = wanted.display_name.trim().to_owned();
    if display_name.is_empty() || display_name.chars().any(char::is_control) {
        return Err(Problem::field("displayName", "must have letters and no control characters"));
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let put = app.db.transact().check_absent(&TaskKey::new(erasure.kind, erasure.task_id));
    let (put, status) = match app.db.profile(&user_id).await? {
        Some(profile) => {
            call.check_version(profile.ver)?;
            let put = put.edit(&profile, |profile| {
                profile.display_name = display_name;
                if let Some(avatar) = wanted.avatar {
                    profile.avatar = avatar;
                }
            });
            (put, 200)
        }
        None => {
            call.check_version(0)?;
            let avatar = wanted.avatar.flatten();
            let (stats, created_at) = (ProfileStats::default(), app.now_ms());
            let profile = Profile { user_id, display_name, avatar, stats, created_at, ver: 0 };
            (put.create(&profile), 201)
        }
    };
    let reply = move |receipt: &Receipt| match receipt.get::<Profile>(1) {
        Some(profile) => shown(status, profile),
        None => Reply::no_content(),
    };
    call.commit(&app.db, put, reply, outrun).await
}

/// What it means that a profile can't be written.
fn outrun(operation: usize, error: &Error) -> Option<Problem> {
    match (operation, error) {
        (0, _) => {
            let text = "You are being forgotten; come back when that is done.";
            Some(Problem::conflict("ERASURE_PENDING", text))
        }
        (_, Error::Exists { entity } | Error::NotFound { entity }) => {
            Some(Error::VersionConflict { entity, key: String::new() }.into())
        }
        _ => None,
    }
}

/// `DELETE /me`: the profile goes at once, and everything else follows, now or when it can.
///
/// # Errors
/// 412.
pub async fn delete(app: &App, call: &Call) -> Result<Reply, Problem> {
    let user_id = tokens::user(call)?;
    if let Some(profile) = app.db.profile(&user_id).await? {
        call.check_version(profile.ver)?;
    }
    let erasure = erasure_of(&user_id, app.now_ms())?;
    let (kind, id) = (erasure.kind.clone(), erasure.task_id.clone());
    let deleted = app
        .db
        .transact()
        .delete_by_key(&ProfileKey::new(user_id.clone()))
        .delete_by_key(&LobbiesKey::new(user_id));
    let deleted = match app.db.task(&kind, &id).await? {
        Some(task) => deleted.edit(&task, |_| {}),
        None => deleted.create(&erasure),
    };
    let known = |operation: usize, error: &Error| match (operation, error) {
        (2, Error::Exists { entity } | Error::NotFound { entity }) => {
            Some(Error::VersionConflict { entity, key: String::new() }.into())
        }
        _ => None,
    };
    let reply = call.commit(&app.db, deleted, |_| Reply::no_content(), known).await?;
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
pub async fn matches(app: &App, call: &Call) -> Result<Reply, Problem> {
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
        page.rows.iter().zip(&states).map(|(mine, row)| item(mine, row.as_ref())).collect();
    let next = page.next.map(|cursor| cursor.to_string());
    Ok(Reply::ok(&json!({ "items": items, "hasMore": next.is_some(), "nextToken": next })))
}

/// The states of matches. One that can't be read is told as if it were not there.
async fn states_of(app: &App, keys: &[MatchRowKey]) -> Result<Vec<Option<MatchRow>>, Problem> {
    match app.db.match_states(keys).await {
        Ok(states) => return Ok(states),
        Err(Error::Decode { .. } | Error::Key { .. }) => {}
        Err(error) => return Err(error.into()),
    }
    let mut states = Vec::with_capacity(keys.len());
    for key in keys {
        let found = app.db.match_states(std::slice::from_ref(key)).await;
        let found = app.backlog.readable(found)?;
        states.push(found.into_iter().flatten().next().flatten());
    }
    Ok(states)
}

/// A match as its user sees it in the list.
fn item(mine: &MyMatch, row: Option<&MatchRow>) -> Value {
    let mut item = json!({
        "matchId": mine.match_id,
        "createdAt": mine.created_at.as_ms(),
        "role": mine.role,
    });
    if let Some(result) = mine.result {
        item["result"] = json!(result);
    }
    if let Some(MatchRow { state, .. }) = row {
        item["mode"] = json!(state.mode);
        item["status"] = json!(state.status);
        item["arena"] = json!(state.theme.arena);
        item["day"] = json!(state.day);
        item["turn"] = json!(state.turn);
    }
    item
}
