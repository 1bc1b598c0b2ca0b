//! The figures of a run: for programs through serde, for people as a table.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Operation;

/// Above this, the generator may be what was measured.
const GENERATOR_BUSY_MAX: f64 = 0.9;

/// The results of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The endpoint that was measured.
    pub endpoint: String,
    /// The table's name.
    pub table: String,
    /// The seed of the random keys.
    pub seed: u64,
    /// How many items the table was filled with.
    pub items: u64,
    /// How many connections there were.
    pub connections: usize,
    /// How many threads shared them.
    pub threads: usize,
    /// How long each operation was measured.
    pub seconds: f64,
    /// Whether every request had its own signature, instead of a placeholder.
    pub signed: bool,
    /// How the table was filled; `None` if it existed.
    pub fill: Option<Fill>,
    /// One figure for each operation, in the order of measurement.
    pub figures: Vec<Figure>,
    /// Further remarks.
    pub notes: Vec<String>,
}

/// How the table was filled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fill {
    /// How many items were written.
    pub items: u64,
    /// How long it took.
    pub seconds: f64,
}

/// The figure of one operation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// What every request did.
    pub operation: Operation,
    /// Requests that succeeded.
    pub requests: u64,
    /// Successful requests per second.
    pub requests_per_second: f64,
    /// The latency that half of the requests did not exceed, in microseconds.
    pub p50_us: f64,
    /// The latency that 99 % of the requests did not exceed, in microseconds.
    pub p99_us: f64,
    /// The slowest request, in microseconds.
    pub max_us: f64,
    /// Requests that failed, by code.
    pub errors: Vec<ErrorCount>,
    /// Connections that were opened again, because the server closed them.
    pub reconnects: u64,
    /// The share of the time in which the generator itself was busy, from 0 to 1.
    pub generator_busy: f64,
}

/// Requests that failed with one code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorCount {
    /// The exception, or what happened to the connection.
    pub code: String,
    /// How often.
    pub count: u64,
    /// The first message.
    pub message: String,
}

impl Figure {
    fn errors_total(&self) -> u64 {
        self.errors.iter().map(|error| error.count).sum()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = grouped(self.items as f64);
        let connections = match self.connections {
            1 => "1 connection".to_owned(),
            many => format!("{many} connections"),
        };
        writeln!(
            formatter,
            "{}: {connections}, {} s an operation, {items} items of 1 KB, seed {}",
            self.endpoint, self.seconds, self.seed
        )?;
        let signatures = if self.signed {
            "every request is signed"
        } else {
            "requests carry a placeholder of a signature's size"
        };
        writeln!(formatter, "{signatures}")?;
        if let Some(Fill { items, seconds }) = self.fill {
            let rate = grouped(items as f64 / seconds.max(1e-9));
            writeln!(formatter, "filled with {rate} items/s in batches of 25")?;
        }
        writeln!(formatter)?;
        write_table(formatter, &self.figures)?;
        for figure in &self.figures {
            for ErrorCount { code, count, message } in &figure.errors {
                let (operation, count) = (figure.operation, grouped(*count as f64));
                writeln!(formatter, "! {operation}: {count} × {code}: {message}")?;
            }
        }
        for figure in &self.figures {
            let (operation, reconnects) = (figure.operation, figure.reconnects);
            if reconnects > 0 {
                let reconnects = grouped(reconnects as f64);
                writeln!(formatter, "! {operation}: {reconnects} connections opened again")?;
            }
            if figure.generator_busy > GENERATOR_BUSY_MAX {
                let percent = figure.generator_busy * 100.0;
                writeln!(
                    formatter,
                    "! {operation}: the generator was busy {percent:.0} % of the time; \
                     more threads may measure more"
                )?;
            }
        }
        for note in &self.notes {
            writeln!(formatter, "! {note}")?;
        }
        Ok(())
    }
}

/// Words are aligned to the left, numbers to the right.
fn write_table(formatter: &mut fmt::Formatter<'_>, figures: &[Figure]) -> fmt::Result {
    let header = ["operation", "requests/s", "p50 µs", "p99 µs", "max µs", "errors"];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(figures.iter().map(|figure| {
        [
            figure.operation.to_string(),
            grouped(figure.requests_per_second),
            grouped(figure.p50_us),
            grouped(figure.p99_us),
            grouped(figure.max_us),
            grouped(figure.errors_total() as f64),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: [usize; 6] = std::array::from_fn(|column| width(column).unwrap_or_default());
    for row in &rows {
        write!(formatter, "{:<width$}", row[0], width = widths[0])?;
        for (cell, width) in row.iter().zip(widths).skip(1) {
            write!(formatter, "  {cell:>width$}")?;
        }
        writeln!(formatter)?;
    }
    Ok(())
}

/// Returns a whole number with commas between thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn report() -> Report {
        let figure = |operation, requests_per_second| Figure {
            operation,
            requests: 3_000,
            requests_per_second,
            p50_us: 312.4,
            p99_us: 1_234.5,
            max_us: 20_000.0,
            errors: Vec::new(),
            reconnects: 0,
            generator_busy: 0.5,
        };
        let throttled = ErrorCount {
            code: "ProvisionedThroughputExceededException".to_owned(),
            count: 1_700,
            message: "Slow down".to_owned(),
        };
        Report {
            endpoint: "http://localhost:8000".to_owned(),
            table: "monotable-bench-1".to_owned(),
            seed: 42,
            items: 10_000,
            connections: 32,
            threads: 1,
            seconds: 3.0,
            signed: false,
            fill: Some(Fill { items: 10_000, seconds: 0.5 }),
            figures: vec![
                Figure { generator_busy: 0.97, ..figure(Operation::Get, 123_456.7) },
                Figure {
                    errors: vec![throttled],
                    reconnects: 4,
                    ..figure(Operation::Transaction, 999.0)
                },
            ],
            notes: vec!["the table was not deleted".to_owned()],
        }
    }

    #[test]
    fn people_get_a_table() {
        expect![[r#"
            http://localhost:8000: 32 connections, 3 s an operation, 10,000 items of 1 KB, seed 42
            requests carry a placeholder of a signature's size
            filled with 20,000 items/s in batches of 25

            operation    requests/s  p50 µs  p99 µs  max µs  errors
            get             123,457     312   1,234  20,000       0
            transaction         999     312   1,234  20,000   1,700
            ! transaction: 1,700 × ProvisionedThroughputExceededException: Slow down
            ! get: the generator was busy 97 % of the time; more threads may measure more
            ! transaction: 4 connections opened again
            ! the table was not deleted
        "#]]
        .assert_eq(&report().to_string());
    }

    #[test]
    fn written_reports_can_be_read_back() {
        let json = serde_json::to_string(&report()).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&json).unwrap(), report());
    }
}
