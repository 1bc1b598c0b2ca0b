//! Flags of `monotable serve` that are set by environment variables and by a file.
//!
//! The command line takes precedence over the variable of a flag, and that over the file. The
//! values become part of the command line, so that they are checked and described like any flag.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Arg, ArgAction, Command};
use toml::{Table, Value};

/// The prefix of the variables: `MONOTABLE_SERVE_LISTEN` sets `--listen`.
const PREFIX: &str = "MONOTABLE_SERVE_";
/// The flag that names the file.
const FILE_FLAG: &str = "config";

/// Returns the command line, completed with the variables and the file.
///
/// # Errors
/// Fails for a variable or key that sets no flag, an invalid value, or a file that can't be read.
pub(crate) fn completed(
    command: &Command,
    given: Vec<OsString>,
    variables: &BTreeMap<String, String>,
) -> Result<Vec<OsString>> {
    let is_serve = given.get(1).is_some_and(|word| word == "serve");
    let Some(serve) = command.find_subcommand("serve").filter(|_| is_serve) else {
        return Ok(given);
    };
    let flags: BTreeMap<&str, &Arg> =
        serve.get_arguments().filter_map(|arg| Some((arg.get_long()?, arg))).collect();
    let set = from_variables(&flags, variables)?;
    let file = value_of(&given, FILE_FLAG).or_else(|| set.get(FILE_FLAG)?.first().cloned());
    let mut all = match file {
        Some(file) => from_file(&flags, &PathBuf::from(file))?,
        None => BTreeMap::new(),
    };
    all.extend(set);
    let mut more = Vec::new();
    for (name, values) in &all {
        if is_given(&given, name) {
            continue;
        }
        if takes_no_value(flags[name.as_str()]) {
            more.push(OsString::from(format!("--{name}")));
        } else {
            more.extend(values.iter().map(|value| OsString::from(format!("--{name}={value}"))));
        }
    }
    let mut completed = given;
    completed.splice(2..2, more);
    Ok(completed)
}

/// Returns the variables of this process.
pub(crate) fn variables() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn from_variables(
    flags: &BTreeMap<&str, &Arg>,
    variables: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Vec<String>>> {
    let mut set = BTreeMap::new();
    for (variable, text) in variables {
        let Some(rest) = variable.strip_prefix(PREFIX) else { continue };
        let name = rest.to_ascii_lowercase().replace('_', "-");
        let Some(flag) = flags.get(name.as_str()) else {
            bail!("{variable} sets no flag of `monotable serve`: there is no --{name}");
        };
        let values: Vec<String> = if is_repeated(flag) {
            text.split_whitespace().map(str::to_owned).collect()
        } else {
            vec![text.clone()]
        };
        let values = switched(flag, values).with_context(|| format!("{variable} can't be used"))?;
        set.extend(values.map(|values| (name, values)));
    }
    Ok(set)
}

fn from_file(
    flags: &BTreeMap<&str, &Arg>,
    file: &PathBuf,
) -> Result<BTreeMap<String, Vec<String>>> {
    let shown = file.display();
    let text =
        std::fs::read_to_string(file).with_context(|| format!("--config {shown} can't be read"))?;
    let table: Table = text
        .parse()
        .with_context(|| format!("--config {shown} is not TOML with names and values"))?;
    let mut set = BTreeMap::new();
    for (name, value) in table {
        let Some(flag) = flags.get(name.as_str()).filter(|_| name != FILE_FLAG) else {
            bail!("{shown} sets {name}, and `monotable serve` has no flag --{name}");
        };
        let wrong = || anyhow!("{shown}: {name} must be a text, a number or true");
        let values = match value {
            Value::Array(values) if is_repeated(flag) => {
                values.iter().map(plain).collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
            value => vec![plain(&value).ok_or_else(wrong)?],
        };
        let values = switched(flag, values).with_context(|| format!("{shown}: {name}"))?;
        set.extend(values.map(|values| (name, values)));
    }
    Ok(set)
}

/// Returns a value in the form of the command line.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(is_true) => Some(is_true.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Returns the values of a flag; `None` for a flag without values that is disabled.
fn switched(flag: &Arg, values: Vec<String>) -> Result<Option<Vec<String>>> {
    if !takes_no_value(flag) {
        return Ok(Some(values));
    }
    match values.first().map(String::as_str) {
        Some("true" | "1") => Ok(Some(Vec::new())),
        Some("false" | "0") => Ok(None),
        _ => bail!("give true or false"),
    }
}

fn takes_no_value(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::SetTrue)
}

fn is_repeated(flag: &Arg) -> bool {
    matches!(flag.get_action(), ArgAction::Append)
}

fn is_given(given: &[OsString], name: &str) -> bool {
    given.iter().filter_map(|word| word.to_str()?.strip_prefix("--")).any(|word| {
        word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}

/// Returns the value of a flag on the command line.
fn value_of(given: &[OsString], name: &str) -> Option<String> {
    let flag = format!("--{name}");
    let mut words = given.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if word == flag {
            return words.next().map(str::to_owned);
        }
        if let Some(value) = word.strip_prefix(&flag).and_then(|rest| rest.strip_prefix('=')) {
            return Some(value.to_owned());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    fn complete(given: &[&str], variables: &[(&str, &str)]) -> Result<Vec<String>, String> {
        let given = given.iter().map(OsString::from).collect();
        let named = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let variables = variables.iter().map(named).collect();
        let completed = completed(&crate::Cli::command(), given, &variables);
        let completed = completed.map_err(|error| format!("{error:#}"))?;
        Ok(completed.into_iter().map(|word| word.into_string().unwrap()).collect())
    }

    #[test]
    fn variables_complete_the_command_line_and_do_not_override_it() {
        let variables = [
            ("MONOTABLE_SERVE_LISTEN", "127.0.0.1:1"),
            ("MONOTABLE_SERVE_MEMORY", "true"),
            ("MONOTABLE_SERVE_DEMO", "false"),
            ("MONOTABLE_SERVE_TRUSTED_PROXY", "10.0.0.0/8 127.0.0.1"),
            ("MONOTABLE_NARRATOR_KEY", "a secret of something else"),
        ];
        let completed = complete(&["monotable", "serve", "--listen=127.0.0.1:2"], &variables);
        let expected = [
            "monotable",
            "serve",
            "--memory",
            "--trusted-proxy=10.0.0.0/8",
            "--trusted-proxy=127.0.0.1",
            "--listen=127.0.0.1:2",
        ];
        assert_eq!(completed.unwrap(), expected);
        // Other commands have no variables.
        assert_eq!(complete(&["monotable", "check"], &variables).unwrap(), ["monotable", "check"]);
    }

    #[test]
    fn a_file_sets_what_neither_the_command_line_nor_a_variable_does() {
        let directory = std::env::temp_dir();
        let file = directory.join(format!("monotable-settings-{}.toml", std::process::id()));
        let text = "listen = '127.0.0.1:1'\nenvironment = 'live'\nmemory = true\ndemo = false\n\
                    writes-per-second = 5\ngrant = ['hacktracker:admin=ann@example.org']\n";
        std::fs::write(&file, text).unwrap();
        let shown = file.to_str().unwrap();
        let given = ["monotable", "serve", "--config", shown, "--environment", "test"];
        let completed = complete(&given, &[("MONOTABLE_SERVE_LISTEN", "127.0.0.1:2")]).unwrap();
        let expected = [
            "--grant=hacktracker:admin=ann@example.org",
            "--listen=127.0.0.1:2",
            "--memory",
            "--writes-per-second=5",
        ];
        assert_eq!(completed[2..6], expected);
        assert_eq!(completed[6..], given[2..]);
        for (text, expected) in [
            ("lisen = 1", "`monotable serve` has no flag --lisen"),
            ("memory = 'often'", "memory: give true or false"),
            ("listen = [1]", "listen must be a text, a number or true"),
            ("config = 'another'", "has no flag --config"),
            ("= 1", "is not TOML"),
        ] {
            std::fs::write(&file, text).unwrap();
            let refused = complete(&given, &[]).unwrap_err();
            assert!(refused.contains(expected), "{text}: {refused}");
        }
        std::fs::remove_file(&file).unwrap();
        assert!(complete(&given, &[]).unwrap_err().contains("can't be read"));
        let wrong = complete(&["monotable", "serve"], &[("MONOTABLE_SERVE_LISEN", "1")]);
        assert!(wrong.unwrap_err().contains("MONOTABLE_SERVE_LISEN sets no flag"));
    }
}
