//! `cargo xtask plot`: draws the endpoint's tables of benches/RESULTS.md as SVG, for the README.
//!
//! The pictures are committed; a test fails when they no longer match the tables.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};

use crate::workspace::Workspace;

const RESULTS: &str = "benches/RESULTS.md";

/// One picture: the heading of its table in the results, its title and its file.
struct Plot {
    heading: &'static str,
    title: &'static str,
    file: &'static str,
}

const PLOTS: [Plot; 2] = [
    Plot {
        heading: "### Durable, against their files",
        title: "Requests per second, stored durably",
        file: "benches/endpoint-durable.svg",
    },
    Plot {
        heading: "### In memory",
        title: "Requests per second, in memory",
        file: "benches/endpoint-memory.svg",
    },
];

/// The requests per second of one operation, in the order of the table's servers.
struct Operation {
    name: String,
    rates: Vec<Option<u64>>,
}

/// A table of the results, reduced to what is drawn.
struct Table {
    servers: Vec<String>,
    operations: Vec<Operation>,
}

/// Writes every picture.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let results = fs::read_to_string(workspace.path(RESULTS))?;
    for plot in &PLOTS {
        fs::write(workspace.path(plot.file), draw(plot, &results)?)?;
        println!("{}", plot.file);
    }
    Ok(())
}

fn draw(plot: &Plot, results: &str) -> Result<String> {
    let table = read_table(results, plot.heading)
        .with_context(|| format!("{RESULTS}, the table below \"{}\"", plot.heading))?;
    Ok(svg(plot.title, &table))
}

/// Reads the `… /s` columns of the first table below a heading.
fn read_table(results: &str, heading: &str) -> Result<Table> {
    let (_, below) = results.split_once(heading).context("the heading is missing")?;
    let mut lines = below.lines().skip_while(|line| !line.starts_with('|'));
    let titles = cells(lines.next().context("the table is missing")?);
    let columns: Vec<usize> =
        (0..titles.len()).filter(|&column| titles[column].ends_with(" /s")).collect();
    ensure!(!columns.is_empty(), "no column is named \"… /s\"");
    let servers = columns
        .iter()
        .map(|&column| match titles[column].trim_end_matches(" /s") {
            "local" => "DynamoDB Local".to_owned(),
            server => server.to_owned(),
        })
        .collect();
    let operations = lines
        .skip(1)
        .take_while(|line| line.starts_with('|'))
        .map(|line| {
            let row = cells(line);
            ensure!(row.len() == titles.len(), "a row has {} cells: {line}", row.len());
            let rates = columns.iter().map(|&column| rate(row[column])).collect::<Result<_>>()?;
            Ok(Operation { name: row[0].to_owned(), rates })
        })
        .collect::<Result<_>>()?;
    Ok(Table { servers, operations })
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

/// Returns a number such as `116,135`. An empty cell means that the server lacks the operation.
fn rate(cell: &str) -> Result<Option<u64>> {
    if cell.is_empty() {
        return Ok(None);
    }
    let number = cell.replace(',', "");
    Ok(Some(number.parse().with_context(|| format!("{cell} is not a rate"))?))
}

const WIDTH: u64 = 760;
const BAR_LEFT: u64 = 190;
const BAR_WIDTH: u64 = 480;
const BAR_STEP: u64 = 15;
const GROUP_GAP: u64 = 14;
const TOP: u64 = 58;

/// Draws a group of bars per operation. Groups differ by orders of magnitude, so each has a scale of
/// its own: its longest bar takes the whole width.
fn svg(title: &str, table: &Table) -> String {
    let mut body = String::new();
    let mut y = TOP;
    for operation in &table.operations {
        let longest = operation.rates.iter().flatten().copied().max().unwrap_or(1).max(1);
        let _ = writeln!(
            body,
            "<text class=\"operation\" x=\"12\" y=\"{}\">{}</text>",
            y + 11,
            operation.name
        );
        for (index, (server, rate)) in table.servers.iter().zip(&operation.rates).enumerate() {
            let width = rate.map_or(0, |rate| (rate * BAR_WIDTH).div_ceil(longest));
            let label = rate.map_or_else(|| "not supported".to_owned(), grouped);
            let _ = writeln!(
                body,
                "<text class=\"server\" x=\"{}\" y=\"{base}\">{server}</text>\
                 <rect class=\"s{index}\" x=\"{BAR_LEFT}\" y=\"{y}\" width=\"{width}\" height=\"11\" rx=\"2\"/>\
                 <text class=\"rate\" x=\"{}\" y=\"{base}\">{label}</text>",
                BAR_LEFT - 6,
                BAR_LEFT + width + 6,
                base = y + 10,
            );
            y += BAR_STEP;
        }
        y += GROUP_GAP;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" role=\"img\" aria-label=\"{title}\">\n\
         <style>{STYLE}</style>\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{y}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"12\" y=\"24\">{title}</text>\n\
         <text class=\"note\" x=\"12\" y=\"42\">32 connections, items of 1 KB, server and load generator on 2 cores; \
         each group has its own scale</text>\n\
         {body}</svg>\n"
    )
}

const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:#1f2328}\
.title{font-size:15px;font-weight:600}.note{fill:#59636e;font-size:11px}.operation{font-weight:600}\
.server{text-anchor:end;fill:#59636e;font-size:11px}.rate{font-size:11px}.paper{fill:#fff}\
rect{fill:#afb8c1}.s0{fill:#1a7f64}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.note,.server{fill:#9198a1}.paper{fill:#0d1117}\
rect{fill:#57606a}.s0{fill:#3fb990}}";

/// Writes a number with a comma between thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_plots_show_the_recorded_results() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent");
        let results = fs::read_to_string(root.join(RESULTS)).expect("the results");
        for plot in &PLOTS {
            let committed = fs::read_to_string(root.join(plot.file)).unwrap_or_default();
            let drawn = draw(plot, &results).expect("a plot");
            assert!(committed == drawn, "{} is out of date: run `cargo xtask plot`", plot.file);
        }
    }

    #[test]
    fn a_rate_that_is_not_a_number_is_refused_with_its_text() {
        let results = "### In memory\n\n| operation | ours /s |\n|---|---|\n| get | many |\n";
        let error = draw(&PLOTS[1], results).expect_err("no number");
        assert!(format!("{error:#}").contains("many is not a rate"), "{error:#}");
    }

    #[test]
    fn thousands_are_separated_by_commas() {
        assert_eq!([7, 999, 1_000, 116_135].map(grouped), ["7", "999", "1,000", "116,135"]);
    }
}
