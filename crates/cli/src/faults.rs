//! The text of `--faults`.

use anyhow::{Context, Result, bail};
use monotable_engine::{Faults, PartitionLimits};

use crate::duration;

/// The accepted forms.
const FORMS: &str = "index-lag=TIME, unprocessed=SHARE, conflicts=SHARE, \
                     hot-partition=READ/WRITE units per second, no-ttl";

/// Reads a list of fault modes, separated by commas.
pub(crate) fn parse(text: &str) -> Result<Faults> {
    let mut faults = Faults::default();
    for fault in text.split(',').map(str::trim) {
        parse_one(fault, &mut faults).with_context(|| format!("--faults {fault}"))?;
    }
    Ok(faults)
}

fn parse_one(fault: &str, faults: &mut Faults) -> Result<()> {
    let (name, value) = match fault.split_once('=') {
        Some((name, value)) => (name, Some(value)),
        None => (fault, None),
    };
    match (name, value) {
        ("no-ttl", None) => faults.never_sweep = true,
        ("index-lag", Some(lag)) => {
            faults.index_lag = Some(duration::parse(lag).map_err(anyhow::Error::msg)?);
        }
        ("unprocessed", Some(share)) => faults.unprocessed_share = parse_share(share)?,
        ("conflicts", Some(share)) => faults.conflict_share = parse_share(share)?,
        ("hot-partition", Some(units)) => faults.hot_partition = Some(partition(units)?),
        ("no-ttl", Some(_)) => bail!("it takes no value"),
        ("index-lag" | "unprocessed" | "conflicts" | "hot-partition", None) => {
            bail!("it needs a value; the faults are: {FORMS}")
        }
        _ => bail!("there is no such fault; the faults are: {FORMS}"),
    }
    Ok(())
}

fn parse_share(text: &str) -> Result<f64> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => bail!("{text:?} is not a share; write a number from 0 to 1, such as 0.05"),
    }
}

fn partition(text: &str) -> Result<PartitionLimits> {
    let wrong = || format!("{text:?} is not READ/WRITE; write two positive numbers: 3000/1000");
    let units =
        |text: &str| text.parse().ok().filter(|units: &f64| units.is_finite() && *units > 0.0);
    let (read, write) = text.split_once('/').with_context(wrong)?;
    let (read_units, write_units) = units(read).zip(units(write)).with_context(wrong)?;
    Ok(PartitionLimits { read_units, write_units })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_form_is_read() {
        let faults =
            parse("index-lag=200ms, unprocessed=0.1,conflicts=0.05,hot-partition=30/10,no-ttl")
                .unwrap();
        let expected = Faults {
            index_lag: Some(Duration::from_millis(200)),
            unprocessed_share: 0.1,
            conflict_share: 0.05,
            hot_partition: Some(PartitionLimits { read_units: 30.0, write_units: 10.0 }),
            never_sweep: true,
        };
        assert_eq!(faults, expected);
    }

    #[test]
    fn messages_name_the_fault_and_then_the_reason() {
        for (text, reason) in [
            ("", "--faults : there is no such fault; the faults are: index-lag=TIME,"),
            ("no-ttl,lag", "--faults lag: there is no such fault; the faults are: index-lag=TIME,"),
            ("index-lag", "--faults index-lag: it needs a value; the faults are: "),
            ("index-lag=5", "--faults index-lag=5: \"5\" is not a time; write a whole number and"),
            (
                "unprocessed=2",
                "--faults unprocessed=2: \"2\" is not a share; write a number from 0",
            ),
            ("conflicts=x", "--faults conflicts=x: \"x\" is not a share; write a number from 0 "),
            ("conflicts=NaN", "--faults conflicts=NaN: \"NaN\" is not a share; write a number "),
            ("hot-partition=5", "--faults hot-partition=5: \"5\" is not READ/WRITE; write two "),
            ("hot-partition=5/0", "--faults hot-partition=5/0: \"5/0\" is not READ/WRITE; write"),
            ("no-ttl=1", "--faults no-ttl=1: it takes no value"),
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.starts_with(reason), "{text}: {error}");
        }
    }
}
