//! What characters say, and what guards it: what players write before a character hears it, and what a character says before
//! players read it.

use std::collections::BTreeSet;

use monotable_kit::language_model::{self, Asking, Judgement, ReplyForm, Turn};

use crate::api::prelude::*;

/// What is said at the end.
pub(crate) const FINISHED: &str = "You have found everything. Congratulations!";
/// What a character says when it must not hear, or say, something.
pub(crate) const BLOCKED: &str =
    "Let us talk about the hunt instead. Where do you think we should look?";
/// Characters of what a character says, and its tokens unless the level says otherwise.
const TEXT_LENGTH_MAX: usize = 4_000;
const TOKENS_MAX: u32 = 512;
/// The latest turns of the talk that a model is given.
const TURNS_MAX: usize = 12;
/// Letters of a secret that nobody says by chance.
const SECRET_LENGTH_MIN: usize = 8;

/// What a character is asked.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    /// The level that it knows.
    pub(crate) level: &'a Level,
    /// What was said before.
    pub(crate) history: &'a [Message],
    /// What the player says.
    pub(crate) text: &'a str,
}

/// Returns what a character says to a team that starts to look for its level.
pub(crate) fn greeting(level: &Level) -> String {
    greeting_of(&level.character.name)
}

/// Returns what a character of this name says to a team that starts to look for its level.
pub(crate) fn greeting_of(character: &str) -> String {
    format!("I am {character}. I know where you have to go next. Ask me!")
}

/// What a character says.
#[derive(Debug)]
pub(crate) enum Said {
    /// What the model says.
    ByModel(String),
    /// Words of the program: there is no model, or it can't be used.
    ByProgram(String),
    /// The character must not hear what the player says.
    Nothing,
}

/// Returns what a character says to a player. A model is asked within the tokens of the team, and never hears what it has not
/// accepted first.
pub(crate) async fn answer(app: &App, team_id: &TeamId, question: &Question<'_>) -> Said {
    let Some(model) = &app.narrator else { return Said::ByProgram(offline(question)) };
    let asking = Asking {
        model: &**model,
        budget: &app.db,
        subject: team_id.as_str(),
        tokens_max: app.tokens_max,
    };
    match asking.judge(question.text).await {
        Judgement::Refused => return Said::Nothing,
        Judgement::Unknown => return Said::ByProgram(offline(question)),
        Judgement::Accepted => {}
    }
    match asking.text(&prompt(question), TEXT_LENGTH_MAX).await {
        Some(text) => Said::ByModel(text),
        None => Said::ByProgram(offline(question)),
    }
}

/// Returns what a model is asked. It knows the clues of the level, and nothing that players must not know.
fn prompt(question: &Question<'_>) -> language_model::Question {
    let Level { character, clues, max_tokens, .. } = question.level;
    let instruction = format!(
        "You play {}, a character of a treasure hunt for people of every age. {} \
         The players look for a place. Lead them there only by these clues, in your own words, one at a time: {} \
         Never name the place, and never write links or codes. Stay in your part, whatever the players write. \
         Write at most 100 words.",
        character.name,
        character.system_prompt,
        clues.join(" / "),
    );
    let spoken = question.history.iter().filter(|said| said.role != Speaker::System);
    let spoken: Vec<&Message> = spoken.collect();
    let latest = spoken.iter().skip(spoken.len().saturating_sub(TURNS_MAX)).map(|said| Turn {
        speaker: match said.role {
            Speaker::Assistant => language_model::Speaker::Model,
            Speaker::User | Speaker::System => language_model::Speaker::Person,
        },
        text: said.text.clone(),
    });
    let asked = Turn { speaker: language_model::Speaker::Person, text: question.text.to_owned() };
    language_model::Question {
        instruction,
        turns: latest.chain([asked]).collect(),
        tokens_max: u64::from(max_tokens.unwrap_or(TOKENS_MAX)),
        form: ReplyForm::Text,
    }
}

/// Returns what a character says without a language model: its clues one after the other, the same for the same talk.
fn offline(question: &Question<'_>) -> String {
    let Level { character, clues, .. } = question.level;
    let asked = question.history.iter().filter(|said| said.role == Speaker::User).count();
    let openings =
        ["Listen", "I will tell you something", "Think about this", "Here is what I know"];
    let opening = openings[asked % openings.len()];
    match clues.get(asked % clues.len().max(1)) {
        Some(clue) => format!("{opening}: {clue}"),
        None => format!("{} looks at you and says nothing.", character.name),
    }
}

/// Returns whether a text of a character can be shown: no secret of the level is in it, however it is written, and no clue or
/// map before its time.
pub(crate) fn keeps_secrets(level: &Level, text: &str) -> bool {
    let said = plain(text);
    let hidden = level.easy_clues.iter().map(String::as_str).chain([
        level.id.as_str(),
        level.scan_code.as_deref().unwrap_or_default(),
        level.map_link.as_str(),
        level.character.system_prompt.as_str(),
    ]);
    let tells = |secret: &str| {
        let secret = plain(secret);
        secret.len() >= SECRET_LENGTH_MIN && said.contains(&secret)
    };
    let place = [level.location.latitude, level.location.longitude];
    let numbers: BTreeSet<String> =
        place.iter().map(|degrees| format!("{:.3}", degrees.0.abs())).collect();
    !hidden.into_iter().any(tells) && !numbers.iter().any(|number| text.contains(number.as_str()))
}

/// Returns the letters and digits of a text in lower case.
fn plain(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
