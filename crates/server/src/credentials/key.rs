//! One `[[key]]` section.

use std::path::Path;

use monotable_wire::access::{Permissions, TablePattern, action_name};
use monotable_wire::sigv4::{AccessKey, SecretKey};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{CredentialsError, Problem, Warning};
use super::secret_file::read_private;

/// AWS's secrets have 40 characters. A shorter one than this can be guessed from one intercepted
/// request.
pub(super) const SECRET_CHARACTERS_MIN: usize = 16;

const FIELDS: [&str; 6] =
    ["access_key", "secret_key", "secret_key_file", "name", "tables", "actions"];

const TEXT: &str = "a text in quotes";
const TEXTS: &str = "a list of texts, such as [\"league\", \"hunt-*\"]";

type Result<T, E = CredentialsError> = std::result::Result<T, E>;

/// The fields of a section, and their positions.
pub(super) struct KeyTable<'a> {
    pub(super) file: &'a Path,
    pub(super) text: &'a str,
    pub(super) start: usize,
    pub(super) members: &'a DeTable<'a>,
}

impl KeyTable<'_> {
    pub(super) fn read(&self, actions: &[&str], warnings: &mut Vec<Warning>) -> Result<AccessKey> {
        for name in self.members.keys() {
            if !FIELDS.contains(&name.get_ref().as_ref()) {
                let problem = Problem::UnknownField(name.get_ref().to_string());
                return Err(self.error(name.span().start, problem));
            }
        }
        let id = self.required("access_key", "access_key = \"AKIAEXAMPLE00000001\"")?;
        if !is_access_key(id) {
            return Err(self.wrong("access_key", Problem::InvalidAccessKey));
        }
        let name = self.text("name")?.unwrap_or(id);
        let name_character = |byte: u8| byte.is_ascii_alphanumeric() || b"+=,.@_-".contains(&byte);
        if self.members.contains_key("name")
            && (!(1..=64).contains(&name.len()) || !name.bytes().all(name_character))
        {
            return Err(self.wrong("name", Problem::InvalidName));
        }
        let permissions = self.permissions(actions)?;
        Ok(AccessKey::new(id, self.secret(warnings)?, name, permissions))
    }

    fn secret(&self, warnings: &mut Vec<Warning>) -> Result<SecretKey> {
        let field = match (self.text("secret_key")?, self.text("secret_key_file")?) {
            (Some(_), Some(_)) => return Err(self.wrong("secret_key", Problem::TwoSecrets)),
            (Some(secret), None) => return self.checked_secret("secret_key", secret),
            (None, Some(file)) => file,
            (None, None) => {
                self.required("secret_key", "secret_key = \"...\" or secret_key_file")?
            }
        };
        // Relative to the file of credentials, wherever the server is started.
        let path = self.file.parent().unwrap_or(Path::new("")).join(field);
        let secret = read_private(&path, warnings)
            .map_err(|error| self.wrong("secret_key_file", Problem::SecretFile { path, error }))?;
        self.checked_secret("secret_key_file", secret.trim_end_matches(['\r', '\n']))
    }

    fn checked_secret(&self, field: &'static str, secret: &str) -> Result<SecretKey> {
        if secret.is_empty() {
            Err(self.wrong(field, Problem::EmptySecret))
        } else if secret.trim() != secret
            || !secret.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        {
            Err(self.wrong(field, Problem::InvalidSecret))
        } else if secret.len() < SECRET_CHARACTERS_MIN {
            Err(self.wrong(field, Problem::ShortSecret))
        } else {
            Ok(SecretKey::new(secret))
        }
    }

    fn permissions(&self, known: &[&str]) -> Result<Permissions> {
        let mut permissions = Permissions::nothing();
        for (start, table) in self.texts("tables", "tables = [\"*\"] for all tables")? {
            let pattern = TablePattern::parse(table)
                .map_err(|_| self.error(start, Problem::InvalidTable(table.to_owned())))?;
            permissions = permissions.allow_tables(pattern);
        }
        for (start, action) in self.texts("actions", "actions = [\"*\"] for all actions")? {
            let name = action_name(action);
            if name != "*" && !known.contains(&name) {
                let known = most_alike(name, known);
                let problem = Problem::UnknownAction { action: action.to_owned(), known };
                return Err(self.error(start, problem));
            }
            permissions = permissions.allow_action(name);
        }
        Ok(permissions)
    }

    fn required(&self, field: &'static str, example: &'static str) -> Result<&str> {
        self.text(field)?.ok_or_else(|| self.wrong(field, Problem::MissingField { field, example }))
    }

    fn text(&self, field: &'static str) -> Result<Option<&str>> {
        let Some(value) = self.members.get(field) else { return Ok(None) };
        self.as_text(field, TEXT, value).map(Some)
    }

    /// Returns the texts of a list, each with its position in the file.
    fn texts(&self, field: &'static str, example: &'static str) -> Result<Vec<(usize, &str)>> {
        let Some(value) = self.members.get(field) else {
            return Err(self.wrong(field, Problem::MissingField { field, example }));
        };
        let DeValue::Array(values) = value.get_ref() else {
            return Err(self.wrong(field, Problem::WrongType { field, expected: TEXTS }));
        };
        let text = |value| Ok((Spanned::span(value).start, self.as_text(field, TEXTS, value)?));
        values.iter().map(text).collect()
    }

    fn as_text<'v>(
        &self,
        field: &'static str,
        expected: &'static str,
        value: &'v Spanned<DeValue<'_>>,
    ) -> Result<&'v str> {
        let wrong = || self.error(value.span().start, Problem::WrongType { field, expected });
        value.get_ref().as_str().ok_or_else(wrong)
    }

    /// Returns the line of a field, or of the section if the field is missing.
    pub(super) fn line(&self, field: &str) -> usize {
        line_of(self.text, self.members.get(field).map_or(self.start, |value| value.span().start))
    }

    pub(super) fn wrong(&self, field: &str, problem: Problem) -> CredentialsError {
        let start = self.members.get(field).map_or(self.start, |value| value.span().start);
        self.error(start, problem)
    }

    /// Names the key by its id, unless that is invalid: it could be the secret, put there by
    /// mistake.
    fn error(&self, start: usize, problem: Problem) -> CredentialsError {
        let id = self.members.get("access_key").and_then(|value| value.get_ref().as_str());
        let id = id.filter(|id| is_access_key(id));
        CredentialsError::of_line(self.file, line_of(self.text, start), problem).of_key(id)
    }
}

/// Returns the names that begin like this one; all if none does.
fn most_alike(name: &str, known: &[&str]) -> Vec<String> {
    const LETTERS_MIN: usize = 3;
    let letters = |known: &str| {
        let pairs = known.bytes().zip(name.bytes());
        pairs.take_while(|(known, given)| known.eq_ignore_ascii_case(given)).count()
    };
    let most = known.iter().map(|known| letters(known)).max().filter(|most| *most >= LETTERS_MIN);
    let alike = known.iter().filter(|known| letters(known) >= most.unwrap_or(0));
    alike.map(|name| (*name).to_owned()).collect()
}

fn is_access_key(id: &str) -> bool {
    (3..=128).contains(&id.len())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns the line of a position in a text, counted from 1.
pub(super) fn line_of(text: &str, start: usize) -> usize {
    let before = text.as_bytes().get(..start).unwrap_or(text.as_bytes());
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}
