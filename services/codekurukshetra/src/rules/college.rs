//! Colleges: free text, of which one college has many spellings.

use std::collections::BTreeMap;

use monotable_kit::names::visible_text;
use unicode_normalization::UnicodeNormalization as _;

/// Characters of a slug at most.
const SLUG_LENGTH_MAX: usize = 60;

/// Returns the name of a college.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn name(text: &str) -> Result<String, String> {
    let name = visible_text(text, 2..=120)?;
    if slug(&name).is_empty() { Err("must have a letter or a digit".to_owned()) } else { Ok(name) }
}

/// Returns the slug of a name, which spellings share: letters and digits in lower case and without accents,
/// and single hyphens for everything between them.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    let mut length = 0;
    for character in name.nfkd().flat_map(char::to_lowercase).filter(|one| !is_accent(*one)) {
        let is_part = character.is_alphanumeric() || monotable_kit::names::is_mark(character);
        if is_part || !slug.is_empty() && !slug.ends_with('-') {
            slug.push(if is_part { character } else { '-' });
            length += 1;
        }
        if length == SLUG_LENGTH_MAX {
            break;
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

/// Returns whether a character is an accent on the letter in front of it. Vowel signs of other
/// scripts are not: they are as good as letters.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

/// The slugs that administrators have merged into others.
pub type Merges = BTreeMap<String, String>;

/// Returns the slug that counts for a college.
pub fn merged<'a>(merges: &'a Merges, slug: &'a str) -> &'a str {
    let mut last = slug;
    // Merges that form a circle end, too.
    for _ in 0..merges.len() {
        match merges.get(last) {
            Some(next) => last = next,
            None => break,
        }
    }
    last
}

/// A college in the ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankedCollege {
    /// Its place; colleges with the same numbers share one.
    pub rank: u32,
    /// Its slug.
    pub slug: String,
    /// Its name, in the spelling that most people use.
    pub name: String,
    /// Its participants.
    pub participants: u32,
    /// Those of teams that are confirmed.
    pub confirmed: u32,
}

/// One participant, as the ranking counts them.
#[derive(Clone, Copy, Debug)]
pub struct Student<'a> {
    /// The college, as the participant writes it.
    pub college: &'a str,
    /// Whether the participant's team is confirmed.
    pub is_confirmed: bool,
}

/// Ranks colleges by their confirmed participants, and then by all of them.
pub fn ranking<'a>(
    students: impl IntoIterator<Item = Student<'a>>,
    merges: &Merges,
) -> Vec<RankedCollege> {
    #[derive(Default)]
    struct Count<'a> {
        confirmed: u32,
        spellings: BTreeMap<&'a str, u32>,
    }
    let mut counts: BTreeMap<String, Count<'a>> = BTreeMap::new();
    for student in students {
        let slug = slug(student.college);
        let count = counts.entry(merged(merges, &slug).to_owned()).or_default();
        count.confirmed += u32::from(student.is_confirmed);
        *count.spellings.entry(student.college).or_default() += 1;
    }
    let college = |(slug, count): (String, Count<'a>)| {
        // Of spellings that are as common, the first one.
        let spelling = count.spellings.iter().rev().max_by_key(|(_, uses)| **uses);
        RankedCollege {
            rank: 0,
            name: spelling.map_or_else(|| slug.clone(), |(name, _)| (*name).to_owned()),
            slug,
            participants: count.spellings.values().sum(),
            confirmed: count.confirmed,
        }
    };
    let mut colleges: Vec<RankedCollege> = counts.into_iter().map(college).collect();
    colleges
        .sort_by_key(|it| (std::cmp::Reverse((it.confirmed, it.participants)), it.slug.clone()));
    let mut before = None;
    for (place, college) in (1..).zip(&mut colleges) {
        let numbers = (college.confirmed, college.participants);
        let (rank, _) = before.filter(|(_, same)| *same == numbers).unwrap_or((place, numbers));
        college.rank = rank;
        before = Some((rank, numbers));
    }
    colleges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ck_d24_spellings_of_a_college_share_a_slug() {
        for (text, expected) in [
            ("Example University", "example-university"),
            ("  example   UNIVERSITY!", "example-university"),
            ("Université de Montréal", "universite-de-montreal"),
            ("I.I.T. (Bombay)", "i-i-t-bombay"),
            ("Ｅｘａｍｐｌｅ №1", "example-no1"),
            ("दिल्ली विश्वविद्यालय", "दिल्ली-विश्वविद्यालय"),
            ("###", ""),
        ] {
            assert_eq!(slug(text), expected.nfkd().collect::<String>(), "{text}");
        }
    }

    #[test]
    fn slugs_have_sixty_characters_at_most() {
        assert_eq!(slug(&"é".repeat(100)), "e".repeat(60));
        assert_eq!(slug(&format!("{} b", "a".repeat(59))), "a".repeat(59));
    }

    #[test]
    fn names_can_be_seen() {
        assert_eq!(name(" MIT ").as_deref(), Ok("MIT"));
        for text in ["", "M", "--", "a\u{7}b", &"a".repeat(121)] {
            assert!(name(text).is_err(), "{text}");
        }
    }

    #[test]
    fn merged_colleges_count_as_one() {
        let merges: Merges =
            [("iitb", "iit-bombay"), ("i-i-t-bombay", "iitb"), ("x", "y"), ("y", "x")]
                .map(|(from, to)| (from.to_owned(), to.to_owned()))
                .into();
        assert_eq!(merged(&merges, "i-i-t-bombay"), "iit-bombay");
        assert_eq!(merged(&merges, "mit"), "mit");
        assert!(["x", "y"].contains(&merged(&merges, "x")));
        let student = |college, is_confirmed| Student { college, is_confirmed };
        let students = [
            student("IITB", true),
            student("I.I.T. Bombay", false),
            student("I.I.T. Bombay", false),
            student("MIT", true),
            student("NIT", true),
        ];
        let ranking = ranking(students, &merges);
        let shown: Vec<String> = ranking
            .iter()
            .map(|it| {
                format!("{} {} {} {}/{}", it.rank, it.slug, it.name, it.confirmed, it.participants)
            })
            .collect();
        assert_eq!(shown, ["1 iit-bombay I.I.T. Bombay 1/3", "2 mit MIT 1/1", "2 nit NIT 1/1"]);
    }
}
