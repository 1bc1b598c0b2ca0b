//! The keys of encrypted fields: their file, and when it is created.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_host::{Service, secrets};
use monotable_kit::FieldKeys;

/// The file in a data directory with the keys of its encrypted fields.
const FILE: &str = "field-keys";

#[derive(Args)]
#[command(next_help_heading = "Services")]
pub(crate) struct FieldKeyArguments {
    /// Encrypt personal data with the keys in this file: one secret on each line, the first for new data
    /// [default: DIR/field-keys, which only --demo creates]
    #[arg(long, value_name = "FILE")]
    field_keys: Option<PathBuf>,
}

/// The source of the keys for encrypted fields.
#[derive(Debug)]
pub(crate) enum FieldKeySource {
    /// No service needs any.
    Unused,
    /// They were read.
    Read(FieldKeys),
    /// They are in a file, which is created if it does not exist.
    Kept(PathBuf),
    /// They end with the process, like the data.
    Random,
}

impl FieldKeyArguments {
    pub(crate) fn is_given(&self) -> bool {
        self.field_keys.is_some()
    }

    /// Returns the source of the keys. A key that is stored next to the data protects nothing, so a
    /// server with real data does not create one.
    ///
    /// # Errors
    /// Fails if a service needs keys and there are none, or they can't be read.
    pub(crate) fn source(
        &self,
        directory: Option<&Path>,
        is_demo: bool,
        services: &[Box<dyn Service>],
    ) -> Result<FieldKeySource> {
        let Some(service) = services.iter().find(|service| service.encrypts_fields()) else {
            return Ok(FieldKeySource::Unused);
        };
        if let Some(file) = &self.field_keys {
            return Ok(FieldKeySource::Read(read(file, secrets::read(file)?)?));
        }
        let Some(directory) = directory else { return Ok(FieldKeySource::Random) };
        let file = directory.join(FILE);
        if !is_demo && !file.exists() {
            bail!(
                "{} encrypts personal data and has no key; create one with `openssl rand -hex 32 > KEYS`, \
                 keep it apart from the data, and add --field-keys KEYS",
                service.name()
            );
        }
        Ok(FieldKeySource::Kept(file))
    }
}

impl FieldKeySource {
    /// Returns the keys, if a service needs any.
    pub(crate) fn complete(self) -> Result<Option<FieldKeys>> {
        match self {
            Self::Unused => Ok(None),
            Self::Read(keys) => Ok(Some(keys)),
            Self::Kept(file) => Ok(Some(read(&file, secrets::kept(&file)?)?)),
            Self::Random => Ok(Some(FieldKeys::read(&secrets::random())?)),
        }
    }
}

fn read(file: &Path, secrets: Vec<u8>) -> Result<FieldKeys> {
    FieldKeys::read(&secrets).with_context(|| format!("{} can't be used", file.display()))
}
