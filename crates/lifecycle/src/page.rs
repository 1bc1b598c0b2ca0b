//! Pages of lists that are newest first.

use crate::error::{Refusal, Result};

/// A page, newest first.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// What is on it.
    pub entries: Vec<T>,
    /// Where the next page begins; none at the end.
    pub next_token: Option<String>,
}

/// How long a token is: AWS asks for 112 characters at least, in groups of 16.
const TOKEN_CHARACTERS: usize = 112;

/// The page behind a token of entries that are oldest first.
pub(crate) fn page<T>(
    mut entries: Vec<T>,
    limit: usize,
    token: Option<&str>,
    id: impl Fn(&T) -> String,
) -> Result<Page<T>> {
    entries.reverse();
    if let Some(token) = token {
        let last = hex::decode(token.trim_start_matches('0'))
            .ok()
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .filter(|_| token.len() == TOKEN_CHARACTERS);
        let Some(last) = last else {
            return Err(
                Refusal::Validation.with("The NextToken is not one that a list has returned")
            );
        };
        entries.retain(|entry| id(entry) < last);
    }
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let last = entries.last().filter(|_| has_more);
    let next_token = last.map(|entry| format!("{:0>TOKEN_CHARACTERS$}", hex::encode(id(entry))));
    Ok(Page { entries, next_token })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_follow_each_other_newest_first() {
        let entries: Vec<String> = (0..7).map(|number| format!("{number:023}")).collect();
        let mut seen = Vec::new();
        let mut token = None;
        loop {
            let page = page(entries.clone(), 3, token.as_deref(), String::clone).unwrap();
            seen.extend(page.entries);
            token = page.next_token;
            match &token {
                None => break,
                Some(token) => assert_eq!(token.len() % 16, 0),
            }
        }
        seen.reverse();
        assert_eq!(seen, entries);
        assert!(page(entries, 3, Some("00ff"), String::clone).is_err());
    }
}
