//! E-mails about results: one ticket, fanned out to the users of claimed players.

use std::sync::{Arc, Mutex};

use monotable_kit::outbox::{Letter, Mailer, Mailing};
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::matchday::MatchDay as _;
use crate::world::World;

/// Keeps letters.
#[derive(Default)]
struct Letters(Mutex<Vec<Letter>>);

impl Mailer for Letters {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        self.0.lock().unwrap().push(letter.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

impl Letters {
    fn take(&self) -> Vec<Letter> {
        let mut letters = std::mem::take(&mut *self.0.lock().unwrap());
        letters.sort_by(|one, other| one.recipient.cmp(&other.recipient));
        letters
    }
}

#[tokio::test]
async fn every_user_of_a_player_gets_the_result_with_their_own_part() {
    let world = World::match_day().await;
    let letters = Arc::new(Letters::default());
    let mailing = world.process_with_mailer(Arc::clone(&letters) as Arc<dyn Mailer>).await;
    let game = world.live_game().await;
    for minute in 1..=3 {
        world.goal(&game, "red>blue", 1, minute).await;
    }
    world.finish(&game).await;
    mailing.app.work().await.unwrap();
    mailing.app.work().await.unwrap();
    let sent = letters.take();
    let recipients: Vec<&str> = sent.iter().map(|letter| letter.recipient.as_str()).collect();
    assert_eq!(recipients, ["blue@example.org", "red@example.org", "yellow@example.org"]);
    assert!(sent[1].text.contains("You scored a hat-trick"), "{}", sent[1].text);
    assert!(sent[1].text.contains("RED: conceded 0, scored 3 - winner"), "{}", sent[1].text);
    assert!(sent[1].text.contains("the game of 22 February 2026 is over"), "{}", sent[1].text);
    assert!(!sent[0].text.contains("You scored"), "{}", sent[0].text);
    // Nothing is sent again.
    mailing.app.work().await.unwrap();
    assert_eq!(letters.take().len(), 0);
    // A corrected result is sent when the game is finished again.
    world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
    world.goal(&game, "yellow>red", 3, 1).await;
    world.clock.advance_ms(1000);
    world.finish(&game).await;
    mailing.app.work().await.unwrap();
    mailing.app.work().await.unwrap();
    assert_eq!(letters.take().len(), 3);
}

#[tokio::test]
async fn a_game_that_is_reopened_first_sends_nothing() {
    let world = World::match_day().await;
    let letters = Arc::new(Letters::default());
    let mailing = world.process_with_mailer(Arc::clone(&letters) as Arc<dyn Mailer>).await;
    let game = world.live_game().await;
    world.finish(&game).await;
    world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
    mailing.app.work().await.unwrap();
    mailing.app.work().await.unwrap();
    assert_eq!(letters.take().len(), 0);
}

#[tokio::test]
async fn the_fan_out_survives_a_kill() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.finish(&game).await;
    Crash::of(&world).at_every_call(Act::Work).await;
    let body = json!({ "reason": "Rain" });
    let early = World::match_day().await;
    early.live_game().await;
    Crash::of(&early).at_every_call(Act::request("ann", "POST /v1/games/g1/finish", &body)).await;
}
