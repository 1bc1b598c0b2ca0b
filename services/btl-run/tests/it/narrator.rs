//! The narrator that needs no network.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use expect_test::expect;
use monotable_btl_run::events::Cause;
use monotable_btl_run::ids::TurnId;
use monotable_btl_run::narration::{
    Fact, NARRATION_CHARACTERS_MAX, Narrator, Offline, Prompt, Purpose, read_reply,
};
use monotable_btl_run::state::Tone;

fn prompt(tone: Tone, facts: Vec<Fact>) -> Prompt {
    Prompt {
        purpose: Purpose::EventNarration,
        tone,
        arena: "the mill".to_owned(),
        turn_id: Some(TurnId::of(2, 1)),
        facts,
        quotes: Vec::new(),
        memory: String::new(),
        is_strict: false,
    }
}

fn told(prompt: &Prompt) -> (String, Vec<String>) {
    let asked = pin!(Offline.ask(prompt));
    let Poll::Ready(Ok(reply)) = asked.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("the narrator is not at hand")
    };
    assert_eq!(reply.tokens_used, 0);
    read_reply(&reply.text).unwrap()
}

fn facts() -> Vec<Fact> {
    let name = str::to_owned;
    vec![
        Fact::Died { who: name("Ilse"), cause: Cause::Hunt, by: Some(name("Brakka")) },
        Fact::Hit { who: name("Brakka"), whom: name("Ilse") },
        Fact::Rested { who: name("Tovi") },
        Fact::Hazard { level: 1, count: 3 },
    ]
}

#[test]
fn the_same_facts_are_the_same_story() {
    let story = told(&prompt(Tone::Classic, facts()));
    expect![[r#"
        (
            "Another watch passes in the mill. The arena itself strikes 3 of them. Brakka wounds Ilse. Tovi sleeps and mends. Ilse falls to Brakka.",
            [
                "death",
                "hazard",
            ],
        )
    "#]]
    .assert_debug_eq(&story);
    assert_eq!(told(&prompt(Tone::Classic, facts())), story);
    assert_ne!(told(&prompt(Tone::Dark, facts())).0, story.0);
}

#[test]
fn no_story_is_too_long_or_too_short() {
    let long = "N".repeat(50);
    let deaths = (0..24).map(|_| Fact::Died {
        who: long.clone(),
        cause: Cause::Hunt,
        by: Some(long.clone()),
    });
    let rests = (0..24).map(|_| Fact::Rested { who: "Tovi".to_owned() });
    for tone in [Tone::Classic, Tone::Comedy, Tone::Dark] {
        let (story, _) = told(&prompt(tone, rests.clone().chain(deaths.clone()).collect()));
        assert!(story.chars().count() <= NARRATION_CHARACTERS_MAX);
        assert!(!story.contains("Tovi"), "what matters less is left out first");
        told(&prompt(tone, Vec::new()));
    }
}

#[test]
fn an_end_is_told_as_it_was() {
    let who = "Quill".to_owned();
    for tone in [Tone::Classic, Tone::Comedy, Tone::Dark] {
        let tell = |fact: Fact| told(&prompt(tone, vec![fact]));
        let (won, tags) = tell(Fact::Won { who: who.clone() });
        let (chosen, _) = tell(Fact::Chosen { who: who.clone() });
        let (outlasted, _) = tell(Fact::Outlasted { who: who.clone() });
        assert_eq!(tags, ["victory"]);
        assert!(won != chosen && chosen != outlasted && !chosen.contains("alone"));
        assert!([won, chosen, outlasted].iter().all(|story| story.contains("Quill")));
    }
}
