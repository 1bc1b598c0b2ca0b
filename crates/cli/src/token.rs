//! `monotable token`

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::{Args, value_parser};
use monotable::model::key::{KeyError, check_identifier};
use monotable::model::time::Timestamp;
use monotable_engine::{Database, Options};
use monotable_kit::Principal;

use crate::identity::TokenArguments;
use crate::serve::DATA_DEFAULT;

/// The longest validity of a token: a year.
const HOURS_MAX: u64 = 366 * 24;

/// The arguments of `monotable token`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The id of the user (claim `sub`)
    #[arg(value_parser = user)]
    user: String,
    /// The user's e-mail address, which counts as verified
    #[arg(long, value_name = "ADDRESS", value_parser = email)]
    email: Option<String>,
    /// A role of the user, such as admin; can be repeated
    #[arg(long = "role", value_name = "ROLE", value_parser = role)]
    roles: Vec<String>,
    /// How long the token is valid
    #[arg(long, default_value_t = 12, value_parser = value_parser!(u64).range(1..=HOURS_MAX))]
    hours: u64,
    /// The directory of the server's data
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    #[command(flatten)]
    token: TokenArguments,
}

/// Prints a token for a user of the services.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let directory = &arguments.data;
    // The secret is in a database's directory, where a server that starts later looks for it.
    if arguments.token.is_in_directory() && !Database::exists(directory) {
        Database::open(directory, Options::default())?;
        let directory = directory.display();
        eprintln!("note: created a database in {directory}; serve it with --data {directory}");
    }
    let issuer = arguments.token.issuer(directory)?;
    let issuer = issuer.lifetime(Duration::from_secs(arguments.hours * 60 * 60));
    let principal = Principal {
        id: arguments.user.clone(),
        email: arguments.email.clone(),
        email_verified: arguments.email.is_some(),
        roles: arguments.roles.clone(),
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is before 1970")?;
    let now = Timestamp::from_ms(i64::try_from(now.as_millis())?)?;
    println!("{}", issuer.token(&principal, now));
    Ok(())
}

fn user(text: &str) -> Result<String, String> {
    identifier("user id", "ann", text)
}

fn role(text: &str) -> Result<String, String> {
    identifier("role", "admin", text)
}

/// Checks that the services accept the text as an identifier.
fn identifier(name: &str, example: &str, text: &str) -> Result<String, String> {
    match check_identifier(text) {
        Ok(()) => Ok(text.to_owned()),
        Err(KeyError::Empty) => Err(format!("the {name} is empty; give one, such as {example}")),
        Err(KeyError::Character { character, .. }) => Err(format!(
            "a {name} can't contain `{}`; give one such as {example}",
            character.escape_debug()
        )),
        Err(error) => Err(error.to_string()),
    }
}

/// Checks that an address has a name and a host. Whether it exists is unknown here.
fn email(text: &str) -> Result<String, String> {
    let is_address = match text.split_once('@') {
        Some((name, host)) => !name.is_empty() && !host.is_empty() && !host.contains('@'),
        None => false,
    };
    let is_clean = !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
    if is_address && is_clean && text.len() <= 254 {
        Ok(text.to_owned())
    } else {
        Err("give an e-mail address, such as ann@example.org".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_a_token_is_checked() {
        assert_eq!(user("ann").as_deref(), Ok("ann"));
        assert_eq!(email("ann@example.org").as_deref(), Ok("ann@example.org"));
        for text in ["", "a b", "a#b"] {
            assert!(user(text).is_err(), "{text}");
        }
        for text in ["", "notanemail", "@", "a@", "@b", "a@b@c", "a b@c", "a@b\n"] {
            assert!(email(text).is_err(), "{text}");
        }
    }
}
