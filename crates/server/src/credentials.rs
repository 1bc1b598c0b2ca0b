//! The file of `monotable serve --credentials FILE`: the keys and their permissions.
//!
//! ```toml
//! [[key]]
//! access_key = "AKIAEXAMPLE00000001"
//! secret_key = "at least 16 characters"   # or secret_key_file = "reporting.secret"
//! name = "reporting"                      # the user in messages; the access key if left out
//! tables = ["league", "hunt-*"]           # "*" for all
//! actions = ["GetItem", "Query"]          # "*" for all
//! ```
//!
//! A mistake stops the server with a text that names the position and the correction: a partly read
//! file could admit or lock out users. No text and no `Debug` contains a secret. This module reads
//! files, and knows neither sockets nor signatures.

mod error;
mod key;
mod secret_file;

use std::path::Path;

use monotable_wire::sigv4::KeyRing;
use toml::de::{DeTable, DeValue};

pub use error::{CredentialsError, Problem, Warning};
use key::{KeyTable, line_of};
use secret_file::read_private;

/// The keys of a file, and warnings about it.
#[derive(Debug)]
pub struct Credentials {
    /// The keys.
    pub keys: KeyRing,
    /// Warnings for the operator. The file is valid nevertheless.
    pub warnings: Vec<Warning>,
}

impl Credentials {
    /// Reads a file. `actions` are the names that may be allowed.
    pub fn read(file: &Path, actions: &[&str]) -> Result<Self, CredentialsError> {
        let mut warnings = Vec::new();
        let text = read_private(file, &mut warnings)
            .map_err(|error| CredentialsError::of_file(file, Problem::Unreadable(error)))?;
        let keys = parse(file, &text, actions, &mut warnings)?;
        Ok(Self { keys, warnings })
    }
}

fn parse(
    file: &Path,
    text: &str,
    actions: &[&str],
    warnings: &mut Vec<Warning>,
) -> Result<KeyRing, CredentialsError> {
    let at = |start: usize, problem| CredentialsError::of_line(file, line_of(text, start), problem);
    // The message alone: the error itself would print the line, and with it perhaps a secret.
    let document = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        at(start, Problem::Syntax(error.message().to_owned()))
    })?;
    if let Some((name, _)) = document.get_ref().iter().find(|(name, _)| name.get_ref() != "key") {
        return Err(at(name.span().start, Problem::UnknownSection(name.get_ref().to_string())));
    }
    let Some(tables) = document.get_ref().get("key") else {
        return Err(CredentialsError::of_file(file, Problem::NoKeys));
    };
    let DeValue::Array(tables) = tables.get_ref() else {
        return Err(at(tables.span().start, Problem::NotATable));
    };
    let mut keys = KeyRing::new();
    let mut lines = Vec::new();
    for table in tables.iter() {
        let DeValue::Table(members) = table.get_ref() else {
            return Err(at(table.span().start, Problem::NotATable));
        };
        let table = KeyTable { file, text, start: table.span().start, members };
        let key = table.read(actions, warnings)?;
        let id = key.id().to_owned();
        if keys.insert(key).is_err() {
            let first = lines.iter().find(|(known, _)| *known == id).map_or(0, |(_, line)| *line);
            return Err(table.wrong("access_key", Problem::DuplicateAccessKey { first }));
        }
        lines.push((id, table.line("access_key")));
    }
    if keys.is_empty() {
        return Err(CredentialsError::of_file(file, Problem::NoKeys));
    }
    Ok(keys)
}

#[cfg(test)]
mod tests;
