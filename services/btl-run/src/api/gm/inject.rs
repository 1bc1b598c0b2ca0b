//! `POST /match/{id}/gm/inject`: a hazard that is never fatal, an item, or the weather.

use super::commit;
use crate::api::play::OutcomeView;
use crate::api::prelude::*;
use crate::rules::decide::Inject;
use serde_json::Value;

const INJECTIONS: CallLimit = CallLimit::per_hour("gm_inject", 5);

/// An event to cause.
#[derive(Debug, Body)]
pub(crate) struct Injection {
    #[body(example = "weather")]
    kind: InjectionKind,
    /// The part of the arena that a hazard strikes.
    #[body(range = 1..=4)]
    zone: Option<u32>,
    /// The damage of a hazard, which is never fatal.
    #[body(range = 1..=2)]
    damage: Option<u32>,
    /// The tribute that gets the item. Items and sponsors must be enabled.
    tribute_id: Option<TributeId>,
    #[body(length = 1..=100, example = "thick fog")]
    weather: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
enum InjectionKind {
    Hazard,
    ItemDrop,
    Weather,
}

impl Injection {
    /// Returns the event: each kind requires its own details, and no others.
    fn to_inject(&self) -> Result<Inject, Problem> {
        let Self { kind, zone, damage, tribute_id, weather } = self;
        match (kind, zone, damage, tribute_id, weather) {
            (InjectionKind::Hazard, &Some(zone), &Some(damage), None, None) => {
                Ok(Inject::Hazard { zone, damage })
            }
            (InjectionKind::ItemDrop, None, None, Some(tribute_id), None) => {
                Ok(Inject::ItemDrop { tribute_id: tribute_id.clone() })
            }
            (InjectionKind::Weather, None, None, None, Some(text)) => {
                Ok(Inject::Weather { text: text.clone() })
            }
            _ => Err(Problem::field("kind", kind.details())),
        }
    }
}

impl InjectionKind {
    const fn details(self) -> &'static str {
        match self {
            Self::Hazard => "a hazard requires `zone` and `damage`",
            Self::ItemDrop => "an item drop requires `tributeId`",
            Self::Weather => "`weather` is required",
        }
    }
}

/// Causes an event: a hazard, an item, or a change of the weather.
#[operation(POST "/match/{id}/gm/inject", once_required, if_match, queue = id, limit(INJECTIONS, host),
    refuses(refusal::HOST_ONLY, refusal::CHANGING, NotCollecting, ContentViolation, TributeDead))]
pub(crate) async fn inject(
    app: &App,
    call: &Call<MatchPath, Injection>,
) -> Answer<Json<OutcomeView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let inject = call.body.to_inject()?;
    if let Inject::Weather { text } = &inject {
        moderation::check("weather", text)?;
    }
    let is_hazard = matches!(inject, Inject::Hazard { .. });
    let before = is_hazard.then(|| json!({ "hp": hit_points(&row) }));
    let events = decide::inject(&row.state, inject, app.now_ms())?;
    commit(app, call, row, events, before).await
}

/// Returns the subject of the limit. An invalid request is refused before it counts.
fn host(call: &Call<MatchPath, Injection>) -> Result<String, Problem> {
    tokens::host(call, &call.path.id)?;
    call.body.to_inject()?;
    Ok(call.path.id.to_string())
}

/// Returns the hit points of all living tributes.
fn hit_points(row: &MatchRow) -> Value {
    let points = row.state.living().map(|one| (one.id.to_string(), json!(one.hp)));
    Value::Object(points.collect())
}
