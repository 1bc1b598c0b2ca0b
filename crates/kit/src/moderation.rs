//! Moderation by a list of words: quick, deterministic, and without a network. Subjects of
//! services, such as a fight in a game, are no violation.

mod presentable;

pub use self::presentable::is_presentable;

/// Beginnings of insults and obscene words.
const STEMS: [&str; 12] = [
    "fuck",
    "motherfuck",
    "nigger",
    "nigga",
    "faggot",
    "cunt",
    "kike",
    "tranny",
    "wetback",
    "rapist",
    "pedophil",
    "paedophil",
];
/// Insults and obscene words that are also the beginnings of harmless ones.
const WORDS: [&str; 9] =
    ["rape", "raped", "raping", "chink", "spic", "gook", "coon", "retard", "kys"];
/// Returns whether a text contains insults, obscene words, links or hidden characters.
#[must_use]
pub fn is_violation(text: &str) -> bool {
    if !is_presentable(text) {
        return true;
    }
    words(&text.to_lowercase()).iter().any(|word| {
        WORDS.contains(&word.as_str()) || STEMS.iter().any(|stem| word.starts_with(stem))
    })
}

/// Returns the words of a text, with letters instead of the signs that imitate them. Single
/// letters, as in `w o r d`, are joined.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut spelled) = (Vec::new(), String::new());
    for part in text.split(|character: char| !character.is_alphanumeric() && !is_sign(character)) {
        let word: String = part.chars().map(letter).collect();
        if word.chars().count() == 1 {
            spelled.push_str(&word);
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut spelled));
            words.push(word);
        }
    }
    words.push(spelled);
    words
}

const fn is_sign(character: char) -> bool {
    matches!(character, '@' | '$')
}

const fn letter(character: char) -> char {
    match character {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fight_may_be_told() {
        for text in [
            "I hunt Brakka down and stab him in the back!",
            "Scunthorpe, grapes and raccoons; retardant foam",
            "die, die, die",
            "1 2 3 go",
            "",
        ] {
            assert!(!is_violation(text), "{text}");
        }
    }

    #[test]
    fn insults_and_links_may_not_however_they_are_written() {
        for text in ["FUCK you", "f u c k", "f.u.c.k!", "RAP3", "see www.example.com", "a ret@rd"] {
            assert!(is_violation(text), "{text}");
        }
    }
}
