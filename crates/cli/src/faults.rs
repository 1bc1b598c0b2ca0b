//! The text of `--faults`.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use monotable_engine::{Faults, PartitionLimits};

/// What the help and the errors say.
const FORMS: &str =
    "index-lag=200ms, unprocessed=0.1, conflicts=0.05, hot-partition=READ/WRITE units, no-ttl";

/// Reads a list of fault modes, separated by commas.
pub(crate) fn parse(text: &str) -> Result<Faults> {
    let mut faults = Faults::default();
    for fault in text.split(',').map(str::trim) {
        parse_one(fault, &mut faults)
            .with_context(|| format!("--faults: {fault:?} is none of: {FORMS}"))?;
    }
    Ok(faults)
}

fn parse_one(fault: &str, faults: &mut Faults) -> Result<()> {
    match fault.split_once('=') {
        None if fault == "no-ttl" => faults.never_sweep = true,
        Some(("index-lag", lag)) => faults.index_lag = Some(duration(lag)?),
        Some(("unprocessed", share)) => faults.unprocessed_share = parse_share(share)?,
        Some(("conflicts", share)) => faults.conflict_share = parse_share(share)?,
        Some(("hot-partition", units)) => faults.hot_partition = Some(partition(units)?),
        _ => bail!("no such fault"),
    }
    Ok(())
}

fn duration(text: &str) -> Result<Duration> {
    let millis = match (text.strip_suffix("ms"), text.strip_suffix('s')) {
        (Some(millis), _) => millis.parse()?,
        (None, Some(seconds)) => seconds.parse::<u64>()?.saturating_mul(1000),
        (None, None) => bail!("the time needs a unit: 200ms or 2s"),
    };
    Ok(Duration::from_millis(millis))
}

fn parse_share(text: &str) -> Result<f64> {
    let share: f64 = text.parse()?;
    if !(0.0..=1.0).contains(&share) {
        bail!("a share is between 0 and 1");
    }
    Ok(share)
}

fn partition(text: &str) -> Result<PartitionLimits> {
    let (read, write) = text.split_once('/').context("two numbers are needed, as in 3000/1000")?;
    let units = |text: &str| -> Result<f64> {
        let units: f64 = text.parse()?;
        if !units.is_finite() || units <= 0.0 {
            bail!("units are a positive number");
        }
        Ok(units)
    };
    Ok(PartitionLimits { read_units: units(read)?, write_units: units(write)? })
}

#[cfg(test)]
mod tests {
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
    fn what_is_no_fault_is_named() {
        for text in [
            "",
            "lag",
            "index-lag",
            "index-lag=5",
            "unprocessed=2",
            "conflicts=x",
            "hot-partition=5",
            "no-ttl=1",
        ] {
            let error = format!("{:#}", parse(text).unwrap_err());
            assert!(error.contains("is none of: index-lag=200ms"), "{text}: {error}");
        }
    }
}
