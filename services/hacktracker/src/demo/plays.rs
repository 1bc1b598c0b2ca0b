//! Plausible innings: results in a fixed order, and runners who advance accordingly.

use serde_json::{Value, json};

/// Results in their order; games start at different positions.
const RESULTS: [(&str, Option<&str>); 13] = [
    ("1B", Some("ground_ball")),
    ("OUT", Some("fly_ball")),
    ("BB", None),
    ("2B", Some("line_drive")),
    ("K", None),
    ("1B", Some("line_drive")),
    ("OUT", Some("ground_ball")),
    ("HR", Some("fly_ball")),
    ("E", Some("ground_ball")),
    ("SAC", Some("bunt")),
    ("1B", Some("pop_up")),
    ("OUT", Some("line_drive")),
    ("3B", Some("fly_ball")),
];

/// Returns the plays of a lineup, as requests.
pub(super) fn plays(lineup: &[String], game: usize, count: usize) -> Vec<Value> {
    let mut bases: [Option<String>; 3] = Default::default();
    let mut outs = 0;
    let results = RESULTS.iter().cycle().skip(game * 5);
    let batters = lineup.iter().cycle();
    let mut plays = Vec::new();
    for (number, ((result, hit_type), batter)) in results.zip(batters).take(count).enumerate() {
        let runs = advance(&mut bases, batter, result);
        let rbis = if *result == "E" { 0 } else { runs.len() };
        let mut play = json!({ "playerId": batter, "result": result, "runsScored": runs });
        if rbis > 0 {
            play["rbis"] = json!(rbis);
        }
        if let Some(hit_type) = hit_type {
            let place = |step: usize| ((number * step + game) % 9 + 1) as f64 / 10.0;
            play["hitType"] = json!(hit_type);
            play["hitLocation"] = json!({ "x": place(4), "y": place(7) });
        }
        plays.push(play);
        if matches!(*result, "OUT" | "K" | "SAC") {
            outs += 1;
        }
        if outs == 3 {
            (outs, bases) = (0, Default::default());
        }
    }
    plays
}

/// Advances the runners by a result, and returns those who score.
fn advance(bases: &mut [Option<String>; 3], batter: &str, result: &str) -> Vec<String> {
    let steps = match result {
        "1B" | "BB" | "E" => 1,
        "2B" => 2,
        "3B" => 3,
        "HR" => 4,
        _ => return Vec::new(),
    };
    let mut runs = Vec::new();
    for step in 0..steps {
        runs.extend(bases[2].take());
        bases.rotate_right(1);
        bases[0] = (step == 0).then(|| batter.to_owned());
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_advance_by_the_result() {
        let mut bases: [Option<String>; 3] = Default::default();
        assert_eq!(advance(&mut bases, "a", "1B"), [""; 0]);
        assert_eq!(advance(&mut bases, "b", "2B"), [""; 0]);
        assert_eq!(bases, [None, Some("b".to_owned()), Some("a".to_owned())]);
        assert_eq!(advance(&mut bases, "c", "1B"), ["a"]);
        assert_eq!(advance(&mut bases, "d", "K"), [""; 0]);
        assert_eq!(advance(&mut bases, "e", "HR"), ["b", "c", "e"]);
        assert_eq!(bases, <[Option<String>; 3]>::default());
    }
}
