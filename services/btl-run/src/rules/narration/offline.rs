//! The built-in narrator: sentences from facts, the same for the same facts.

use monotable_kit::moderation::is_presentable;
use serde_json::json;

use super::{Asked, Fact, NARRATION_CHARACTERS_MAX, Narrator, Prompt, Purpose, Reply};
use crate::rules::events::{Cause, Source};
use crate::rules::state::Tone;

/// Writes stories without network and without cost.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offline;

impl Narrator for Offline {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        let reply = match prompt.purpose {
            Purpose::Moderation => {
                let quotes = prompt.quotes.iter().enumerate();
                let refused = quotes.filter(|(_, (_, text))| !is_presentable(text));
                json!({ "refused": refused.map(|(place, _)| place).collect::<Vec<_>>() })
            }
            _ => json!({ "narration": Self::write(prompt), "tags": Self::tags(prompt) }),
        };
        Box::pin(std::future::ready(Ok(Reply { text: reply.to_string(), tokens_used: 0 })))
    }

    fn tokens_max(&self, _: &Prompt) -> u64 {
        0
    }
}

impl Offline {
    /// Writes the story of the facts and of the players' texts, always with a valid length.
    #[must_use]
    pub fn write(prompt: &Prompt) -> String {
        let mut facts: Vec<(usize, &Fact)> = prompt.facts.iter().enumerate().collect();
        facts.sort_by_key(|(at, fact)| (place(fact), moment(&prompt.facts, *at)));
        let mut said = Said::of(prompt);
        let mut told: Vec<(bool, String)> = Vec::new();
        for (at, (_, fact)) in facts.into_iter().enumerate() {
            told.push((fact.is_highlight(), sentence(fact, prompt.tone, at + prompt.ordinal)));
            told.extend(said.after(fact).into_iter().map(|text| (false, text)));
        }
        told.extend(said.rest().into_iter().map(|text| (false, text)));
        let opening = opening(prompt);
        let length = |told: &[(bool, String)]| {
            let told: usize = told.iter().map(|(_, text)| text.chars().count() + 1).sum();
            opening.chars().count() + told
        };
        while length(&told) > NARRATION_CHARACTERS_MAX {
            // Optional sentences are removed first, from the end.
            let at = told.iter().rposition(|(is_highlight, _)| !is_highlight);
            told.remove(at.unwrap_or(told.len() - 1));
        }
        let sentences = told.into_iter().map(|(_, text)| text);
        std::iter::once(opening.clone()).chain(sentences).collect::<Vec<_>>().join(" ")
    }

    /// Returns what the story is about.
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

/// Returns the position of a fact in a story: the arena first, then actions, then deaths.
const fn place(fact: &Fact) -> u8 {
    match fact {
        Fact::Announced { .. } | Fact::Weather { .. } => 0,
        Fact::Hazard { .. } => 1,
        Fact::Died { cause: Cause::Hazard, .. } => 2,
        Fact::Gift { .. } | Fact::Found { .. } => 3,
        Fact::Died { cause: Cause::Dysentery, .. } => 6,
        Fact::Died { .. } => 5,
        Fact::Won { .. } | Fact::Chosen { .. } | Fact::Outlasted { .. } => 7,
        _ => 4,
    }
}

/// Orders the facts in one position. A broken alliance is known before the actions, but happened
/// with the attack on the ally, possibly after the alliance was formed.
fn moment(facts: &[Fact], at: usize) -> (usize, bool) {
    let Fact::Betrayed { who: traitor, whom: victim } = &facts[at] else { return (at, true) };
    let is_attack = |later: &Fact| match later {
        Fact::Hit { who, whom } | Fact::Missed { who, whom } | Fact::Countered { who, whom } => {
            who == traitor && whom == victim
        }
        _ => false,
    };
    (at + facts[at..].iter().position(is_attack).unwrap_or(0), false)
}

/// The quotes in a story: players on their actions, and winners' catchphrases.
struct Said<'a> {
    quotes: Vec<&'a (String, String)>,
    catchphrases: Vec<&'a (String, String)>,
}

impl<'a> Said<'a> {
    fn of(prompt: &'a Prompt) -> Self {
        let is_shown =
            |(_, text): &&(String, String)| !text.trim().is_empty() && is_presentable(text);
        Self {
            quotes: prompt.quotes.iter().filter(is_shown).collect(),
            catchphrases: prompt.catchphrases.iter().filter(is_shown).collect(),
        }
    }

    /// Returns the quotes that follow a fact: each only once.
    fn after(&mut self, fact: &Fact) -> Vec<String> {
        let subject = fact.subject();
        let is_theirs = |(who, _): &&mut &(String, String)| Some(who.as_str()) == subject;
        let mut said: Vec<String> =
            self.quotes.extract_if(.., |quote| is_theirs(&quote)).map(spoken).collect();
        let victor = match fact {
            Fact::Died { by, .. } => by.as_deref(),
            fact if fact.is_end() => subject,
            _ => None,
        };
        let is_victors = |(who, _): &&(String, String)| Some(who.as_str()) == victor;
        let always = self.catchphrases.extract_if(.., |phrase| is_victors(&&**phrase));
        said.extend(always.map(spoken));
        said
    }

    /// Returns the quotes of players without any other fact.
    fn rest(self) -> Vec<String> {
        self.quotes.into_iter().map(spoken).collect()
    }
}

fn spoken((who, text): &(String, String)) -> String {
    format!("{who} says: “{}”", text.trim())
}

/// Returns the first sentence; no two consecutive turns begin alike.
fn opening(prompt: &Prompt) -> String {
    let arena = &prompt.arena;
    let openings: &[&str] = match (prompt.purpose, prompt.tone) {
        (Purpose::Finale, Tone::Classic) => &["The last hour of {} has come."],
        (Purpose::Finale, Tone::Comedy) => &["Somebody has to sweep up {} now."],
        (Purpose::Finale, Tone::Dark) => &["In {}, even the echoes are dying."],
        (Purpose::Summary, Tone::Classic) => {
            &["A day in {} is over.", "The sun goes down on {}.", "Evening comes to {}."]
        }
        (Purpose::Summary, Tone::Comedy) => &[
            "{} closes for the night.",
            "That was a day in {}, and nobody gets a refund.",
            "Supper is late again in {}.",
        ],
        (Purpose::Summary, Tone::Dark) => &[
            "Night takes {} back.",
            "The light leaves {}, and does not look around.",
            "{} has had its day.",
        ],
        (_, Tone::Classic) => &[
            "Another watch passes in {}.",
            "The wind turns over {}.",
            "Nothing in {} stays where it was.",
            "Those who are left in {} count each other.",
            "There are fresh tracks in {}.",
            "A bird goes up over {}, and somebody has seen it.",
            "The hours are long in {}.",
        ],
        (_, Tone::Comedy) => &[
            "Meanwhile, nobody in {} has read the manual.",
            "In {}, the plan holds for almost a minute.",
            "It is a fine day in {} for everybody who is elsewhere.",
            "Things in {} are going exactly as badly as expected.",
            "The brochure had described {} otherwise.",
            "Somebody in {} has lost the map, and everybody has lost the way.",
            "Complaints about {} may be left at the entrance.",
        ],
        (_, Tone::Dark) => &[
            "Something in {} holds its breath.",
            "The shadows in {} have grown teeth.",
            "No prayer is heard in {}.",
            "The ground of {} remembers everyone.",
            "In {}, silence is only the time between two screams.",
            "What is left of the light in {} is not enough.",
            "{} is hungry again.",
        ],
    };
    let chosen = openings[prompt.ordinal % openings.len()];
    let mut text = chosen.replace("{}", arena);
    if let Some(first) = text.get(..1).filter(|first| first.is_ascii()) {
        text.replace_range(..1, &first.to_ascii_uppercase());
    }
    text
}

/// Returns a fact as a sentence; `variant` chooses among several.
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
        Fact::Weather { text } => {
            let end = if text.ends_with(['.', '!', '?', '…']) { "" } else { "." };
            format!("The weather turns: {text}{end}")
        }
        Fact::Announced { text } => format!("A voice speaks to everybody: “{}”", text.trim()),
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
