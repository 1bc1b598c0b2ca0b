//! The command line.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use lexopt::prelude::{Long, Short, ValueExt as _};
use monotable_bench::{Mode, Result};

use crate::SLICES;

/// A service that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Service {
    HackTracker,
    BtlRun,
    ThreeFc,
    CodeKurukshetra,
    ScavengerHunt,
}

impl FromStr for Service {
    type Err = String;

    fn from_str(word: &str) -> std::result::Result<Self, String> {
        match word {
            "hacktracker" => Ok(Self::HackTracker),
            "btl-run" => Ok(Self::BtlRun),
            "three-fc" => Ok(Self::ThreeFc),
            "codekurukshetra" => Ok(Self::CodeKurukshetra),
            "scavenger-hunt" => Ok(Self::ScavengerHunt),
            word => {
                let names = "hacktracker, btl-run, three-fc, codekurukshetra and scavenger-hunt";
                Err(format!("{word:?} is not one of {names}"))
            }
        }
    }
}

pub(crate) struct Arguments {
    pub(crate) callers: usize,
    pub(crate) services: Vec<Service>,
    pub(crate) modes: Vec<Mode>,
    pub(crate) seconds: f64,
    pub(crate) directory: PathBuf,
    pub(crate) counts_units: bool,
    pub(crate) json: bool,
    pub(crate) help: bool,
}

impl Arguments {
    /// Returns the arguments of this process.
    pub(crate) fn parse() -> Result<Self> {
        let mut arguments = Self {
            callers: 64,
            services: vec![
                Service::HackTracker,
                Service::BtlRun,
                Service::ThreeFc,
                Service::CodeKurukshetra,
                Service::ScavengerHunt,
            ],
            modes: vec![Mode::Durable, Mode::Memory],
            seconds: 3.0,
            directory: PathBuf::from(".xtask/bench-data"),
            counts_units: false,
            json: false,
            help: false,
        };
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => arguments.seconds = 0.6,
                Long("backend") => {
                    arguments.counts_units = match parser.value()?.string()?.as_str() {
                        "embedded" => false,
                        "dynamodb" => true,
                        other => {
                            return Err(format!("{other:?} is not embedded or dynamodb").into());
                        }
                    }
                }
                Long("callers") => arguments.callers = parser.value()?.parse()?,
                Long("only") => arguments.services = listed(&parser.value()?.string()?)?,
                Long("mode") => arguments.modes = listed(&parser.value()?.string()?)?,
                Long("seconds") => arguments.seconds = parser.value()?.parse()?,
                Long("dir") => arguments.directory = parser.value()?.into(),
                Long("json") => arguments.json = true,
                Long("help") | Short('h') => arguments.help = true,
                _ => return Err(argument.unexpected().into()),
            }
        }
        if arguments.callers == 0 || arguments.seconds <= 0.0 {
            return Err("--callers and --seconds must be more than 0".into());
        }
        Ok(arguments)
    }

    /// Returns how long a slice takes.
    pub(crate) fn slice(&self) -> Duration {
        Duration::from_secs_f64(self.seconds / f64::from(SLICES))
    }
}

/// Words with commas between them.
fn listed<T: FromStr>(words: &str) -> Result<Vec<T>>
where
    T::Err: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    words.split(',').map(|word| word.parse().map_err(Into::into)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_named_one_by_one() {
        let both = vec![Service::BtlRun, Service::HackTracker];
        assert_eq!(listed::<Service>("btl-run,hacktracker").unwrap(), both);
        let error = listed::<Service>("btl-run,btlrun").unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"btlrun\" is not one of hacktracker, btl-run, three-fc, codekurukshetra and scavenger-hunt"
        );
    }
}
