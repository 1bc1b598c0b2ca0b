//! Finished matches as files, and what a forged one looks like.

use monotable_btl_run::rules::events::{Event, EventBody, FoldError};
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Mode, Theme, Tone};
use monotable_btl_run::rules::story::{
    Forged, Story, Untold, story_of, to_html, to_markdown, verify,
};

use super::dry_run::{DryRun, id, new_match, newcomer};

fn ended() -> DryRun {
    let seed = Seed::new([9; 32]);
    let mut new = new_match(&seed, Mode::Quick, 5);
    new.theme = Theme { tone: Tone::Dark, arena: "<b>mill</b> & [x](http://y)".to_owned() };
    let mut world = DryRun::new(seed, new);
    world.join(newcomer(0));
    world.start();
    while !world.is_over() {
        world.resolve();
    }
    world
}

fn story(world: &DryRun) -> Story {
    story_of(&world.events(), Some(world.seed.clone()), world.state().version).unwrap()
}

#[test]
fn a_story_can_be_read_back_and_verified_by_strangers() {
    let world = ended();
    let json = serde_json::to_string(&story(&world)).unwrap();
    for secret in ["user-0", "user-host", "userId", "hostUserId"] {
        assert!(!json.contains(secret), "{secret}");
    }
    let read: Story = serde_json::from_str(&json).unwrap();
    let verified = verify(read.seed.as_ref().unwrap(), &read.events).unwrap();
    assert_eq!(verified.event_count, world.state().log_seq);
    assert!(verified.turn_count > 0);
    assert_eq!(verified.state.winner_id, world.state().winner_id);
    assert_eq!(read.summaries.len(), world.state().day as usize);
    let deaths: usize = read.summaries.iter().map(|summary| summary.deaths.len()).sum();
    let dead = world.state().roster.iter().filter(|tribute| !tribute.alive).count();
    assert_eq!(deaths, dead);
    let alive = read.summaries.last().map(|summary| summary.alive_count as usize);
    assert_eq!(alive, Some(world.state().living().count()));
}

#[test]
fn pages_show_texts_as_texts() {
    let world = ended();
    let story = story(&world);
    let html = to_html(&story);
    assert!(html.contains("&lt;b&gt;mill&lt;/b&gt; &amp; [x](http://y)") && !html.contains("<b>"));
    let markdown = to_markdown(&story);
    assert!(!markdown.contains("<b>") && !markdown.contains("](http"));
    let winner =
        world.state().tribute(world.state().winner_id.as_ref().unwrap()).unwrap().name.clone();
    for page in [html, markdown] {
        assert_eq!(page.matches("even the echoes are dying").count(), 1, "one end");
        assert!(page.contains(&winner) && page.contains(&world.seed.reveal()));
        assert!(page.contains("Day 1"));
    }
}

#[test]
fn a_match_that_is_played_has_no_story() {
    let seed = Seed::new([9; 32]);
    let new = new_match(&seed, Mode::Quick, 5);
    let world = DryRun::new(seed.clone(), new);
    assert_eq!(story_of(&world.events(), Some(seed), 1), Err(Untold::NotEnded));
}

#[track_caller]
fn check_forged(world: &DryRun, forge: impl FnOnce(&mut Vec<Event>)) -> Forged {
    let mut events = world.events();
    forge(&mut events);
    verify(&world.seed, &events).unwrap_err()
}

#[test]
fn forgeries_are_found() {
    let world = ended();
    assert_eq!(verify(&Seed::new([8; 32]), &world.events()), Err(Forged::Seed));
    let is_turn = |event: &Event| matches!(event.body, EventBody::TurnResolved(_));
    let at = world.events().iter().position(is_turn).unwrap();
    let healed = check_forged(&world, |events| {
        let EventBody::TurnResolved(resolved) = &mut events[at].body else { panic!("no turn") };
        resolved.hp[0].hp += 1;
    });
    assert!(matches!(healed, Forged::Differs { seq, .. } if seq as usize == at + 1));
    let cut = check_forged(&world, |events| drop(events.remove(at)));
    assert!(matches!(cut, Forged::Differs { .. } | Forged::Log(FoldError::OutOfSequence { .. })));
    let crowned = check_forged(&world, |events| {
        let Some(EventBody::MatchEnded(placing)) = events.last_mut().map(|event| &mut event.body)
        else {
            panic!("no end")
        };
        placing.winner_id = Some(id("p0"));
        placing.ranking.reverse();
    });
    assert!(matches!(crowned, Forged::Differs { .. }));
    // A host that writes an end of its own.
    let early = check_forged(&world, |events| {
        let mut end = events.pop().unwrap();
        events.truncate(at);
        while events.last().is_some_and(|event| event.body.is_of_resolution()) {
            events.pop();
        }
        end.seq = events.len() as u32 + 1;
        events.push(end);
    });
    assert!(matches!(early, Forged::Unruly(_)));
}
