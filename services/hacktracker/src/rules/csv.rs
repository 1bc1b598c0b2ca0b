//! Statistics as tables for spreadsheets.

use std::borrow::Cow;

use monotable_kit::csv::row;

use super::batting::BattingLine;
use super::leaders::Leaderboard;
use super::record::Record;
use super::roster::Who;
use super::team_stats::TeamStatistics;

/// Returns the statistics of a team: a row for each player, and one for all.
pub fn statistics(statistics: &TeamStatistics) -> String {
    let mut table = String::new();
    let empty = BattingLine::default();
    let sums = empty.sums().map(|(name, _)| name);
    let rates = empty.rates().map(|(name, _)| name);
    let columns = ["Number", "First name", "Last name", "Player id", "G"];
    let header = columns.into_iter().chain(sums).chain(rates).map(Cow::Borrowed);
    row(&mut table, header);
    for player in &statistics.players {
        let names = names(&player.who).into_iter();
        row(&mut table, names.chain(figures(player.games, player.line)));
    }
    let total = ["", "Total", "", ""].map(Cow::Borrowed);
    row(&mut table, total.into_iter().chain(figures(statistics.games, statistics.totals)));
    table
}

/// Returns a leaderboard: a row for each leader, the best first.
pub fn leaders(board: &Leaderboard) -> String {
    let mut table = String::new();
    let rate = format!("{:?}", board.rate).to_uppercase();
    let columns = ["Rank", "Number", "First name", "Last name", "Player id", &rate, "PA", "AB"];
    row(&mut table, columns.into_iter().map(Cow::Borrowed));
    for leader in &board.leaders {
        let value = leader.value.to_string();
        let figures = [value, leader.plate_appearances.to_string(), leader.at_bats.to_string()];
        let rank = std::iter::once(Cow::Owned(leader.rank.to_string()));
        row(&mut table, rank.chain(names(&leader.who)).chain(figures.map(Cow::Owned)));
    }
    table
}

/// Returns the record of a team: one row.
pub fn record(record: &Record) -> String {
    let mut table = String::new();
    row(&mut table, ["G", "W", "L", "T", "RF", "RA"].into_iter().map(Cow::Borrowed));
    let Record { games, wins, losses, ties, runs_for, runs_against, .. } = record;
    let figures = [games, wins, losses, ties, runs_for, runs_against];
    row(&mut table, figures.into_iter().map(|figure| Cow::Owned(figure.to_string())));
    table
}

/// Returns the names in a row.
fn names(who: &Who) -> [Cow<'_, str>; 4] {
    [
        Cow::Owned(who.player_number.map(|number| number.to_string()).unwrap_or_default()),
        Cow::Borrowed(who.first_name.as_deref().unwrap_or_default()),
        Cow::Borrowed(who.last_name.as_deref().unwrap_or_default()),
        Cow::Borrowed(who.player_id.as_ref()),
    ]
}

/// Returns the figures of a line; an undefined rate is an empty cell.
fn figures<'a>(games: u64, line: BattingLine) -> impl Iterator<Item = Cow<'a, str>> {
    let sums = line.sums().map(|(_, sum)| sum.to_string());
    let rates =
        line.rates().map(|(_, rate)| rate.map_or_else(String::new, |rate| rate.to_string()));
    std::iter::once(games.to_string()).chain(sums).chain(rates).map(Cow::Owned)
}
