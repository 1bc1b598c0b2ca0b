//! Texts that users may write where others read them.

/// Returns whether a text has no links, and no characters that are invisible or change the
/// direction of text.
#[must_use]
pub fn is_presentable(text: &str) -> bool {
    let lower = text.to_lowercase();
    let has_link =
        ["://", "www.", "mailto:", "javascript:"].iter().any(|mark| lower.contains(mark));
    !has_link && !text.chars().any(is_hidden)
}

/// Returns whether a character is invisible and changes how others are displayed.
fn is_hidden(character: char) -> bool {
    (character.is_control() && character != '\n')
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_without_links_and_hidden_characters_may_be_shown() {
        for text in
            ["", "Zoë hides: 3:1 for me!", "نهر", "two\nlines", "👩\u{200d}🚀", "क्\u{200d}ष"]
        {
            assert!(is_presentable(text), "{text}");
        }
        for text in [
            "see HTTPS://x.example",
            "WWW.example.com",
            "a\u{7}bell",
            "\u{202e}backwards",
            "zero\u{200b}width",
            "tag\u{e0041}",
        ] {
            assert!(!is_presentable(text), "{text}");
        }
    }
}
