//! `monotable serve`: the location and durability of the data.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use monotable_engine::{Database, Durability, Faults, Options};

use crate::duration;

/// The default location of the data.
pub(crate) const DATA_DEFAULT: &str = "./monotable-data";

/// The default region of a database.
pub(crate) const REGION_DEFAULT: &str = "us-east-1";

// No documentation comments on groups of arguments: clap would use them as those of the command.
#[derive(Args)]
#[command(next_help_heading = "Storage")]
pub(crate) struct StorageArguments {
    /// Store the data in this directory, which is created if it does not exist
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    /// Keep the data in memory only
    #[arg(long, conflicts_with = "data")]
    memory: bool,
    /// Sync at most every TIME, such as 5ms: faster, but a crash of the machine can lose that much
    #[arg(long, value_name = "TIME", conflicts_with = "memory", value_parser = sync_interval)]
    relaxed: Option<Duration>,
    /// The region in ARNs [default: us-east-1]; with --backend dynamodb the region of the tables [default: that of
    /// the environment or the profile]
    #[arg(long, value_name = "NAME", value_parser = region)]
    region: Option<String>,
}

impl StorageArguments {
    /// Returns the directory of the data, if it is stored on disk.
    pub(crate) fn directory(&self) -> Option<&Path> {
        (!self.memory).then_some(self.data.as_path())
    }

    pub(crate) fn open(&self, faults: Faults, keeps_history: bool) -> Result<Database> {
        let durability = match self.relaxed {
            None => Durability::Full,
            Some(sync_every) => Durability::Relaxed { sync_every },
        };
        let region = self.region().to_owned();
        let options = Options { durability, faults, keeps_history, region, ..Options::default() };
        Ok(match self.directory() {
            None => Database::memory_with(options),
            Some(directory) => Database::open(directory, options)?,
        })
    }

    /// Returns the region of the database.
    pub(crate) fn region(&self) -> &str {
        self.region.as_deref().unwrap_or(REGION_DEFAULT)
    }

    /// Returns the region, if it was given.
    pub(crate) fn region_given(&self) -> Option<&str> {
        self.region.as_deref()
    }

    /// Returns the first flag that needs a database of this server.
    pub(crate) fn flag_for_database(&self) -> Option<&'static str> {
        let relaxed = self.relaxed.map(|_| "--relaxed");
        relaxed.or(self.memory.then_some("--memory"))
    }

    /// Returns the lines of the banner: a label and a text each.
    pub(crate) fn banner(&self) -> Vec<(&'static str, String)> {
        let data = self.full_directory();
        let data = data.unwrap_or_else(|| "in memory, gone when the server stops".to_owned());
        let relaxed = self.relaxed.map(|time| {
            ("durability", format!("relaxed: a crash of the machine can lose the last {time:?}"))
        });
        [Some(("data", data)), relaxed].into_iter().flatten().collect()
    }

    /// Returns the location of the data, as a part of a sentence.
    pub(crate) fn shown(&self) -> String {
        match self.full_directory() {
            None => "its data is in memory, and gone when the server stops".to_owned(),
            Some(directory) => format!("its data is in {directory}"),
        }
    }

    /// Returns warnings for operators about the storage.
    pub(crate) fn warning(&self) -> Option<String> {
        let time = self.relaxed?;
        Some(format!("Durability is relaxed: a crash of the machine can lose the last {time:?}."))
    }

    fn full_directory(&self) -> Option<String> {
        let path = self.directory()?;
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Some(path.display().to_string())
    }
}

fn sync_interval(text: &str) -> Result<Duration, String> {
    match duration::parse(text)? {
        Duration::ZERO => Err("leave --relaxed out to sync every write".to_owned()),
        time => Ok(time),
    }
}

/// Parses the name of a region.
pub(crate) fn region(text: &str) -> Result<String, String> {
    const CHARACTERS_MAX: usize = 32;
    let is_known = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let starts = text.starts_with(|first: char| first.is_ascii_lowercase());
    if starts && text.bytes().all(is_known) && text.len() <= CHARACTERS_MAX {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "a region is a letter and up to {} lower-case letters, digits and hyphens, such as \
             us-east-1",
            CHARACTERS_MAX - 1
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_names_as_aws_has_them() {
        for text in ["us-east-1", "eu-central-1", "local", "localhost"] {
            assert_eq!(region(text).as_deref(), Ok(text));
        }
        for text in ["", "my region", "US-EAST-1", "1a", "a:b", "a_b", "é", &"a".repeat(33)] {
            assert!(region(text).unwrap_err().contains("us-east-1"), "{text}");
        }
    }

    #[test]
    fn an_interval_of_nothing_is_refused() {
        assert_eq!(sync_interval("5ms"), Ok(Duration::from_millis(5)));
        assert!(sync_interval("0ms").is_err());
        assert!(sync_interval("5").is_err());
    }
}
