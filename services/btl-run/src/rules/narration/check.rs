//! Validation of a narrator's reply.

use serde::Deserialize;

/// The minimum length of a narration.
pub const NARRATION_CHARACTERS_MIN: usize = 10;
/// The maximum length of a narration.
pub const NARRATION_CHARACTERS_MAX: usize = 2000;
const TAGS_MAX: usize = 8;
const TAG_CHARACTERS_MAX: usize = 30;

/// The reason why a reply is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It is not a JSON object with a narration.
    #[error("the reply is not a JSON object with a narration")]
    NotJson,
    /// The narration is too short or too long.
    #[error("the narration must have 10 to 2000 characters")]
    Length,
    /// The narration has control characters.
    #[error("the narration must be plain text")]
    Control,
}

/// The fields of a reply that are read. Effects and casualties that a narrator makes up are not.
#[derive(Deserialize)]
struct NarrationReply {
    narration: String,
    #[serde(default)]
    tags: Vec<String>,
}

/// Returns the narration and the tags of a reply.
///
/// # Errors
///
/// Fails if the reply is unusable.
pub fn read_reply(text: &str) -> Result<(String, Vec<String>), Unusable> {
    let reply: NarrationReply = serde_json::from_str(text).map_err(|_| Unusable::NotJson)?;
    let narration = reply.narration.trim();
    let length = narration.chars().count();
    if !(NARRATION_CHARACTERS_MIN..=NARRATION_CHARACTERS_MAX).contains(&length) {
        return Err(Unusable::Length);
    }
    if narration.chars().any(|character| character.is_control() && character != '\n') {
        return Err(Unusable::Control);
    }
    let is_tag = |tag: &String| {
        (1..=TAG_CHARACTERS_MAX).contains(&tag.chars().count())
            && !tag.chars().any(char::is_control)
    };
    let tags = reply.tags.into_iter().filter(is_tag).take(TAGS_MAX).collect();
    Ok((narration.to_owned(), tags))
}

/// The fields of a judgement that are read.
#[derive(Deserialize)]
struct Judged {
    refused: Vec<usize>,
}

/// Returns the positions of refused quotes, from 0.
///
/// # Errors
///
/// Fails if the reply is unusable.
pub fn read_refused(text: &str) -> Result<Vec<usize>, Unusable> {
    let judged: Judged = serde_json::from_str(text).map_err(|_| Unusable::NotJson)?;
    Ok(judged.refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_narration_and_tags_are_read() {
        let reply = r#"{"narration":" Night falls over all. ","tags":["night",""],
            "effects":[{"kill":"t1"}],"casualties":["t1"]}"#;
        let expected = ("Night falls over all.".to_owned(), vec!["night".to_owned()]);
        assert_eq!(read_reply(reply), Ok(expected));
    }

    #[test]
    fn replies_of_the_wrong_size_or_kind_are_unusable() {
        let of = |narration: &str| {
            read_reply(&serde_json::json!({ "narration": narration }).to_string())
        };
        assert_eq!(of("too short"), Err(Unusable::Length));
        assert!(of(&"é".repeat(10)).is_ok());
        assert!(of(&"é".repeat(2000)).is_ok());
        assert_eq!(of(&"é".repeat(2001)), Err(Unusable::Length));
        assert_eq!(of("with a \u{7} bell"), Err(Unusable::Control));
        assert_eq!(read_reply("Once upon a time"), Err(Unusable::NotJson));
    }

    #[test]
    fn texts_of_players_are_judged_by_their_places() {
        assert_eq!(read_refused(r#"{"refused":[0,2],"why":"rude"}"#), Ok(vec![0, 2]));
        for text in ["{}", r#"{"refused":"none"}"#, r#"{"refused":[-1]}"#, "fine"] {
            assert_eq!(read_refused(text), Err(Unusable::NotJson));
        }
    }
}
