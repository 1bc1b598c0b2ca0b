//! The figures that the engine has to reach, and where it does not.

use monotable_bench::{Figure, Figures, Mode, Workload};

use crate::engine::NAME;

/// A pair of figures, or one, against what it should be.
struct Case {
    value: f64,
    is_reached: bool,
    /// Whether its slices agree.
    is_steady: bool,
    place: String,
}

/// Prints each target with how many cases reach it and the case furthest from it.
pub(crate) fn print(figures: &Figures) {
    let figures = &figures.figures;
    if of(figures, NAME).next().is_none() {
        return;
    }
    println!(
        "\n| target | reached | of those with steady slices | worst case |\n|---|---|---|---|"
    );
    let written = |w: Workload| w.writes();
    let read = |w: Workload| !w.writes();
    let is_decoded = |w| matches!(w, Workload::GetDecoded | Workload::QueryDecoded);
    // The bare store decodes nothing, so those rows are for the comparison with dynoxide.
    let plain = |w: Workload| !is_decoded(w);
    row("writes ≥ 4 × dynoxide", &ratios(figures, "dynoxide", 4.0, written));
    row("reads ≥ 3 × dynoxide", &ratios(figures, "dynoxide", 3.0, read));
    row("every operation ≥ 0.60 × bare", &ratios(figures, "bare", 0.6, plain));
    row("put and get cost ≤ 1.5 × from the smallest to the largest table", &growth(figures, NAME));
    row("(the same of the bare store)", &growth(figures, "bare"));
    row("64 durable callers ≥ 10,000 puts a second", &durable_puts(figures));
}

fn row(target: &str, cases: &[Case]) {
    let reached = cases.iter().filter(|case| case.is_reached).count();
    if let Some(worst) = cases.first() {
        let Case { value, place, is_steady, .. } = worst;
        let steady = cases.iter().filter(|case| case.is_steady);
        let steady_reached = steady.clone().filter(|case| case.is_reached).count();
        println!(
            "| {target} | {reached} of {} | {steady_reached} of {} | {}{value:.2}: {place} |",
            cases.len(),
            steady.count(),
            if *is_steady { "" } else { "~" },
        );
    }
}

fn place(figure: &Figure) -> String {
    let Figure { mode, items, workload, callers, .. } = figure;
    format!("{mode}, {items} items, {}, {callers} callers", workload.name())
}

fn of<'a>(figures: &'a [Figure], contender: &'a str) -> impl Iterator<Item = &'a Figure> {
    figures.iter().filter(move |figure| figure.contender == contender)
}

/// Ours ÷ theirs, the smallest first.
fn ratios(
    figures: &[Figure],
    contender: &str,
    ratio_min: f64,
    counts: impl Fn(Workload) -> bool,
) -> Vec<Case> {
    let mut cases: Vec<Case> = of(figures, NAME)
        .filter(|ours| counts(ours.workload))
        .filter_map(|ours| {
            let theirs = of(figures, contender).find(|theirs| theirs.is_same_work(ours))?;
            let value = ours.median.per_second / theirs.median.per_second;
            let is_steady = ours.is_steady() && theirs.is_steady();
            Some(Case { value, is_reached: value >= ratio_min, is_steady, place: place(ours) })
        })
        .collect();
    cases.sort_by(|a, b| a.value.total_cmp(&b.value));
    cases
}

/// Returns the rate on the smallest table ÷ the rate on the largest, the largest quotient first.
fn growth(figures: &[Figure], contender: &str) -> Vec<Case> {
    let sizes = || of(figures, contender).map(|figure| figure.items);
    let (Some(small), Some(large)) = (sizes().min(), sizes().max()) else { return Vec::new() };
    if small == large {
        return Vec::new();
    }
    let mut cases: Vec<Case> = of(figures, contender)
        .filter(|figure| figure.items == small)
        .filter(|figure| matches!(figure.workload, Workload::Get | Workload::Put))
        .filter_map(|on_small| {
            let on_large = of(figures, contender).find(|figure| {
                figure.items == large
                    && Figure { items: small, ..(*figure).clone() }.is_same_work(on_small)
            })?;
            let value = on_small.median.per_second / on_large.median.per_second;
            let is_steady = on_small.is_steady() && on_large.is_steady();
            Some(Case { value, is_reached: value <= 1.5, is_steady, place: place(on_large) })
        })
        .collect();
    cases.sort_by(|a, b| b.value.total_cmp(&a.value));
    cases
}

fn durable_puts(figures: &[Figure]) -> Vec<Case> {
    let mut cases: Vec<Case> = of(figures, NAME)
        .filter(|figure| (figure.mode, figure.callers) == (Mode::Durable, 64))
        .filter(|figure| figure.workload == Workload::Put)
        .map(|figure| {
            let value = figure.median.per_second;
            let is_reached = value >= 10_000.0;
            Case { value, is_reached, is_steady: figure.is_steady(), place: place(figure) }
        })
        .collect();
    cases.sort_by(|a, b| a.value.total_cmp(&b.value));
    cases
}
