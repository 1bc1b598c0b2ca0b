//! Judging: weighted criteria, scores that do not depend on how strict a judge is, and the leaderboard.

use std::collections::{BTreeMap, BTreeSet};

use monotable_kit::FieldType;
use serde::{Deserialize, Serialize};

/// Judges that a submission needs to be ranked.
pub const JUDGES_MIN: usize = 2;
/// The points of a criterion.
pub const POINTS: std::ops::RangeInclusive<u8> = 0..=10;

/// What judges look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, FieldType)]
pub struct Criterion {
    /// Its name.
    #[field(length = 1..=40, example = "Innovation")]
    pub name: String,
    /// How much it counts, compared with the others.
    #[field(range = 1..=100, example = 3)]
    pub weight: u32,
}

/// Returns what judges look at unless organisers say otherwise.
pub fn usual_criteria() -> Vec<Criterion> {
    let criteria = [("Innovation", 3), ("Execution", 3), ("Impact", 2), ("Presentation", 2)];
    criteria.map(|(name, weight)| Criterion { name: name.to_owned(), weight }).into()
}

/// Checks what judges are to look at.
///
/// # Errors
/// Fails if two criteria have the same name, as the message of a field.
pub fn check_criteria(criteria: &[Criterion]) -> Result<Vec<Criterion>, String> {
    let names: BTreeSet<String> = criteria.iter().map(|it| it.name.to_lowercase()).collect();
    if names.len() < criteria.len() {
        return Err("must have different names".to_owned());
    }
    Ok(criteria.to_vec())
}

/// The points that one judge gave one team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreSheet {
    /// The judge.
    pub judge: String,
    /// The team.
    pub team: String,
    /// Points by criterion.
    pub points: BTreeMap<String, u8>,
}

/// Checks points against the criteria.
///
/// # Errors
/// Describes the error as the message of a field.
pub fn check_points(criteria: &[Criterion], points: &BTreeMap<String, u8>) -> Result<(), String> {
    let names: BTreeSet<&str> = criteria.iter().map(|it| it.name.as_str()).collect();
    if let Some(unknown) = points.keys().find(|name| !names.contains(name.as_str())) {
        return Err(format!("{unknown:?} is not a criterion"));
    }
    if let Some(missing) = names.iter().find(|name| !points.contains_key(**name)) {
        return Err(format!("the points for {missing:?} are missing"));
    }
    if points.values().all(|it| POINTS.contains(it)) {
        Ok(())
    } else {
        Err(format!("points are {} to {}", POINTS.start(), POINTS.end()))
    }
}

/// Returns the mean of the points, by the weights of the criteria.
pub fn weighted(criteria: &[Criterion], points: &BTreeMap<String, u8>) -> f64 {
    let weights: u32 = criteria.iter().map(|it| it.weight).sum();
    let points = |it: &Criterion| points.get(&it.name).map_or(0, |points| u32::from(*points));
    let sum: u32 = criteria.iter().map(|it| it.weight * points(it)).sum();
    if weights == 0 { 0.0 } else { f64::from(sum) / f64::from(weights) }
}

/// A team on the leaderboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Its place; teams with the same score share one. `None` while too few judges have scored it.
    pub rank: Option<u32>,
    /// The team.
    pub team: String,
    /// Judges that have scored it.
    pub judges: usize,
    /// The mean of its weighted points.
    pub points: f64,
    /// The mean of its scores: by how many standard deviations of a judge's points it is above the mean of
    /// the judge.
    pub score: f64,
}

/// Returns the leaderboard, the best first, and teams that too few judges have scored at the end.
pub fn leaderboard(criteria: &[Criterion], sheets: &[ScoreSheet]) -> Vec<Standing> {
    // In one order, so that sums have the same digits each time.
    let mut weighed: BTreeMap<&str, BTreeMap<&str, f64>> = BTreeMap::new();
    for sheet in sheets {
        let points = weighted(criteria, &sheet.points);
        weighed.entry(&sheet.judge).or_default().insert(&sheet.team, points);
    }
    let mut teams: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for given in weighed.values() {
        let mean = mean(given.values().copied());
        let deviation = self::mean(given.values().map(|it| (it - mean).powi(2))).sqrt();
        for (team, points) in given {
            // A judge whose scores are all equal does not affect the order.
            let score = if deviation > 0.0 { (points - mean) / deviation } else { 0.0 };
            teams.entry(team).or_default().push((*points, score));
        }
    }
    let standing = |(team, scores): (&str, Vec<(f64, f64)>)| Standing {
        rank: None,
        team: team.to_owned(),
        judges: scores.len(),
        points: rounded(mean(scores.iter().map(|it| it.0))),
        score: rounded(mean(scores.iter().map(|it| it.1))),
    };
    let mut standings: Vec<Standing> = teams.into_iter().map(standing).collect();
    let is_ranked = |it: &Standing| it.judges >= JUDGES_MIN;
    standings.sort_by(|one, other| {
        is_ranked(other)
            .cmp(&is_ranked(one))
            .then(other.score.total_cmp(&one.score))
            .then(other.points.total_cmp(&one.points))
            .then(one.team.cmp(&other.team))
    });
    let mut before: Option<(u32, f64, f64)> = None;
    for (place, standing) in (1..).zip(standings.iter_mut().filter(|it| is_ranked(it))) {
        let is_same = |it: &(u32, f64, f64)| (it.1, it.2) == (standing.score, standing.points);
        let rank = before.filter(is_same).map_or(place, |it| it.0);
        standing.rank = Some(rank);
        before = Some((rank, standing.score, standing.points));
    }
    standings
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// Returns a number with four digits, so that scores that are the same are equal.
fn rounded(value: f64) -> f64 {
    // Without the sign of a negative zero.
    (value * 10_000.0).round() / 10_000.0 + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn criteria() -> Vec<Criterion> {
        let criterion = |name: &str, weight| Criterion { name: name.to_owned(), weight };
        vec![criterion("idea", 3), criterion("work", 1)]
    }

    fn points(idea: u8, work: u8) -> BTreeMap<String, u8> {
        BTreeMap::from([("idea".to_owned(), idea), ("work".to_owned(), work)])
    }

    fn sheet(judge: &str, team: &str, idea: u8, work: u8) -> ScoreSheet {
        ScoreSheet { judge: judge.to_owned(), team: team.to_owned(), points: points(idea, work) }
    }

    fn places(sheets: &[ScoreSheet]) -> Vec<(Option<u32>, String)> {
        leaderboard(&criteria(), sheets).into_iter().map(|it| (it.rank, it.team)).collect()
    }

    #[test]
    fn criteria_have_different_names() {
        assert_eq!(check_criteria(&usual_criteria()), Ok(usual_criteria()));
        let twice = [criteria(), vec![Criterion { name: "Idea".to_owned(), weight: 1 }]].concat();
        assert!(check_criteria(&twice).is_err());
    }

    #[test]
    fn criteria_count_by_their_weights() {
        assert_eq!(weighted(&criteria(), &points(10, 2)), 8.0);
        assert_eq!(weighted(&[], &points(10, 2)), 0.0);
    }

    #[test]
    fn points_are_for_each_criterion_and_no_other() {
        assert_eq!(check_points(&criteria(), &points(0, 10)), Ok(()));
        let mut other = points(1, 1);
        other.remove("work");
        assert!(check_points(&criteria(), &other).unwrap_err().contains("work"));
        other.insert("looks".to_owned(), 1);
        assert!(check_points(&criteria(), &other).unwrap_err().contains("looks"));
        assert!(check_points(&criteria(), &points(11, 1)).is_err());
    }

    #[test]
    fn a_strict_judge_counts_as_much_as_a_generous_one() {
        // By plain means b would win, because the generous judge gives more points to some.
        let sheets = [
            sheet("strict", "a", 2, 2),
            sheet("strict", "b", 1, 1),
            sheet("strict", "c", 1, 1),
            sheet("generous", "a", 4, 4),
            sheet("generous", "b", 10, 10),
            sheet("generous", "c", 0, 0),
        ];
        let board = leaderboard(&criteria(), &sheets);
        let shown: Vec<_> =
            board.iter().map(|it| (it.team.as_str(), it.score, it.points)).collect();
        assert_eq!(shown, [("a", 0.626, 3.0), ("b", 0.2953, 5.5), ("c", -0.9213, 0.5)]);
    }

    #[test]
    fn teams_need_two_judges_for_a_place() {
        let sheets = [sheet("j", "a", 5, 5), sheet("k", "a", 5, 5), sheet("j", "b", 10, 10)];
        assert_eq!(places(&sheets), [(Some(1), "a".to_owned()), (None, "b".to_owned())]);
        assert_eq!(places(&[]), []);
    }

    #[test]
    fn teams_with_the_same_scores_share_a_place() {
        let sheets: Vec<ScoreSheet> = ["j", "k"]
            .into_iter()
            .flat_map(|judge| {
                [("a", 7), ("b", 7), ("c", 3)].map(|(team, it)| sheet(judge, team, it, it))
            })
            .collect();
        let expected = [(Some(1), "a"), (Some(1), "b"), (Some(3), "c")];
        assert_eq!(places(&sheets), expected.map(|(rank, team)| (rank, team.to_owned())));
    }
}
