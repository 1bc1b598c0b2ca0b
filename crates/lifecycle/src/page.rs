//! Pages of lists that are newest first.

use crate::error::{Refusal, Result};

/// A page, newest first.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The entries.
    pub entries: Vec<T>,
    /// The token of the next page; `None` on the last page.
    pub next_token: Option<String>,
}

/// The length of a token: AWS requires at least 112 characters, in groups of 16.
const TOKEN_CHARACTERS: usize = 112;

/// Returns the page at a token, for entries that are sorted oldest first.
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
                Refusal::Validation.with("The NextToken was not returned by a list operation")
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
