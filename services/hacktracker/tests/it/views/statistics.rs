//! Random games: every figure is that of the other calculation, and sums are sums.

use monotable_hacktracker::rules::batting::BattingLine;
use monotable_hacktracker::rules::leaders::{RateName, leaders};
use monotable_hacktracker::rules::player_card::player_card;
use monotable_hacktracker::rules::record::{Ending, record};
use monotable_hacktracker::rules::team_stats::team_statistics;
use monotable_hacktracker::rules::{GameLog, Progress, Scope, logs};
use monotable_hacktracker::table::{AtBat, GameStatus};
use proptest::prelude::*;

use super::oracle::{Figures, Fraction, figures};
use super::random::{any_logs, name};
use super::{id, player};

fn same(line: &BattingLine, figures: &Figures) {
    for (column, sum) in line.sums() {
        assert_eq!(sum, figures.column(column), "{column}");
    }
    assert_eq!(line.unrecognised, figures.column("unrecognised"));
    for ((column, rate), expected) in line.rates().into_iter().zip(figures.rates()) {
        let (shown, expected) = (rate.map(|rate| rate.to_string()), expected.map(Fraction::text));
        assert_eq!(shown, expected, "{column}");
    }
}

fn counting(log: &&GameLog) -> bool {
    log.game.status == GameStatus::Final && log.game.deleting != Some(true)
}

fn plays(games: &[GameLog]) -> Vec<&AtBat> {
    games.iter().filter(counting).flat_map(|log| &log.at_bats).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn statistics_are_those_of_the_other_calculation(games in any_logs()) {
        let roster = [player("p0", serde_json::json!({})), player("p9", serde_json::json!({}))];
        let statistics = team_statistics(&games, &roster, &Scope::default());
        let plays = plays(&games);
        for found in &statistics.players {
            same(&found.line, &figures(found.who.player_id.as_ref(), plays.iter().copied()));
        }
        let found: Vec<&str> = statistics.players.iter().map(|one| one.who.player_id.as_ref()).collect();
        for number in 0..9 {
            let figures = figures(&name(number), plays.iter().copied());
            let is_there = figures.column("PA") + figures.column("R") + figures.column("unrecognised") > 0;
            prop_assert!(!is_there || found.contains(&name(number).as_str()));
        }

        // The team is the sum of its players: Σ H / Σ AB, never a mean of means.
        let mut team = Figures::default();
        for play in &plays {
            team.bat(play);
            play.runs_scored.iter().flatten().for_each(|_| team.score());
        }
        same(&statistics.totals, &team);
        let sum = |column: fn(&BattingLine) -> u64| -> u64 {
            statistics.players.iter().map(|one| column(&one.line)).sum()
        };
        let (hits, at_bats) = (sum(BattingLine::hits), sum(BattingLine::at_bats));
        let average = (at_bats > 0).then(|| Fraction::new(hits.into(), at_bats.into()).text());
        prop_assert_eq!(statistics.totals.average().map(|rate| rate.to_string()), average);
    }

    #[test]
    fn a_card_is_the_player_s_line_and_its_last_games_are_among_them(games in any_logs(), last in 0..4_usize) {
        let card = player_card(&games, &id("p3"), &Scope::default(), last);
        same(&card.totals, &figures("p3", plays(&games)));
        prop_assert_eq!(card.trend.len() as u64, card.games.min(last as u64));
        prop_assert!(card.trend.is_sorted_by(|one, other| one.played_at >= other.played_at));
        let whole = player_card(&games, &id("p3"), &Scope::default(), games.len());
        prop_assert_eq!(whole.totals, whole.trend_totals);
        prop_assert_eq!(&whole.trend[..card.trend.len()], &card.trend[..]);
    }

    #[test]
    fn leaders_are_ranked_by_exact_rates_among_qualified_players(
        games in any_logs(),
        minimum in proptest::option::of(0..6_u64),
    ) {
        let finals = games.iter().filter(counting).count() as u64;
        for (word, rate) in RateName::ALL {
            let board = leaders(&games, &[], &Scope::default(), rate, minimum);
            let least = minimum.unwrap_or(2 * finals);
            prop_assert_eq!(board.minimum_plate_appearances, least);
            let column = ["AVG", "OBP", "SLG", "OPS"].iter().position(|known| *known == word).unwrap();
            let mut expected = 0;
            for number in 0..9 {
                let figures = figures(&name(number), plays(&games));
                let is_qualified = figures.column("PA") >= least && figures.rates()[column].is_some();
                let leader = board.leaders.iter().find(|leader| leader.who.player_id.as_ref() == name(number));
                prop_assert_eq!(leader.is_some(), is_qualified);
                if let Some(leader) = leader {
                    expected += 1;
                    prop_assert_eq!(leader.plate_appearances, figures.column("PA"));
                    prop_assert_eq!(leader.value.to_string(), figures.rates()[column].unwrap().text());
                    let better = board.leaders.iter().filter(|other| other.value > leader.value).count();
                    prop_assert_eq!(leader.rank, better as u64 + 1);
                }
            }
            prop_assert_eq!(board.leaders.len(), expected);
        }
    }

    #[test]
    fn a_record_counts_every_game_that_is_over_once(games in any_logs()) {
        let mut over: Vec<&GameLog> = games.iter().filter(counting).collect();
        over.sort_by_key(|log| (log.game.scheduled_start, log.game.game_id.clone()));
        let games: Vec<_> = games.iter().map(|log| log.game.clone()).collect();
        let record = record(&games, &Scope { progress: Progress::Live, ..Scope::default() });
        let endings: Vec<i32> = over
            .iter()
            .map(|log| i32::from(log.game.team_score) - i32::from(log.game.opponent_score))
            .map(i32::signum)
            .collect();
        let count = |ending| endings.iter().filter(|one| **one == ending).count() as u64;
        prop_assert_eq!((record.wins, record.losses, record.ties), (count(1), count(-1), count(0)));
        prop_assert_eq!(record.games, over.len() as u64);
        let streak = record.streak.map(|streak| {
            let kind = match streak.kind { Ending::W => 1, Ending::L => -1, Ending::T => 0 };
            (kind, streak.length)
        });
        let last = endings.last().map(|last| {
            (*last, endings.iter().rev().take_while(|one| *one == last).count() as u64)
        });
        prop_assert_eq!(streak, last);
    }

    #[test]
    fn plays_without_a_game_do_not_count(games in any_logs(), keep in any::<u8>()) {
        let plays: Vec<AtBat> = games.iter().flat_map(|log| log.at_bats.clone()).collect();
        let kept: Vec<GameLog> = games
            .iter()
            .zip(0..)
            .filter(|(log, bit)| keep >> bit & 1 == 1 && log.game.deleting != Some(true))
            .map(|(log, _)| log.clone())
            .collect();
        let rows = games.iter().zip(0..).filter(|(_, bit)| keep >> bit & 1 == 1);
        let rows = rows.map(|(log, _)| log.game.clone());
        let mut expected = kept;
        expected.sort_by_key(|log| (log.game.scheduled_start, log.game.game_id.clone()));
        prop_assert_eq!(logs(rows, plays.into_iter().rev()), expected);
    }
}
