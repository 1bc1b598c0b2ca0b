//! The command line, the same for every benchmark binary.

use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use lexopt::prelude::{Long, Short, Value, ValueExt as _};

use crate::sample::BLOCK_ITEMS;
use crate::{Mode, Result, Workload};

/// How many slices a figure is made of; the median one is reported.
const SLICES_MIN: u32 = 3;

/// The default number of seconds to measure each contender for each result.
const SECONDS: f64 = 3.0;

/// The flags, for `--help`.
pub const FLAGS: &str = "\
  --quick            10,000 items, slices of 0.2 s: minutes become seconds
  --only A,B         workloads: get, get-decoded, query, query-decoded, query-index, update, put,
                     transaction, batch (all of them)
  --items N,M        items in the table before the measurement, multiples of 10000 (10000,1000000)
  --callers N,M      threads that call at the same time (1,8,64)
  --mode A,B         durable, memory (both)
  --seconds S        seconds of measurement a figure and contender, cut into three or more slices (3)
  --slices N         how many slices (one a second)
  --dir DIR          where databases are made and removed again (.xtask/bench-data)
  --peer PATH        measure this binary (benches/dynoxide) in turn with our own slices
  --against FILE     show the figures of a --json file beside ours
  --json             print JSON instead of a table
";

/// What to run.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// The positional arguments: a command and its own arguments.
    pub words: Vec<String>,
    /// Which workloads.
    pub workloads: Vec<Workload>,
    /// Table sizes.
    pub items: Vec<u64>,
    /// Numbers of concurrent callers.
    pub callers: Vec<usize>,
    /// On disk, in memory.
    pub modes: Vec<Mode>,
    /// Seconds of measurement a figure and contender, if given.
    pub seconds: Option<f64>,
    /// How many slices they are cut into, if given: an odd number has a median.
    pub slices: Option<u32>,
    /// Where databases are made.
    pub directory: PathBuf,
    /// The binary that is measured in turn with ours.
    pub peer: Option<PathBuf>,
    /// Results to show next to ours.
    pub against: Option<PathBuf>,
    /// Whether to print JSON.
    pub json: bool,
    /// Whether to print the flags and stop.
    pub help: bool,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            workloads: Workload::ALL.to_vec(),
            items: vec![10_000, 1_000_000],
            callers: vec![1, 8, 64],
            modes: vec![Mode::Durable, Mode::Memory],
            seconds: None,
            slices: None,
            directory: PathBuf::from(".xtask/bench-data"),
            peer: None,
            against: None,
            json: false,
            help: false,
        }
    }
}

impl Arguments {
    /// Reads the process's command line.
    pub fn parse() -> Result<Self> {
        Self::from_parser(lexopt::Parser::from_env())
    }

    fn from_parser(mut parser: lexopt::Parser) -> Result<Self> {
        let mut arguments = Self::default();
        while let Some(argument) = parser.next()? {
            match argument {
                Long("quick") => {
                    arguments.items = vec![10_000];
                    arguments.seconds = Some(0.6);
                }
                Long("only") => arguments.workloads = list(&parser.value()?.string()?)?,
                Long("items") => arguments.items = list(&parser.value()?.string()?)?,
                Long("callers") => arguments.callers = list(&parser.value()?.string()?)?,
                Long("mode") => arguments.modes = list(&parser.value()?.string()?)?,
                Long("seconds") => arguments.seconds = Some(parser.value()?.parse()?),
                Long("slices") => arguments.slices = Some(parser.value()?.parse()?),
                Long("dir") => arguments.directory = parser.value()?.into(),
                Long("peer") => arguments.peer = Some(parser.value()?.into()),
                Long("against") => arguments.against = Some(parser.value()?.into()),
                Long("json") => arguments.json = true,
                Long("help") | Short('h') => arguments.help = true,
                Value(word) => arguments.words.push(word.string()?),
                Long(_) | Short(_) => return Err(argument.unexpected().into()),
            }
        }
        arguments.check()?;
        Ok(arguments)
    }

    fn check(&self) -> Result<()> {
        if self.items.iter().any(|&items| items == 0 || items % BLOCK_ITEMS != 0) {
            return Err(format!("--items takes multiples of {BLOCK_ITEMS}").into());
        }
        let is_sensible = |seconds: f64| seconds > 0.0 && seconds < 86_400.0;
        if self.callers.contains(&0)
            || !self.seconds.is_none_or(is_sensible)
            || self.slices == Some(0)
        {
            return Err("--callers, --seconds and --slices must be more than 0".into());
        }
        Ok(())
    }

    /// Returns how many slices a measurement has, and their length: about a second each, but at
    /// least three, unless set otherwise.
    pub(crate) fn slices(&self) -> (u32, Duration) {
        let seconds = self.seconds.unwrap_or(SECONDS);
        let slices = self.slices.unwrap_or((seconds as u32).max(SLICES_MIN));
        (slices, Duration::from_secs_f64(seconds / f64::from(slices)))
    }
}

fn list<T: FromStr<Err: Into<crate::Failure>>>(text: &str) -> Result<Vec<T>> {
    text.split(',').map(|word| word.trim().parse().map_err(Into::into)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Arguments> {
        Arguments::from_parser(lexopt::Parser::from_args(text.split_whitespace()))
    }

    #[test]
    fn flags_choose_what_is_run() -> Result<()> {
        let arguments = parse("stall --quick --only put,get --callers 64 --mode memory --json")?;
        assert_eq!(arguments.words, ["stall"]);
        assert_eq!(arguments.workloads, [Workload::Put, Workload::Get]);
        assert_eq!((arguments.items, arguments.callers), (vec![10_000], vec![64]));
        assert_eq!(arguments.modes, [Mode::Memory]);
        assert!(arguments.json);
        Ok(())
    }

    #[test]
    fn nonsense_is_refused() {
        for text in
            ["--only fly", "--items 7", "--callers 0", "--seconds -1", "--slices 0", "--fast"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn short_runs_still_have_a_median() -> Result<()> {
        assert_eq!(parse("--seconds 0.6")?.slices(), (3, Duration::from_millis(200)));
        assert_eq!(parse("--seconds 5")?.slices(), (5, Duration::from_secs(1)));
        assert_eq!(parse("--seconds 5 --slices 25")?.slices(), (25, Duration::from_millis(200)));
        Ok(())
    }
}
