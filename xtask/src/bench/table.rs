//! Figures of several servers side by side, as a table that reads well on a terminal and in Markdown.

use std::fmt::Write as _;

use crate::bench::slice::Slices;

/// What one server did with one operation after the other.
pub(crate) struct Column {
    pub(crate) name: String,
    /// In the order of the operations.
    pub(crate) slices: Vec<Slices>,
}

/// Returns one row for each operation. The first column is ours; the ratio is ours ÷ the fastest other.
pub(crate) fn render(operations: &[String], columns: &[Column]) -> String {
    let mut header = vec!["operation".to_owned()];
    for Column { name, .. } in columns {
        header.extend([format!("{name} /s"), "p50 µs".to_owned(), "p99 µs".to_owned()]);
    }
    if columns.len() > 1 {
        header.push("÷ fastest peer".to_owned());
    }
    let mut rows = vec![header];
    for (place, operation) in operations.iter().enumerate() {
        let mut row = vec![operation.clone()];
        for column in columns {
            row.extend(cells(&column.slices[place]));
        }
        if columns.len() > 1 {
            row.push(ratio(place, columns).unwrap_or_default());
        }
        rows.push(row);
    }
    let mut text = aligned(&rows);
    for (column, place) in
        columns.iter().flat_map(|column| (0..operations.len()).map(move |place| (column, place)))
    {
        if let Some(errors) = column.slices[place].errors() {
            let _ = writeln!(text, "! {} {}: {errors}", column.name, operations[place]);
        }
        if !column.slices[place].is_steady() {
            let _ = writeln!(
                text,
                "~ {} {}: slices differ by more than 2 ×, do not rely on it",
                column.name, operations[place]
            );
        }
    }
    text
}

fn cells(slices: &Slices) -> [String; 3] {
    match slices.median() {
        Some(median) => {
            let doubt = if slices.is_steady() { "" } else { "~" };
            let rate = format!("{doubt}{}", grouped(median.requests_per_second));
            [rate, grouped(median.p50_us), grouped(median.p99_us)]
        }
        None => Default::default(),
    }
}

fn ratio(place: usize, columns: &[Column]) -> Option<String> {
    let rate =
        |column: &Column| column.slices[place].median().map(|median| median.requests_per_second);
    let (ours, peers) = columns.split_first()?;
    let fastest = peers.iter().filter_map(rate).fold(0.0, f64::max);
    Some(format!("{:.2}", rate(ours)? / fastest))
}

/// Returns a whole number with commas between thousands.
pub(crate) fn grouped(number: f64) -> String {
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

/// Words to the left, numbers to the right.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or_default()).collect();
    let mut out = String::new();
    for (place, row) in rows.iter().enumerate() {
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let _ = match column {
                0 => write!(out, "| {cell:<width$} "),
                _ => write!(out, "| {cell:>width$} "),
            };
        }
        out.push_str("|\n");
        if place == 0 {
            for (column, width) in widths.iter().enumerate() {
                let end = if column == 0 { "-" } else { ":" };
                let _ = write!(out, "|{}{end}", "-".repeat(width + 1));
            }
            out.push_str("|\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::bench::slice::Slice;

    use super::*;

    #[test]
    fn servers_stand_side_by_side_with_the_ratio_to_the_fastest_peer() {
        let column = |name: &str, rates: &[f64]| {
            let mut slices = Slices::default();
            for rate in rates {
                slices.push(Slice {
                    requests_per_second: *rate,
                    p50_us: 312.0,
                    p99_us: 1_234.0,
                    errors: Vec::new(),
                });
            }
            Column { name: name.to_owned(), slices: vec![slices] }
        };
        let columns = [
            column("monotable", &[90_000.0, 95_000.0, 80_000.0]),
            column("slow", &[10_000.0, 1_000.0, 9_000.0]),
            column("fast", &[30_000.0]),
        ];
        let text = render(&["get".to_owned()], &columns);
        let lines: Vec<&str> = text.lines().collect();
        let cells: Vec<&str> = lines[2].split('|').map(str::trim).collect();
        assert_eq!(
            cells[1..12],
            [
                "get", "90,000", "312", "1,234", "~9,000", "312", "1,234", "30,000", "312",
                "1,234", "3.00"
            ]
        );
        assert_eq!(lines[3], "~ slow get: slices differ by more than 2 ×, do not rely on it");
        let widths: Vec<usize> = lines[..3].iter().map(|line| line.chars().count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
    }
}
