//! Errors of declarations: collected, so that a user sees all of them at once.
//!
//! A message has the form of every message of the design rules: `[CODE] what is wrong; why; fix`.

use proc_macro2::{Group, Span, TokenStream, TokenTree};

/// The errors found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds an error at a location.
    pub(crate) fn push(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add(syn::Error::new(span, message));
    }

    /// Adds an error that was made elsewhere.
    pub(crate) fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Takes the value of a result, or remembers its error.
    pub(crate) fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.add(error);
                None
            }
        }
    }

    /// Adds all errors of another collection.
    pub(crate) fn append(&mut self, others: Self) {
        if let Some(error) = others.0 {
            self.add(error);
        }
    }

    /// Returns whether there are no errors.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the texts of all of them.
    #[cfg(test)]
    pub(crate) fn messages(self) -> Vec<String> {
        self.0.into_iter().flatten().map(|error| error.to_string()).collect()
    }

    /// Returns the errors as code that does not compile; empty without errors.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.0.map(syn::Error::into_compile_error).unwrap_or_default()
    }
}

/// Returns the tokens with another location, which the compiler then shows.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), respan(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut other => {
            other.set_span(span);
            other
        }
    };
    tokens.into_iter().map(at).collect()
}

/// `; did you mean `name`?` for the candidate that is most like a misspelt name, or nothing.
pub(crate) fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    let plain = |text: &str| text.replace('_', "").to_lowercase();
    let wanted = plain(name);
    let best = candidates
        .map(|candidate| (distance(&wanted, &plain(candidate)), candidate))
        .min_by_key(|(distance, _)| *distance);
    match best {
        Some((distance, candidate)) if distance * 3 <= wanted.len().max(3) => {
            format!("; did you mean `{candidate}`?")
        }
        _ => String::new(),
    }
}

/// Returns how many characters must be inserted, deleted, changed or swapped with their neighbour.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![(0..=right.len()).collect::<Vec<usize>>()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let changed = rows[i][j] + usize::from(a != b);
            let mut best = changed.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}

/// Returns the messages in an expansion, one a line.
#[cfg(test)]
pub(crate) fn messages(expanded: TokenStream) -> String {
    let file: syn::File = syn::parse2(expanded).unwrap();
    let texts = file.items.iter().filter_map(|item| match item {
        syn::Item::Macro(call) => call.mac.parse_body::<syn::LitStr>().ok(),
        _ => None,
    });
    texts.map(|text| text.value()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::did_you_mean;

    fn check(name: &str, expected: Expect) {
        let fields = ["team_id", "player_id", "user_id", "number"];
        expected.assert_eq(&did_you_mean(name, fields.into_iter()));
    }

    #[test]
    fn a_misspelt_name_is_guessed() {
        check("playerid", expect!["; did you mean `player_id`?"]);
        check("teamId", expect!["; did you mean `team_id`?"]);
        check("nubmer", expect!["; did you mean `number`?"]);
    }

    #[test]
    fn no_suggestion_without_a_similar_name() {
        check("season", expect![""]);
        check("x", expect![""]);
    }
}
