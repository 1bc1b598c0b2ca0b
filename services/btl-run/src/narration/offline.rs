//! The narrator that is part of the program: sentences from facts, the same for the same facts.

use serde_json::json;

use super::{
    Asked, Fact, NARRATION_CHARACTERS_MAX, Narrator, Prompt, Purpose, Reply, is_presentable,
};
use crate::events::{Cause, Source};
use crate::state::Tone;

/// Tells stories without network and without cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offline;

impl Narrator for Offline {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        let told = match prompt.purpose {
            Purpose::Moderation => {
                let quotes = prompt.quotes.iter().enumerate();
                let refused = quotes.filter(|(_, (_, text))| !is_presentable(text));
                json!({ "refused": refused.map(|(place, _)| place).collect::<Vec<_>>() })
            }
            _ => json!({ "narration": Self::tell(prompt), "tags": Self::tags(prompt) }),
        };
        Box::pin(std::future::ready(Ok(Reply { text: told.to_string(), tokens_used: 0 })))
    }

    fn tokens_max(&self, _: &Prompt) -> u64 {
        0
    }
}

impl Offline {
    /// The story of the facts: always of a length that can be used.
    #[must_use]
    pub fn tell(prompt: &Prompt) -> String {
        let mut facts: Vec<&Fact> = prompt.facts.iter().collect();
        facts.sort_by_key(|fact| place(fact));
        let salt =
            prompt.turn_id.as_ref().map_or(0, |turn| turn.as_str().bytes().map(usize::from).sum());
        let mut told: Vec<(bool, String)> = facts
            .into_iter()
            .enumerate()
            .map(|(at, fact)| (fact.is_highlight(), sentence(fact, prompt.tone, at + salt)))
            .collect();
        let opening = opening(prompt);
        let length = |told: &[(bool, String)]| {
            let told: usize = told.iter().map(|(_, text)| text.chars().count() + 1).sum();
            opening.chars().count() + told
        };
        while length(&told) > NARRATION_CHARACTERS_MAX {
            // What can be left out goes first, from the end.
            let at = told.iter().rposition(|(is_highlight, _)| !is_highlight);
            told.remove(at.unwrap_or(told.len() - 1));
        }
        let sentences = told.into_iter().map(|(_, text)| text);
        std::iter::once(opening.clone()).chain(sentences).collect::<Vec<_>>().join(" ")
    }

    /// What the story is about.
    #[must_use]
    pub fn tags(prompt: &Prompt) -> Vec<&'static str> {
        let has = |is: fn(&Fact) -> bool| prompt.facts.iter().any(is);
        [
            ("death", has(|fact| matches!(fact, Fact::Died { .. }))),
            ("betrayal", has(|fact| matches!(fact, Fact::Betrayed { .. }))),
            ("alliance", has(|fact| matches!(fact, Fact::Allied { .. }))),
            ("hazard", has(|fact| matches!(fact, Fact::Hazard { .. }))),
            ("victory", has(Fact::is_end)),
        ]
        .into_iter()
        .filter_map(|(tag, is_there)| is_there.then_some(tag))
        .collect()
    }
}

/// Where a fact stands in a story: the arena first, then what people did, then whom it cost.
const fn place(fact: &Fact) -> u8 {
    match fact {
        Fact::Weather { .. } => 0,
        Fact::Hazard { .. } => 1,
        Fact::Died { cause: Cause::Hazard, .. } => 2,
        Fact::Gift { .. } | Fact::Found { .. } => 3,
        Fact::Betrayed { .. } => 4,
        Fact::Died { cause: Cause::Dysentery, .. } => 7,
        Fact::Died { .. } => 6,
        Fact::Won { .. } | Fact::Chosen { .. } | Fact::Outlasted { .. } => 8,
        _ => 5,
    }
}

fn opening(prompt: &Prompt) -> String {
    let arena = &prompt.arena;
    match (prompt.purpose, prompt.tone) {
        (Purpose::Finale, Tone::Classic) => format!("The last hour of {arena} has come."),
        (Purpose::Finale, Tone::Comedy) => format!("Somebody has to sweep up {arena} now."),
        (Purpose::Finale, Tone::Dark) => format!("In {arena}, even the echoes are dying."),
        (_, Tone::Classic) => format!("Another watch passes in {arena}."),
        (_, Tone::Comedy) => format!("Meanwhile, nobody in {arena} has read the manual."),
        (_, Tone::Dark) => format!("Something in {arena} holds its breath."),
    }
}

/// A fact as a sentence; `variant` chooses among several.
pub(super) fn sentence(fact: &Fact, tone: Tone, variant: usize) -> String {
    let either = |one: String, other: String| if variant.is_multiple_of(2) { one } else { other };
    match fact {
        Fact::Rested { who } => {
            either(format!("{who} finds a quiet hour."), format!("{who} sleeps and mends."))
        }
        Fact::Hid { who } => {
            either(format!("{who} is nowhere to be seen."), format!("{who} lies low."))
        }
        Fact::Found { who, source: Source::Craft } => format!("{who} makes something useful."),
        Fact::Found { who, .. } => {
            either(format!("{who} picks up something useful."), format!("{who} has a lucky find."))
        }
        Fact::Empty { who } => {
            either(format!("{who} comes back with nothing."), format!("{who} wastes the day."))
        }
        Fact::Trapped { who } => format!("{who} steps into a snare and limps out of it."),
        Fact::Allied { who, whom } => {
            either(format!("{who} and {whom} shake hands."), format!("{whom} sides with {who}."))
        }
        Fact::Refused { who } => format!("{who} looks for friends and finds none."),
        Fact::Betrayed { who, whom } => format!("{who} turns on {whom}, who had trusted them."),
        Fact::Hit { who, whom } => {
            either(format!("{who} wounds {whom}."), format!("{whom} bleeds from {who}'s blow."))
        }
        Fact::Missed { who, whom } => format!("{who} lunges at {whom} and misses."),
        Fact::Countered { who, whom } => format!("{who} attacks {whom} and regrets it."),
        Fact::Hazard { level, count } => format!(
            "The arena itself strikes {count} of them{}",
            if *level > 2 { " without mercy." } else { "." }
        ),
        Fact::Died { who, cause, by } => death(who, *cause, by.as_deref(), tone),
        Fact::Gift { who } => format!("A parcel on a small parachute reaches {who}."),
        Fact::Weather { text } => format!("The weather turns: {}.", text.trim_end_matches('.')),
        Fact::Won { who } => match tone {
            Tone::Classic => format!("{who} stands alone, and wins."),
            Tone::Comedy => format!("{who} wins, mostly by still being there."),
            Tone::Dark => format!("{who} is what remains."),
        },
        Fact::Chosen { who } => match tone {
            Tone::Classic => format!("The days are over, and {who} has done best: {who} wins."),
            Tone::Comedy => format!("Time is up, and on points it is {who}, to general surprise."),
            Tone::Dark => format!("The days run out, and what watched them chooses {who}."),
        },
        Fact::Outlasted { who } => match tone {
            Tone::Classic => format!("Nobody is left, and {who}, who stood firmest, wins."),
            Tone::Comedy => format!("Nobody is left to object, so {who} wins."),
            Tone::Dark => format!("Nobody remains. The victory is {who}'s, and of no use."),
        },
    }
}

fn death(who: &str, cause: Cause, by: Option<&str>, tone: Tone) -> String {
    let by = by.unwrap_or("somebody unseen");
    match (cause, tone) {
        (Cause::Dysentery, _) => format!("{who} has died of dysentery."),
        (Cause::Hunt, Tone::Comedy) => format!("{by} shows {who} to the exit."),
        (Cause::Hunt, Tone::Dark) => format!("{who} looks up, sees {by}, and sees no more."),
        (Cause::Hunt, Tone::Classic) => format!("{who} falls to {by}."),
        (Cause::Counter, _) => format!("{who} hunted {by}, and it was the last hunt."),
        (Cause::Hazard, _) => format!("The arena takes {who}."),
        (Cause::Trap, _) => format!("A trap is the end of {who}."),
    }
}
