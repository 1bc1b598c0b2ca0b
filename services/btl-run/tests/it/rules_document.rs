//! What the document of the rules says: its example, and its program, which verifies matches that it has
//! never seen.

use std::process::Command;

use monotable_btl_run::rules::decide::{self, Inject};
use monotable_btl_run::rules::events::EventBody;
use monotable_btl_run::rules::rng::{Rng, Seed};
use monotable_btl_run::rules::state::{Action, Mode, Playstyle, Rules, Stats, TributeKind};
use monotable_btl_run::rules::story::story_of;
use serde_json::{Value, json};

use super::dry_run::{DryRun, KINDS, new_match, newcomer};

const DOCUMENT: &str = include_str!("../../../../docs/services/btl-run-rules.md");

/// Returns the program in the document.
fn program() -> &'static str {
    let (_, program) = DOCUMENT.split_once("```python\n").unwrap();
    program.split_once("```").unwrap().0
}

#[test]
fn the_example_equals_the_drawn_numbers() {
    let seed = Seed::new([7; 32]);
    let match_id = "match-1".parse().unwrap();
    let mut rng = Rng::of_turn(&seed, &match_id, 2, 1, 1);
    let dice: Vec<String> = (0..7).map(|_| rng.die(6).to_string()).collect();
    for line in [
        format!("| seedCommit | `{}` |", seed.commit()),
        format!("| seven times d6 from the start | `{}` |", dice.join(" ")),
    ] {
        assert!(DOCUMENT.contains(&line), "the document lacks {line}");
    }
}

/// Returns a match with players who choose, policies who choose for others, and a game master.
fn played(number: u64) -> DryRun {
    let mut dice = Rng::of_turn(&Seed::new([3; 32]), &"dice".parse().unwrap(), number as u32, 1, 1);
    let mut seed = [0; 32];
    seed.fill_with(|| dice.below(256) as u8);
    let seed = Seed::new(seed);
    let mode = [Mode::Quick, Mode::Standard, Mode::Long][dice.below(3) as usize];
    let mut new = new_match(&seed, mode, 4 + dice.below(16));
    let crafting = dice.below(2) == 0;
    new.rules = Rules {
        items: dice.below(4) > 0,
        crafting,
        sponsors: dice.below(2) == 0,
        max_crafting_slots: (crafting && dice.below(2) == 0).then(|| 1 + dice.below(4) as u8),
    };
    new.max_days = (dice.below(2) == 0).then(|| 1 + dice.below(30));
    new.max_real_days = (mode == Mode::Long && dice.below(2) == 0).then_some(7);
    let mut world = DryRun::new(seed, new);
    let stats = [[5, 5, 5, 5, 5], [8, 2, 9, 3, 3], [4, 4, 4, 3, 10], [10, 7, 2, 1, 5]];
    for player in 0..dice.below(5) as usize {
        let [vitality, wits, combat, stealth, charm] = stats[dice.below(4) as usize];
        let styles = [None, Some(Playstyle::Social), Some(Playstyle::Aggressive)];
        world.join(decide::Newcomer {
            kind: [TributeKind::Human, TributeKind::Hybrid][dice.below(2) as usize],
            playstyle: styles[dice.below(3) as usize],
            stats: Stats { vitality, wits, combat, stealth, charm },
            ..newcomer(player)
        });
    }
    world.start();
    while !world.is_over() {
        let ids = world.state().living_ids();
        for id in &ids {
            if dice.below(3) == 0 {
                let target_id = (dice.below(2) == 0)
                    .then(|| ids[dice.below(ids.len() as u32) as usize].clone());
                let action = KINDS[dice.below(7) as usize];
                let _ = world.submit(id, Action { action, target_id, free_text: None });
            }
        }
        let meddling = match dice.below(6) {
            0 => Some(Inject::Hazard { zone: 1 + dice.below(4), damage: 1 + dice.below(2) }),
            1 => Some(Inject::ItemDrop { tribute_id: ids[0].clone() }),
            _ => None,
        };
        if let Some(Ok(events)) =
            meddling.map(|inject| decide::inject(&world.state(), inject, world.now))
        {
            world.commit(events);
        }
        if mode == Mode::Long {
            world.now += 20 * 60 * 60 * 1000;
        }
        world.resolve();
    }
    world
}

#[test]
fn the_program_of_the_document_verifies_matches() {
    let folder = std::env::temp_dir().join(format!("btl-run-rules-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut command = Command::new("python3");
    let verifier = folder.join("verify.py");
    std::fs::write(&verifier, program()).unwrap();
    command.arg(&verifier);
    for number in 0..40 {
        let world = played(number);
        let story = story_of(&world.events(), Some(world.seed.clone()), 1).unwrap();
        let file = folder.join(format!("{number}.json"));
        std::fs::write(&file, serde_json::to_string(&story).unwrap()).unwrap();
        command.arg(file);
    }
    let verified = command.output().unwrap();
    let errors = String::from_utf8_lossy(&verified.stderr);
    let lines = String::from_utf8_lossy(&verified.stdout).lines().count();
    assert!(verified.status.success() && lines == 40, "{lines} verified, then {errors}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Changes the export of a match.
type Forgery = fn(&mut Value);

fn events(story: &mut Value) -> &mut Vec<Value> {
    story["events"].as_array_mut().unwrap()
}

/// Puts an event into the log, in the turn that is open there.
fn insert(story: &mut Value, at: usize, kind: &str, data: Value) {
    let events = events(story);
    let mut event = events[at - 1].clone();
    (event["type"], event["data"]) = (json!(kind), data);
    if let Some(next) = events[at - 1]["data"].get("next").cloned() {
        for key in ["day", "turn", "turnId"] {
            event[key] = next[key].clone();
        }
    }
    events.insert(at, event);
    for (at, event) in events.iter_mut().enumerate() {
        event["seq"] = json!(at + 1);
    }
}

/// Returns where the first turn is over.
fn after_turn_1(story: &mut Value) -> usize {
    events(story).iter().position(|event| event["type"] == "TURN_RESOLVED").unwrap() + 1
}

/// Returns a tribute that lives on after the first turn.
fn survivor(story: &mut Value) -> Value {
    let at = after_turn_1(story);
    events(story)[at - 1]["data"]["hp"][0].clone()
}

const FORGERIES: [(&str, &str, Forgery); 10] = [
    ("the seed", "promised", |story| story["seed"] = json!("01".repeat(32))),
    ("a cut log", "not over", |story| {
        let at = after_turn_1(story);
        events(story).truncate(at);
    }),
    ("a forged end", "breaks the rules", |story| {
        let (at, who) = (after_turn_1(story), survivor(story));
        events(story).truncate(at);
        let end = json!({ "reason": "victory", "winnerId": who["tributeId"], "ranking": [] });
        insert(story, at, "MATCH_ENDED", end);
    }),
    ("a cancelled match with a winner", "breaks the rules", |story| {
        let (at, who) = (after_turn_1(story), survivor(story));
        events(story).truncate(at);
        let end = json!({ "reason": "cancelled", "winnerId": who["tributeId"] });
        insert(story, at, "MATCH_ENDED", end);
    }),
    ("a hazard that kills", "breaks the rules", |story| {
        let (at, who) = (after_turn_1(story), survivor(story));
        let hp = json!([{ "tributeId": who["tributeId"], "hp": -50 }]);
        insert(story, at, "GM_EVENT_INJECTED", json!({ "kind": "hazard", "zone": 1, "hp": hp }));
    }),
    ("somebody who comes late", "breaks the rules", |story| {
        let at = after_turn_1(story);
        let mut tribute = events(story)[0]["data"]["roster"][0].clone();
        tribute["id"] = json!("late");
        tribute["stats"]["combat"] = json!(99);
        insert(story, at, "TRIBUTE_JOINED", json!({ "tribute": tribute }));
    }),
    ("an unknown action", "breaks the rules", |story| {
        let (at, who) = (after_turn_1(story), survivor(story));
        let action = json!({ "tributeId": who["tributeId"], "action": { "action": "fly" } });
        insert(story, at, "TRIBUTE_ACTION_SUBMITTED", action);
    }),
    ("an action after the end", "after the end", |story| {
        let (at, who) = (events(story).len(), survivor(story));
        let action = json!({ "tributeId": who["tributeId"], "action": { "action": "fly" } });
        insert(story, at, "TRIBUTE_ACTION_SUBMITTED", action);
    }),
    ("an unknown event", "breaks the rules", |story| {
        let at = after_turn_1(story);
        insert(story, at, "TRIBUTE_BLESSED", json!({}));
    }),
    ("another winner", "the winner", |story| story["match"]["winnerId"] = json!("nobody")),
];

#[test]
fn the_program_of_the_document_refuses_forged_matches() {
    let folder = std::env::temp_dir().join(format!("btl-run-forged-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let verifier = folder.join("verify.py");
    std::fs::write(&verifier, program()).unwrap();
    let is_long = |world: &DryRun| {
        let turns = world.events().into_iter();
        turns.filter(|event| matches!(event.body, EventBody::TurnResolved(_))).count() > 6
    };
    let world = (0..).map(played).find(is_long).unwrap();
    let story = story_of(&world.events(), Some(world.seed.clone()), 1).unwrap();
    for (what, error, forge) in FORGERIES {
        let mut story = serde_json::to_value(&story).unwrap();
        forge(&mut story);
        let file = folder.join("forged.json");
        std::fs::write(&file, story.to_string()).unwrap();
        let forged = Command::new("python3").arg(&verifier).arg(&file).output().unwrap();
        let errors = String::from_utf8_lossy(&forged.stderr);
        assert!(!forged.status.success(), "{what} was accepted");
        assert!(errors.contains("Forged") && errors.contains(error), "{what}: {errors}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
