//! `monotable serve`: logging.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;

use crate::access_log::AccessLog;
use crate::logging::{self, LogFormat};

#[derive(Args)]
#[command(next_help_heading = "Logs")]
pub(crate) struct LogArguments {
    /// Write failures to standard error in this form. Requests to services are JSON in both
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
    /// Append a line of JSON for each request to this file: key, operation, tables, status, units
    /// and time, never a value. Requests to services are logged there, too, and not on standard
    /// error. SIGHUP reopens the file
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
}

impl LogArguments {
    /// Writes failures in the chosen form from now on.
    pub(crate) fn start(&self) {
        logging::start(self.log_format);
    }

    /// Opens the access log, if there is one.
    pub(crate) fn access_log(&self) -> Result<Option<Arc<AccessLog>>> {
        let open = |file: &PathBuf| {
            AccessLog::open(file)
                .with_context(|| format!("--access-log {} can't be opened", file.display()))
        };
        Ok(self.access_log.as_ref().map(open).transpose()?.map(Arc::new))
    }
}
