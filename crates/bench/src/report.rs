//! Figures as a table that reads well on a terminal and in Markdown.

use std::fmt::Write as _;

use crate::{Figure, Figures};

/// Prints one row per measurement, with the contenders next to each other. The first contender is
/// ours: every other one is followed by ours ÷ theirs.
pub fn print_table(figures: &Figures) {
    println!("{}\n", figures.machine);
    print!("{}", table(&figures.figures));
    let unsteady = figures.figures.iter().filter(|figure| !figure.is_steady()).count();
    if unsteady > 0 {
        let all = figures.figures.len();
        println!(
            "\n~ {unsteady} of {all} figures: slices differ by more than 2 ×, do not rely on them"
        );
    }
}

fn table(figures: &[Figure]) -> String {
    let mut contenders: Vec<&str> = Vec::new();
    let mut works: Vec<&Figure> = Vec::new();
    for figure in figures {
        if !contenders.contains(&figure.contender.as_str()) {
            contenders.push(&figure.contender);
        }
        if !works.iter().any(|work| work.is_same_work(figure)) {
            works.push(figure);
        }
    }
    let mut header: Vec<String> =
        ["mode", "items", "workload", "callers"].map(str::to_owned).into();
    for (place, contender) in contenders.iter().enumerate() {
        header.extend([format!("{contender} /s"), "p50 µs".to_owned(), "p99 µs".to_owned()]);
        if place > 0 {
            header.push(format!("{} ÷ {contender}", contenders[0]));
        }
    }
    let mut rows = vec![header];
    for work in works {
        let mut row = vec![
            work.mode.to_string(),
            grouped(work.items as f64),
            work.workload.name().to_owned(),
            work.callers.to_string(),
        ];
        let mut ours = None;
        for (place, contender) in contenders.iter().enumerate() {
            let figure = figures
                .iter()
                .find(|figure| figure.contender == *contender && figure.is_same_work(work));
            row.extend(cells(figure));
            if place == 0 {
                ours = figure;
            } else {
                let ratio = ours.zip(figure).map(|(ours, theirs): (&Figure, _)| {
                    let doubt = if ours.is_steady() && theirs.is_steady() { "" } else { "~" };
                    format!("{doubt}{:.2}", ours.median.per_second / theirs.median.per_second)
                });
                row.push(ratio.unwrap_or_default());
            }
        }
        rows.push(row);
    }
    aligned(&rows)
}

fn cells(figure: Option<&Figure>) -> [String; 3] {
    match figure {
        Some(figure) => {
            let Figure { median, .. } = figure;
            let doubt = if figure.is_steady() { "" } else { "~" };
            let rate = format!("{doubt}{}", grouped(median.per_second));
            [rate, micros(median.p50_us), micros(median.p99_us)]
        }
        None => Default::default(),
    }
}

fn micros(microseconds: f64) -> String {
    if microseconds < 100.0 { format!("{microseconds:.1}") } else { grouped(microseconds) }
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

fn aligned(rows: &[Vec<String>]) -> String {
    let widths: Vec<usize> = (0..rows[0].len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default())
        .collect();
    let mut out = String::new();
    for (place, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            // Words to the left, numbers to the right.
            let padding = " ".repeat(widths[column] - cell.chars().count());
            let is_words = column == 0 || column == 2;
            let (left, right) =
                if is_words { ("", padding.as_str()) } else { (padding.as_str(), "") };
            let _ = write!(out, "| {left}{cell}{right} ");
        }
        out.push_str("|\n");
        if place == 0 {
            for (column, width) in widths.iter().enumerate() {
                let end = if column == 0 || column == 2 { "-" } else { ":" };
                let _ = write!(out, "|{}{end}", "-".repeat(width + 1));
            }
            out.push_str("|\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::{Mode, Slice, Workload};

    use super::*;

    #[test]
    fn contenders_are_printed_side_by_side_with_ratios() {
        let figure = |contender: &str, per_second| Figure {
            mode: Mode::Memory,
            items: 10_000,
            workload: Workload::Put,
            callers: 8,
            contender: contender.to_owned(),
            median: Slice { per_second, p50_us: 7.25, p99_us: 1234.0, ..Slice::default() },
            slices_per_second: vec![per_second, 100_000.0],
            slices_p50_us: Vec::new(),
        };
        let text = table(&[figure("engine", 90_000.0), figure("bare", 120_000.0)]);
        let last = text.lines().last().unwrap_or_default();
        let cells: Vec<&str> = last.split('|').map(str::trim).collect();
        assert_eq!(
            cells[1..12],
            [
                "memory", "10,000", "put", "8", "90,000", "7.2", "1,234", "120,000", "7.2",
                "1,234", "0.75"
            ]
        );
    }

    #[test]
    fn figures_whose_slices_disagree_are_marked() {
        let figure = Figure {
            mode: Mode::Durable,
            items: 10_000,
            workload: Workload::Update,
            callers: 8,
            contender: "engine".to_owned(),
            median: Slice { per_second: 5_022.0, ..Slice::default() },
            slices_per_second: vec![21_694.0, 5_022.0, 1_260.0],
            slices_p50_us: Vec::new(),
        };
        assert!(table(&[figure]).contains("~5,022"));
    }
}
