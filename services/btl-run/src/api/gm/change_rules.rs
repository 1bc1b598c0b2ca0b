//! `POST /match/{id}/gm/rules`: changes the rules.

use super::commit;
use crate::api::play::OutcomeView;
use crate::api::prelude::*;
use crate::rules::state::Rules;

/// Rules to change; absent ones stay unchanged.
#[derive(Debug, Body)]
#[body(not_empty)]
pub(crate) struct RulesChange {
    /// Whether items can be found.
    items: Option<bool>,
    /// Whether two items can be combined into a better one.
    crafting: Option<bool>,
    /// Whether the game master may send items.
    sponsors: Option<bool>,
    /// Only with crafting.
    #[body(range = 1..=4)]
    max_crafting_slots: Option<u8>,
}

impl RulesChange {
    /// Crafting slots require crafting.
    fn applied_to(&self, rules: Rules) -> Rules {
        let kept_slots = rules.max_crafting_slots.filter(|_| self.crafting != Some(false));
        Rules {
            items: self.items.unwrap_or(rules.items),
            crafting: self.crafting.unwrap_or(rules.crafting),
            sponsors: self.sponsors.unwrap_or(rules.sponsors),
            max_crafting_slots: self.max_crafting_slots.or(kept_slots),
        }
    }
}

/// Changes the rules from the open turn on; absent ones stay unchanged.
#[operation(POST "/match/{id}/gm/rules", once_required, if_match, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING, NotCollecting))]
pub(crate) async fn change_rules(
    app: &App,
    call: &Call<MatchPath, RulesChange>,
) -> Answer<Json<OutcomeView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let before = row.state.rules;
    let events = decide::change_rules(&row.state, call.body.applied_to(before), app.now_ms())?;
    commit(app, call, row, events, Some(json!({ "rules": before }))).await
}
