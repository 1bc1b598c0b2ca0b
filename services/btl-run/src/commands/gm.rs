//! What a game master does to a match that is played. Each event says who asked for it.

use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use super::turn;
use crate::app::App;
use crate::change::Change;
use crate::rate::{self, Counted, Limited};
use crate::rules::decide::{self, Inject};
use crate::rules::events::{Audit, Event};
use crate::rules::moderation;
use crate::rules::redact::{Viewer, log_view, state_view};
use crate::rules::state::Rules;
use crate::table::{MatchId, MatchRow, TributeId};
use crate::tokens;

/// `POST /match/{id}/gm/rules`: what is left out stays as it is.
///
/// # Errors
/// 400 for rules that can't be, 409 if the match is not played.
pub async fn rules(app: &App, call: &Request) -> Result<Reply, Problem> {
    let row = played(app, call).await?;
    let before = row.state.rules;
    let rules = changed(before, call)?;
    let events = decide::change_rules(&row.state, rules, app.now_ms())?;
    commit(app, call, row, events, Some(json!({ "rules": before }))).await
}

/// The rules with what a request says about them. Slots for crafting go with crafting.
fn changed(rules: Rules, call: &Request) -> Result<Rules, Problem> {
    let mut fields = match json!(rules) {
        Value::Object(fields) => fields,
        _ => return Err(Problem::internal("rules are an object")),
    };
    if call.body.get("crafting") == Some(&Value::Bool(false)) {
        fields.remove("maxCraftingSlots");
    }
    fields.extend(call.body.clone());
    serde_json::from_value(Value::Object(fields))
        .map_err(|error| Problem::field("rules", error.to_string()))
}

#[derive(Deserialize)]
struct Announcement {
    text: String,
}

/// `POST /match/{id}/gm/announce`.
///
/// # Errors
/// 400 for a text that can't be, 409 if the match is not played.
pub async fn announce(app: &App, call: &Request) -> Result<Reply, Problem> {
    let row = played(app, call).await?;
    let Announcement { text } = call.read()?;
    moderation::check("text", &text)?;
    let events = decide::announce(&row.state, &text, app.now_ms())?;
    commit(app, call, row, events, None).await
}

/// What a request wants to happen.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wanted {
    kind: Kind,
    zone: Option<u32>,
    damage: Option<u32>,
    tribute_id: Option<TributeId>,
    weather: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Hazard,
    ItemDrop,
    Weather,
}

/// Counts an event of a game master.
///
/// # Errors
/// 401, 403 or 429.
pub async fn count(app: &App, call: &Request) -> Result<Counted, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    call.read::<Wanted>()?.into_inject()?;
    rate::count(app, Limited::GmInject, match_id.as_str()).await
}

/// `POST /match/{id}/gm/inject`: a hazard that nobody dies of, an item, or the weather.
///
/// # Errors
/// 400 for what a game master may not do, 409 if the match is not played.
pub async fn inject(app: &App, call: &Request) -> Result<Reply, Problem> {
    let row = played(app, call).await?;
    let inject = call.read::<Wanted>()?.into_inject()?;
    if let Inject::Weather { text } = &inject {
        moderation::check("weather", text)?;
    }
    let is_hazard = matches!(inject, Inject::Hazard { .. });
    let before = is_hazard.then(|| json!({ "hp": hit_points(&row) }));
    let events = decide::inject(&row.state, inject, app.now_ms())?;
    commit(app, call, row, events, before).await
}

impl Wanted {
    /// Each kind has its own details, and no others.
    fn into_inject(self) -> Result<Inject, Problem> {
        let Self { kind, zone, damage, tribute_id, weather } = self;
        match (kind, zone, damage, tribute_id, weather) {
            (Kind::Hazard, Some(zone), Some(damage), None, None) => {
                Ok(Inject::Hazard { zone, damage })
            }
            (Kind::ItemDrop, None, None, Some(tribute_id), None) => {
                Ok(Inject::ItemDrop { tribute_id })
            }
            (Kind::Weather, None, None, None, Some(text)) => Ok(Inject::Weather { text }),
            (Kind::Hazard, ..) => Err(Problem::field("kind", "a hazard has a zone and damage")),
            (Kind::ItemDrop, ..) => Err(Problem::field("kind", "an item drop has a tributeId")),
            (Kind::Weather, ..) => Err(Problem::field("kind", "the weather has a weather")),
        }
    }
}

/// Hit points of everybody who lives.
fn hit_points(row: &MatchRow) -> Value {
    let points = row.state.living().map(|one| (one.id.to_string(), json!(one.hp)));
    Value::Object(points.collect())
}

/// The match, for its host alone.
async fn played(app: &App, call: &Request) -> Result<MatchRow, Problem> {
    let match_id: MatchId = call.id("id")?;
    tokens::host(call, &match_id)?;
    let row = turn::current(app, &match_id).await?;
    call.check_version(row.stamps.version)?;
    Ok(row)
}

async fn commit(
    app: &App,
    call: &Request,
    row: MatchRow,
    mut events: Vec<Event>,
    before: Option<Value>,
) -> Result<Reply, Problem> {
    if let Some(first) = events.first_mut() {
        first.audit = Some(Audit { before, ..tokens::audit(call) });
    }
    let change = Change::new(app, row, events).await?;
    let shown = json!({
        "events": log_view(&change.events, &change.state, &Viewer::GameMaster),
        "match": state_view(&change.state, &Viewer::GameMaster),
    });
    let version = change.state.version;
    let reply = move || Reply::ok(&shown).version(version);
    change.commit(app, call, change.transaction(app)?, reply).await
}
