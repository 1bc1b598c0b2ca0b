//! `monotable mask`: a table without personal data, for tests and development.
//!
//! The table is read twice: first to collect the personal values, then to replace them. Every row
//! is checked before it is written: an original value that would reach the output ends the command.

mod plan;
mod rows;
mod template;
#[cfg(test)]
mod tests;
mod text;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable::design::Design;

use self::plan::Plan;
pub(crate) use self::rows::MaskedRows;
use self::text::Mask;
use crate::copy::place::{self, OpenPlace, Place};
use crate::copy::state::State;
use crate::copy::table::TableCopy;
use crate::services;

const AFTER_HELP: &str = "\
Equal values are replaced by equal ones, in attributes and in keys, so that rows still belong together. The replacements are derived from a secret that is generated for this copy, or from --secret-file. Recorded responses, jobs, locks and request counters are left out.

No row with an original value is written: the command ends with an error that names the attribute.";

/// The default of the file that exists while masking is not complete.
const STATE_DEFAULT: &str = "monotable-mask.json";

/// The arguments of `monotable mask`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The design of the table: the name of a service, or a file with a design as JSON
    #[arg(long, value_name = "FILE|SERVICE")]
    design: String,
    /// The source: the directory of a database, or the address of a DynamoDB endpoint
    #[arg(long, value_name = "DIR|URL", value_parser = place::parse)]
    from: Place,
    /// The destination where the masked table is created, a directory or an address
    #[arg(long, value_name = "DIR|URL", value_parser = place::parse)]
    into: Place,
    /// A field with personal data, such as Player.email, or a member of one, which is left out; can
    /// be repeated. Services declare their own
    #[arg(long, value_name = "ENTITY.FIELD")]
    personal: Vec<String>,
    /// An attribute that may contain the text of a personal value by coincidence; can be repeated
    #[arg(long, value_name = "ENTITY.ATTRIBUTE")]
    allow: Vec<String>,
    /// The name of the table [default: that of the design]
    #[arg(long, value_name = "NAME")]
    table: Option<String>,
    /// The environment in the name of the table
    #[arg(long, value_name = "NAME", default_value = "dev")]
    environment: String,
    /// Read the secret from this file, so that several tables are masked alike
    #[arg(long, value_name = "FILE")]
    secret_file: Option<PathBuf>,
    /// Write at most this many write units per second
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    units: Option<u32>,
    /// The file that exists until everything is verified
    #[arg(long, value_name = "FILE", default_value = STATE_DEFAULT)]
    state: PathBuf,
    /// The region of addresses that do not name one [default: that of the environment or the profile]
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.from == arguments.into {
        bail!("--from and --into are the same place");
    }
    let (design, personal) = arguments.design()?;
    let plan = Plan::new(&design, &personal)?;
    let secret = match &arguments.secret_file {
        Some(file) => std::fs::read(file)
            .with_context(|| format!("--secret-file {} can't be read", file.display()))?,
        None => monotable_host::secrets::random(),
    };
    if arguments.state.exists() {
        bail!(
            "{} records an interrupted masking; delete its unfinished table, and the file",
            arguments.state.display()
        );
    }
    let usual = || design.table_name.replace("{environment}", &arguments.environment);
    let name = arguments.table.clone().unwrap_or_else(usual);
    let mut rows = MaskedRows::new(plan, Mask::new(secret), &arguments.allow);
    let from = OpenPlace::source(&arguments.from, arguments.region.as_deref())?;
    let into = OpenPlace::target(&arguments.into, arguments.region.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let copy = TableCopy {
        from: from.backend(),
        to: into.backend(),
        name: &name,
        units: arguments.units,
        mask: None,
    };
    runtime.block_on(copy.each(|item| rows.learn(item)))?;
    let copy = TableCopy { mask: Some(&rows), ..copy };
    let mut state = State::read(&arguments.state, &arguments.from, &arguments.into)?;
    let summary = runtime.block_on(copy.run(&mut state))?;
    println!("{summary}");
    state.remove()
}

impl Arguments {
    /// Returns the design, and its personal fields.
    fn design(&self) -> Result<(Design, Vec<String>)> {
        let mut personal = self.personal.clone();
        let design = match services::chosen(std::slice::from_ref(&self.design)) {
            Ok(services) if services.len() == 1 => {
                personal.extend(services[0].personal_fields().iter().map(|it| (*it).to_owned()));
                let mut design = Design::of(services[0].table());
                design.table_name = services[0].table_name().to_owned();
                design
            }
            Ok(_) => bail!("--design names one service, or a file"),
            Err(no_service) => {
                let text = std::fs::read_to_string(&self.design).with_context(|| {
                    format!("{} is not a readable file, and {no_service}", self.design)
                })?;
                Design::from_json(&text).with_context(|| self.design.clone())?
            }
        };
        Ok((design, personal))
    }
}
