//! Stories of turns: each comes exactly once, within the budget, and play never waits for it.

use monotable::model::edit;
mod crashes;
mod replies;
mod scripted;

use std::sync::Arc;

use monotable_btl_run::BtlRunService;
use monotable_btl_run::jobs::narrate::{give_personas, narrate_due};
use monotable_btl_run::rules::narration::{MEMORY_BYTES_MAX, Purpose, Reply};
use monotable_btl_run::table::BtlRunReads as _;
use serde_json::{Value, json};

use self::scripted::Scripted;
use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Opened, World, narrating_later, world_of};

async fn world(narrator: &Arc<Scripted>) -> World {
    world_of(narrating_later().narrator(Arc::clone(narrator) as _)).await
}

async fn tell(world: &World) -> usize {
    narrate_due(&world.app).await.unwrap()
}

async fn tokens(world: &World, opened: &Opened) -> u64 {
    world.app.db.budget(&opened.id.parse().unwrap()).await.unwrap().unwrap().tokens
}

fn turns(stories: &[Value]) -> Vec<&str> {
    stories.iter().map(|story| story["turnId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn each_turn_gets_one_story() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    assert_eq!(tell(&world).await, 0);
    world.advance(&opened).await;
    world.advance(&opened).await;
    assert_eq!(world.keys_of("task#narrate").len(), 2);
    assert_eq!((tell(&world).await, tell(&world).await), (2, 0));
    let stories = world.stories(&opened).await;
    assert_eq!(turns(&stories), ["d1t1", "d1t2"]);
    for story in &stories {
        assert_eq!(story["fallback"], false);
        assert!(story["narration"].as_str().is_some_and(|text| text.len() > 10));
        assert!(story.get("memory").is_none() && story.get("tokensUsed").is_none());
    }
    assert!(world.keys_of("task#narrate").is_empty());
    assert!(world.keys_of(&format!("lock#match#{}", opened.id)).is_empty());
    world.check_log(&opened).await;
}

#[tokio::test]
async fn the_finale_is_written_after_the_end() {
    let narrator = Arc::new(Scripted::default());
    let world = world(&narrator).await;
    let (opened, _) = world.begun(json!({ "aiCount": 4 }), 0).await;
    world.play_out(&opened).await;
    while !world.keys_of("task#narrate").is_empty() {
        world.clock.advance_ms(60_000);
        tell(&world).await;
    }
    let prompts = narrator.of_stories();
    let finales = prompts.iter().filter(|prompt| prompt.purpose == Purpose::Finale);
    assert_eq!(finales.count(), 1);
    assert_eq!(prompts.last().unwrap().purpose, Purpose::Finale);
    assert_eq!(world.stories(&opened).await.len(), prompts.len());
    assert_eq!(world.look(&opened).await["status"], "ended");
    world.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_writers_attach_a_story_once() {
    let narrator = Arc::new(Scripted::default());
    let first = world(&narrator).await;
    let (opened, _) = first.begun(json!({}), 1).await;
    for _ in 0..3 {
        first.advance(&opened).await;
    }
    let apps = [first.app.clone(), first.another_process().await.app];
    let tasks: Vec<_> = (0..16)
        .map(|number| {
            let app = Arc::clone(&apps[number % 2]);
            tokio::spawn(async move { narrate_due(&app).await.unwrap() })
        })
        .collect();
    let mut told = 0;
    for task in tasks {
        told += task.await.unwrap();
    }
    told += tell(&first).await;
    assert_eq!(told, 3);
    let mut stories = first.stories(&opened).await;
    stories.sort_by_key(|story| story["turnId"].to_string());
    assert_eq!(turns(&stories), ["d1t1", "d1t2", "d1t3"]);
    first.check_log(&opened).await;
}

#[tokio::test]
async fn the_lock_of_a_dead_process_ends_with_its_lease() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    world.advance(&opened).await;
    let ends = i64::try_from(crate::world::START_MS / 1000).unwrap() + 10_000;
    let lock = monotable::item! {
        "pk" => format!("lock#match#{}", opened.id), "sk" => "v", "v" => "dead", "ttl" => ends,
    };
    world.database.put_item(monotable::dynamodb::PutItem::new(crate::world::TABLE, lock)).unwrap();
    assert_eq!(tell(&world).await, 0);
    world.clock.set_ms(u64::try_from(ends).unwrap() * 1000);
    assert_eq!(tell(&world).await, 1);
}

#[tokio::test]
async fn a_lock_without_an_end_holds_up_one_round() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    world.advance(&opened).await;
    let lock = monotable::item! {
        "pk" => format!("lock#match#{}", opened.id), "sk" => "v", "v" => "lost",
    };
    world.database.put_item(monotable::dynamodb::PutItem::new(crate::world::TABLE, lock)).unwrap();
    assert_eq!((tell(&world).await, tell(&world).await), (0, 1));
}

#[tokio::test]
async fn the_memory_contains_past_events() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "aiCount": 12 }), 0).await;
    while world.look(&opened).await["status"] == "active" {
        world.advance(&opened).await;
        world.clock.advance_ms(60_000);
        assert_eq!(tell(&world).await, 1);
    }
    let memory = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap().state.memory_blob;
    assert!(memory.len() <= MEMORY_BYTES_MAX && memory.lines().count() > 2, "{memory}");
    let turns: Vec<&str> = memory.lines().map(|line| line.split_once(':').unwrap().0).collect();
    let mut once = turns.clone();
    once.dedup();
    assert_eq!(turns, once);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_model_rewrites_summaries_and_the_memory() {
    let narrator = Arc::new(Scripted::costing(10));
    let world = world(&narrator).await;
    let (opened, _) = world.begun(json!({ "aiCount": 12 }), 0).await;
    while world.look(&opened).await["status"] == "active" {
        world.advance(&opened).await;
        world.clock.advance_ms(60_000);
        assert_eq!(tell(&world).await, 1);
    }
    let prompts = narrator.prompts();
    let of = |purpose| prompts.iter().filter(|prompt| prompt.purpose == purpose).count();
    let days = world.get(crate::world::Actor::Nobody, &opened.path("summaries")).await.json();
    let days = days["items"].as_array().unwrap();
    assert_eq!(of(Purpose::Summary), days.len());
    for day in days {
        assert_eq!(day["narration"], "The night is long, and longer for some.", "{day}");
    }
    let story = world.post(crate::world::Actor::Nobody, &opened.path("export"), json!({})).await;
    assert_eq!(story.json()["summaries"].as_array().unwrap(), days);
    assert!(of(Purpose::Memory) > 1);
    let asked =
        |prompt: &&monotable_btl_run::rules::narration::Prompt| prompt.purpose == Purpose::Memory;
    assert!(prompts.iter().filter(asked).any(|prompt| prompt.memory.contains(": ")));
    assert!(narrator.of_stories().iter().any(|prompt| prompt.memory.contains("The night is long")));
    let memory = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap().state.memory_blob;
    assert!(memory.ends_with(": The night is long, and longer for some."), "{memory}");
    // Every question is paid for.
    assert_eq!(tokens(&world, &opened).await, 10 * prompts.len() as u64);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn stories_are_written_in_the_order_of_their_turns() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "aiCount": 24, "maxDays": 30 }), 0).await;
    for _ in 0..30 {
        world.advance(&opened).await;
    }
    while !world.keys_of("task#narrate").is_empty() {
        tell(&world).await;
    }
    let stories = world.stories(&opened).await;
    let told = turns(&stories);
    let mut sorted = told.clone();
    sorted.sort_by_key(|turn| (turn.len(), (*turn).to_owned()));
    assert!(told.len() > 27, "{told:?}");
    assert_eq!(told, sorted);
}

#[tokio::test]
async fn a_match_that_continues_still_gets_its_story() {
    let narrator = Arc::new(Scripted::default());
    let world = Arc::new(world(&narrator).await);
    let (opened, _) = world.begun(json!({}), 0).await;
    world.advance(&opened).await;
    let (other, at) = (Arc::clone(&world), opened.clone());
    narrator.meanwhile(async move { drop(other.advance(&at).await) });
    assert_eq!(tell(&world).await, 1);
    assert_eq!(turns(&world.stories(&opened).await), ["d1t1"]);
    assert_eq!(narrator.of_stories().len(), 1);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn users_erased_in_the_meantime_are_not_in_the_story() {
    let narrator = Arc::new(Scripted::default());
    let world = Arc::new(world(&narrator).await);
    let (opened, _) = world.begun(json!({}), 1).await;
    world.advance(&opened).await;
    let (other, match_id) = (Arc::clone(&world), opened.id.parse().unwrap());
    narrator.meanwhile(async move {
        let row = other.app.match_row(&match_id).await.unwrap();
        let renamed = other.app.db.transact().with(edit(&row, |row| {
            let is_player = |one: &&mut monotable_btl_run::rules::state::Tribute| one.name == "P0";
            row.state.roster.iter_mut().find(is_player).unwrap().name = "Tribute 1".to_owned();
            row.state.version += 1;
        }));
        renamed.await.unwrap();
    });
    assert_eq!(tell(&world).await, 0);
    assert_eq!(tell(&world).await, 1);
    let prompts = narrator.of_stories();
    assert!(serde_json::to_string(&prompts[0]).unwrap().contains("\"P0\""));
    assert!(!serde_json::to_string(&prompts[1]).unwrap().contains("\"P0\""));
}

#[tokio::test]
async fn a_story_can_be_written_during_the_request() {
    let world = world_of(BtlRunService::default()).await;
    let (opened, _) = world.begun(json!({}), 1).await;
    world.advance(&opened).await;
    while world.stories(&opened).await.is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(turns(&world.stories(&opened).await), ["d1t1"]);
}

#[tokio::test]
async fn a_model_writes_the_personas_of_ai_tributes() {
    let narrator = Arc::new(Scripted::costing(30));
    let world = world(&narrator).await;
    let opened = world.open_match(json!({ "aiCount": 3 })).await;
    world.join(&opened, "Bob").await;
    let match_id = opened.id.parse().unwrap();
    let before = world.app.match_row(&match_id).await.unwrap().state;
    assert_eq!(give_personas(&world.app, &match_id).await.unwrap(), 3);
    assert_eq!(give_personas(&world.app, &match_id).await.unwrap(), 0, "each has one now");
    let prompts = narrator.prompts();
    assert!(prompts.iter().all(|prompt| prompt.purpose == Purpose::PersonaGen));
    assert_eq!(prompts[0].quotes, [("Brakka".to_owned(), "warrior".to_owned())]);
    let after = world.app.match_row(&match_id).await.unwrap().state;
    let mut given = 0;
    for (before, after) in before.roster.iter().zip(&after.roster) {
        let said = after.persona.catchphrase.as_deref();
        given += usize::from(said == Some("The night is long, and longer for some."));
        // What it does is not the model's affair.
        assert_eq!((&before.id, &before.stats), (&after.id, &after.stats));
        assert_eq!(before.persona.archetype, after.persona.archetype);
    }
    assert_eq!((given, tokens(&world, &opened).await), (3, 90));
    // What nobody may read is not used, and after the start nothing changes.
    world.host(&opened, "ai", json!({})).await;
    let rude = json!({ "narration": "see www.example.com for more", "tags": [] }).to_string();
    narrator.reply(Ok(Reply { text: rude, tokens_used: 1 }));
    assert_eq!(give_personas(&world.app, &match_id).await.unwrap(), 0);
    world.host(&opened, "start", json!({})).await;
    assert_eq!(give_personas(&world.app, &match_id).await.unwrap(), 0);
    world.play_out(&opened).await;
    let told = world.get(crate::world::Actor::Nobody, &opened.path("verify")).await.json();
    assert_eq!(told["isVerified"], true, "{told}");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn without_a_model_tributes_stay_as_they_came() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 3 })).await;
    let rows = world.rows();
    assert_eq!(give_personas(&world.app, &opened.id.parse().unwrap()).await.unwrap(), 0);
    assert_eq!(world.rows(), rows);
}
