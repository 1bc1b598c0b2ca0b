//! The services that `monotable serve` hosts, as flags and behind the server's port.
//!
//! [`all`] is the only place of the command that names services.

mod arguments;
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
use monotable_three_fc::ThreeFcService;

pub(crate) use arguments::ServiceArguments;
pub(crate) use field_keys::FieldKeySource;
pub(crate) use options::OptionArguments;
pub(crate) use site::ServiceSite;

/// Returns every service that this program contains.
fn all() -> Vec<Box<dyn Service>> {
    vec![
        Box::new(HackTrackerService::default()),
        Box::new(BtlRunService::default()),
        Box::new(ThreeFcService::default()),
        Box::new(CodeKurukshetraService::default()),
    ]
}
