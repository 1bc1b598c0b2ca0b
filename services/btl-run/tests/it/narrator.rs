//! The narrator that needs no network.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use expect_test::expect;
use monotable_btl_run::rules::events::Cause;
use monotable_btl_run::rules::narration::{
    Fact, NARRATION_CHARACTERS_MAX, Narrator, Offline, Prompt, Purpose, read_reply,
};
use monotable_btl_run::rules::state::Tone;
use monotable_btl_run::table::TurnId;

fn prompt(tone: Tone, facts: Vec<Fact>) -> Prompt {
    Prompt {
        purpose: Purpose::EventNarration,
        tone,
        arena: "the mill".to_owned(),
        turn_id: Some(TurnId::of(2, 1)),
        facts,
        quotes: Vec::new(),
        catchphrases: Vec::new(),
        ordinal: 0,
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
            "Another watch passes in the mill. The arena itself strikes 3 of them. Ilse bleeds from Brakka's blow. Tovi finds a quiet hour. Ilse falls to Brakka.",
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
fn an_alliance_is_formed_before_it_is_broken() {
    let name = |text: &str| text.to_owned();
    let formed = Fact::Allied { who: name("Ilse"), whom: name("Brakka") };
    let broken = Fact::Betrayed { who: name("Brakka"), whom: name("Ilse") };
    let attack = Fact::Missed { who: name("Brakka"), whom: name("Ilse") };
    let order = |facts: [&Fact; 3]| {
        let (story, _) = told(&prompt(Tone::Classic, facts.map(Clone::clone).to_vec()));
        let (formed, broken) = (story.find("shake hands"), story.find("turns on"));
        formed.or_else(|| story.find("sides with")).unwrap() < broken.unwrap()
    };
    // That it broke is an event, which is known before what people did.
    assert!(order([&broken, &formed, &attack]));
    assert!(!order([&broken, &attack, &formed]));
}

#[test]
fn weather_ends_with_one_mark() {
    for (text, end) in [("ash!", "turns: ash!"), ("ash", "turns: ash."), ("ash.", "turns: ash.")] {
        let weather = Fact::Weather { text: text.to_owned() };
        let (story, _) = told(&prompt(Tone::Classic, vec![weather]));
        assert!(story.ends_with(end), "{story}");
    }
}

#[test]
fn no_two_turns_in_a_row_begin_alike() {
    for tone in [Tone::Classic, Tone::Comedy, Tone::Dark] {
        let begins = |ordinal| {
            let (story, _) = told(&Prompt { ordinal, ..prompt(tone, facts()) });
            let (first, _) = story.split_once(". ").unwrap();
            assert!(first.to_lowercase().contains("the mill"), "{first}");
            first.to_owned()
        };
        let begun: Vec<String> = (1..=15).map(begins).collect();
        assert!(begun.windows(2).all(|pair| pair[0] != pair[1]), "{begun:?}");
        let mut once = begun.clone();
        once.sort();
        once.dedup();
        assert!(once.len() >= 6, "{once:?}");
    }
}

#[test]
fn quotes_appear_next_to_actions() {
    let said = |who: &str, text: &str| (who.to_owned(), text.to_owned());
    let mut facts = facts();
    facts.push(Fact::Announced { text: "The river rises.".to_owned() });
    let story = told(&Prompt {
        quotes: vec![
            said("Tovi", "I sleep under the old boats."),
            said("Wren", "Nobody saw me."),
            said("Brakka", "see www.example.com"),
        ],
        catchphrases: vec![said("Brakka", "One!"), said("Tovi", "Easy does it.")],
        ..prompt(Tone::Classic, facts)
    });
    let expected = "Another watch passes in the mill. A voice speaks to everybody: “The river rises.” \
                    The arena itself strikes 3 of them. Brakka wounds Ilse. Tovi sleeps and mends. \
                    Tovi says: “I sleep under the old boats.” Ilse falls to Brakka. Brakka says: “One!” \
                    Wren says: “Nobody saw me.”";
    assert_eq!(story.0, expected);
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
fn the_story_contains_the_end() {
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
