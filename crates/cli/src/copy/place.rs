//! The sources and destinations of tables.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use monotable::model::backend::Backend;
use monotable::prelude::Embedded;
use monotable_engine::{Database, History, ListTables, Options};

use crate::cloud::{self, Connection};

/// A place in the form of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Directory(PathBuf),
    Address(String),
}

/// Parses a place: an address has a scheme; everything else is a directory.
pub(crate) fn parse(text: &str) -> Result<Place, String> {
    match text.split_once("://") {
        Some(("http" | "https", _)) => Ok(Place::Address(text.trim_end_matches('/').to_owned())),
        Some(_) => Err("give an address that begins with http:// or https://".to_owned()),
        None if text.is_empty() => Err("give a directory or an address".to_owned()),
        None => Ok(Place::Directory(text.into())),
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Directory(directory) => write!(formatter, "{}", directory.display()),
            Self::Address(url) => formatter.write_str(url),
        }
    }
}

/// An open place.
pub(crate) enum OpenPlace {
    Directory(Database),
    Address(Connection),
}

impl OpenPlace {
    /// Opens a source of tables.
    pub(crate) fn source(place: &Place, region: Option<&str>) -> Result<Self> {
        match place {
            Place::Directory(directory) if !Database::exists(directory) => {
                bail!("there is no database in {}", directory.display())
            }
            _ => Self::target(place, region),
        }
    }

    /// Opens a destination; a missing directory is created.
    pub(crate) fn target(place: &Place, region: Option<&str>) -> Result<Self> {
        match place {
            Place::Directory(directory) => {
                let keeps_history = History::is_kept(directory);
                let options = Options { keeps_history, ..Options::default() };
                let database = Database::open(directory, options)
                    .with_context(|| format!("{} can't be opened", directory.display()))?;
                Ok(Self::Directory(database))
            }
            Place::Address(url) => {
                cloud::check()?;
                let region = region_of(url).or(region);
                Ok(Self::Address(Connection::open(Some(url), region)?))
            }
        }
    }

    pub(crate) fn backend(&self) -> Arc<dyn Backend> {
        match self {
            Self::Directory(database) => Arc::new(Embedded::new(database.clone())),
            Self::Address(connection) => connection.backend(),
        }
    }

    /// Returns the names of all tables.
    pub(crate) fn tables(&self) -> Result<Vec<String>> {
        let database = match self {
            Self::Directory(database) => database,
            Self::Address(connection) => return connection.tables(),
        };
        let mut names: Vec<String> = Vec::new();
        loop {
            let start = names.last().cloned();
            let request = ListTables { exclusive_start_table_name: start, limit: None };
            let page = database.list_tables(request)?;
            names.extend(page.table_names);
            if page.last_evaluated_table_name.is_none() {
                return Ok(names);
            }
        }
    }
}

/// Returns the region in an address of Amazon.
fn region_of(url: &str) -> Option<&str> {
    let host = url.split_once("://")?.1;
    host.strip_prefix("dynamodb.")?.split_once(".amazonaws.com").map(|(region, _)| region)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_directories_or_addresses() {
        let address = |text: &str| Ok(Place::Address(text.to_owned()));
        for (text, expected) in [
            ("./data", Ok(Place::Directory("./data".into()))),
            ("http://127.0.0.1:8000/", address("http://127.0.0.1:8000")),
            ("s3://bucket", Err("give an address that begins with http:// or https://".to_owned())),
            ("", Err("give a directory or an address".to_owned())),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(region_of("https://dynamodb.eu-west-1.amazonaws.com"), Some("eu-west-1"));
        assert_eq!(region_of("http://127.0.0.1:8000"), None);
    }
}
