//! Nobody sees what is not theirs: views are walked as JSON.

use monotable_btl_run::rules::decide;
use monotable_btl_run::rules::events::NarrationAttached;
use monotable_btl_run::rules::redact::{Viewer, log_view, state_view};
use monotable_btl_run::rules::state::{Action, ActionKind, Mode};
use monotable_btl_run::table::{TributeId, TurnId};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::dry_run::{DryRun, id, new_match, newcomer};
use super::matches::{choose, plan, started};

/// Every field and every text of a value, with the fields that lead to it.
fn walk(value: &Value, path: &str, visit: &mut dyn FnMut(&str, &Value)) {
    visit(path, value);
    match value {
        Value::Array(values) => values.iter().for_each(|value| walk(value, path, visit)),
        Value::Object(fields) => {
            fields.iter().for_each(|(name, value)| walk(value, &format!("{path}/{name}"), visit));
        }
        _ => {}
    }
}

fn views(world: &DryRun, viewer: &Viewer) -> Value {
    let state = world.state();
    let events = world.events();
    json!({ "state": state_view(&state, viewer), "log": log_view(&events, &state, viewer) })
}

/// What the viewer may not see, wherever it is.
fn check(world: &DryRun, viewer: &Viewer, open: Option<&TurnId>) {
    let view = views(world, viewer);
    let own = |text: &str| match viewer {
        Viewer::Player(own) => text.ends_with(&format!("-{own}")),
        Viewer::Spectator | Viewer::GameMaster => false,
    };
    let seed = world.seed.reveal();
    walk(&view, "", &mut |path, value| {
        let last = path.rsplit('/').next().unwrap_or_default();
        for hidden in ["hostUserId", "userId", "memoryBlob", "memory", "pendingActions", "seed"] {
            assert_ne!(last, hidden, "{viewer:?} sees {path}");
        }
        if !matches!(viewer, Viewer::Player(_)) {
            for hidden in ["stats", "inventory", "item", "costs", "pendingAction", "playstyle"] {
                assert_ne!(last, hidden, "{viewer:?} sees {path}");
            }
        }
        if let Value::String(text) = value {
            assert!(!text.starts_with("user-"), "{viewer:?} sees {path}: {text}");
            assert!(!text.contains(&seed) && !text.contains("remembered"), "{path}: {text}");
            if let Some(open) = open {
                let is_open = text.starts_with(&format!("plan-{open}-"));
                assert!(!is_open || own(text), "{viewer:?} sees {text} in {path}");
            }
        }
    });
}

/// Returns what is shown of the submissions of the open turn.
fn submissions(world: &DryRun, viewer: &Viewer) -> Vec<Value> {
    let state = world.state();
    let log = log_view(&world.events(), &state, viewer);
    log.into_iter()
        .map(|event| json!(event))
        .filter(|event| event["type"] == "TRIBUTE_ACTION_SUBMITTED")
        .filter(|event| event["turnId"] == json!(state.turn_id))
        .map(|event| event["data"].clone())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_action_is_seen_before_its_turn_is_resolved(plan in plan()) {
        let mut world = started(&plan);
        let mut at = 0;
        while !world.is_over() {
            choose(&mut world, &plan, &mut at);
            let open = world.turn_id();
            let players = (0..plan.humans.min(3)).map(|number| Viewer::Player(id(&format!("p{number}"))));
            for viewer in players.chain([Viewer::Spectator, Viewer::GameMaster]) {
                check(&world, &viewer, Some(&open));
                for data in submissions(&world, &viewer) {
                    let who: TributeId = serde_json::from_value(data["tributeId"].clone()).unwrap();
                    let is_own = viewer == Viewer::Player(who.clone());
                    let fields = data.as_object().unwrap().len();
                    prop_assert_eq!(fields, if is_own { 2 } else { 1 }, "{:?} sees {}", viewer, data);
                }
            }
            world.resolve();
        }
        check(&world, &Viewer::Spectator, None);
    }
}

fn duel() -> DryRun {
    let seed = monotable_btl_run::rules::rng::Seed::new([3; 32]);
    let new = new_match(&seed, Mode::Quick, 4);
    let mut world = DryRun::new(seed, new);
    world.join(newcomer(0));
    world.join(newcomer(1));
    world.start();
    world
}

#[test]
fn a_player_sees_its_own_affairs_only() {
    let mut world = duel();
    let action = Action {
        action: ActionKind::Hunt,
        target_id: Some(id("p1")),
        free_text: Some("plan-d1t1-p0".to_owned()),
    };
    world.submit(&id("p0"), action.clone()).unwrap();
    let own = views(&world, &Viewer::Player(id("p0")));
    assert_eq!(own["state"]["pendingAction"], json!(action));
    assert_eq!(own["state"]["submitted"], json!(["p0"]));
    let tributes = own["state"]["roster"].as_array().unwrap();
    let has_stats = |tribute: &&Value| tribute.get("stats").is_some();
    let seen: Vec<_> = tributes.iter().filter(has_stats).map(|one| &one["id"]).collect();
    assert_eq!(seen, [&json!("p0")]);
    let other = views(&world, &Viewer::Player(id("p1")));
    assert_eq!(other["state"]["pendingAction"], Value::Null);
    check(&world, &Viewer::Player(id("p1")), Some(&world.turn_id()));
}

#[test]
fn an_action_is_seen_once_its_turn_is_resolved() {
    let mut world = duel();
    let old = world.state();
    world.submit(&id("p0"), Action::plain(ActionKind::Rest)).unwrap();
    assert_eq!(submissions(&world, &Viewer::Spectator), [json!({ "tributeId": "p0" })]);
    world.resolve();
    let log = log_view(&world.events(), &world.state(), &Viewer::Spectator);
    let submitted = json!({ "tributeId": "p0", "action": { "action": "rest" } });
    assert!(log.iter().any(|event| json!(event)["data"] == submitted));
    // Who compares new events with an old state hides too much, never too little.
    let log = log_view(&world.events(), &old, &Viewer::Spectator);
    assert!(log.iter().all(|event| json!(event)["data"] != submitted));
}

#[test]
fn the_narrators_memory_is_private() {
    let mut world = duel();
    let turn_id = world.turn_id();
    world.resolve();
    let story = NarrationAttached {
        turn_id,
        narration: "Nothing much happened.".to_owned(),
        tags: Vec::new(),
        fallback: false,
        tokens_used: 12,
        memory: Some("remembered".to_owned()),
    };
    world.commit(decide::attach_narration(&world.state(), story, world.now).unwrap());
    assert_eq!(world.state().memory_blob, "remembered");
    for viewer in [Viewer::Spectator, Viewer::GameMaster, Viewer::Player(id("p0"))] {
        check(&world, &viewer, None);
    }
}
