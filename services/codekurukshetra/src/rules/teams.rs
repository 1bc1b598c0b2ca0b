//! Teams: their names, and how many people they have.

use monotable_kit::names::{NameRule, same_form};

const NAME: NameRule = NameRule::new(3..=60)
    .digits()
    .signs("-'’.,&!?+#_@:()*/", "and the signs - ' . , & ! ? + # _ @ : ( ) * /");

/// Returns the name of a team.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn name(text: &str) -> Result<String, String> {
    NAME.read(text)
}

/// Returns the form of a name that no other team may share.
pub fn name_guard(name: &str) -> String {
    same_form(name).to_lowercase()
}

/// How many people a team can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// At least.
    pub min: u8,
    /// At most.
    pub max: u8,
}

impl Sizes {
    /// Returns whether a team can have so many people.
    pub fn contains(self, people: usize) -> bool {
        (usize::from(self.min)..=usize::from(self.max)).contains(&people)
    }

    /// Returns a sentence for people.
    pub fn text(self) -> String {
        let Self { min, max } = self;
        if min == max {
            format!("A team has {min} people.")
        } else {
            format!("A team has {min} to {max} people.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_three_to_sixty_characters() {
        for (text, kept) in
            [(" Code   Warriors ", "Code Warriors"), ("C++", "C++"), ("त्रिशूल", "त्रिशूल")]
        {
            assert_eq!(name(text).as_deref(), Ok(kept));
        }
        for text in ["", "ab", "   ", "---", "a\u{200b}bc", "<b>x</b>", &"a".repeat(61)] {
            assert!(name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_that_look_the_same_are_the_same() {
        for text in ["code warriors", "CODE  Warriors", "Ｃｏｄｅ Warriors"] {
            assert_eq!(name_guard(text), "code warriors");
        }
    }

    #[test]
    fn teams_are_neither_too_small_nor_too_large() {
        let sizes = Sizes { min: 2, max: 4 };
        assert_eq!([1, 2, 4, 5].map(|people| sizes.contains(people)), [false, true, true, false]);
        assert_eq!(sizes.text(), "A team has 2 to 4 people.");
        assert_eq!(Sizes { max: 2, ..sizes }.text(), "A team has 2 people.");
    }
}
