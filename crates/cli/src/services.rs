//! The services that `monotable serve` hosts, as flags and behind the server's port.
//!
//! [`all`] is the only place of the command that names services.

mod arguments;
mod blobs;
mod body;
mod field_keys;
mod mail;
mod options;
mod site;
#[cfg(test)]
mod tests;

use monotable_btl_run::BtlRunService;
use monotable_codekurukshetra::CodeKurukshetraService;
use monotable_hacktracker::HackTrackerService;
use monotable_host::Service;
use monotable_scavenger_hunt::ScavengerHuntService;
use monotable_three_fc::ThreeFcService;

use self::arguments::Selection;

use anyhow::{Result, anyhow};

pub(crate) use arguments::ServiceArguments;
pub(crate) use blobs::{BLOB_DIRECTORY, BlobSource};
pub(crate) use field_keys::FieldKeySource;
pub(crate) use options::OptionArguments;
pub(crate) use site::ServiceSite;

/// Returns the services with these names; `all` selects every one.
///
/// # Errors
/// Fails for an unknown name.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Box<dyn Service>>> {
    let Selection(names) = arguments::selection(&names.join(",")).map_err(|text| anyhow!(text))?;
    Ok(all().into_iter().filter(|service| names.contains(&service.name())).collect())
}

/// Returns the usual names of the tables of services in an environment.
///
/// # Errors
/// Fails for an unknown name.
pub(crate) fn table_names(services: &[String], environment: &str) -> Result<Vec<String>> {
    let services = chosen(services)?;
    let named = |name: &str| name.replace("{environment}", environment);
    Ok(services.iter().map(|service| named(service.table_name())).collect())
}

/// Returns every service that this program contains.
fn all() -> Vec<Box<dyn Service>> {
    vec![
        Box::new(HackTrackerService::default()),
        Box::new(BtlRunService::default()),
        Box::new(ThreeFcService::default()),
        Box::new(CodeKurukshetraService::default()),
        Box::new(ScavengerHuntService::default()),
    ]
}
