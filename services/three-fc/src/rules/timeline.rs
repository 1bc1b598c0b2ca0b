//! The order of goals: in the timeline by third and minute, and as they were entered.

use monotable::model::time::Timestamp;
use monotable_kit::Ids;

use crate::table::{EventId, Goal};

/// Sorts goals by third and minute; those of one minute as they were entered.
pub fn sort(goals: &mut [Goal]) {
    goals.sort_by(|one, other| order(one).cmp(&order(other)));
}

/// Adds a goal to sorted ones.
pub fn insert(goals: &mut Vec<Goal>, goal: Goal) {
    let index = goals.partition_point(|known| order(known) < order(&goal));
    goals.insert(index, goal);
}

/// Returns where a goal is in the timeline.
pub fn position(goal: &Goal) -> (u8, u16, (Timestamp, EventId)) {
    let (third, game_minute, (at, event_id)) = order(goal);
    (third, game_minute, (at, event_id.clone()))
}

fn order(goal: &Goal) -> (u8, u16, Entered<'_>) {
    (goal.third, goal.game_minute, entered(goal))
}

/// When a goal was entered. Ids of this service sort by time; goals with other ids have the time of their row.
pub type Entered<'a> = (Timestamp, &'a EventId);

/// Returns when a goal was entered.
pub fn entered(goal: &Goal) -> Entered<'_> {
    (Ids::ulid_time(goal.event_id.as_str()).unwrap_or(goal.stamps.created), &goal.event_id)
}

/// Returns the index of the goal that was entered last, wherever it is in the timeline.
pub fn last_entered(goals: &[Goal]) -> Option<usize> {
    (0..goals.len()).max_by_key(|index| entered(&goals[*index]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixtures::goal;

    const FIRST: &str = "01KA0000000000000000000000";
    const SECOND: &str = "01KA0000010000000000000000";

    fn entered_goal(event_id: &str, third: u8, game_minute: u16, created_ms: i64) -> Goal {
        let mut goal = Goal { third, game_minute, ..goal("red", "blue") };
        goal.event_id = event_id.parse().unwrap();
        goal.stamps.created = Timestamp::from_ms(created_ms).unwrap();
        goal
    }

    fn sorted(mut goals: Vec<Goal>) -> Vec<String> {
        let mut inserted = Vec::new();
        goals.iter().for_each(|goal| insert(&mut inserted, goal.clone()));
        sort(&mut goals);
        assert_eq!(goals, inserted);
        goals.iter().map(|goal| goal.event_id.to_string()).collect()
    }

    #[test]
    fn tf_d6_goals_of_a_minute_are_in_the_order_in_which_they_were_entered() {
        let goals = vec![
            entered_goal(SECOND, 1, 10, 0),
            entered_goal(FIRST, 1, 10, 9),
            entered_goal("zz-legacy", 1, 9, 5),
            entered_goal("aa-legacy", 1, 9, 6),
            entered_goal("third-2", 2, 0, 0),
        ];
        assert_eq!(sorted(goals), ["zz-legacy", "aa-legacy", FIRST, SECOND, "third-2"]);
    }

    #[test]
    fn tf_d20_the_last_goal_is_the_one_that_was_entered_last() {
        let goals = [entered_goal(SECOND, 1, 2, 0), entered_goal(FIRST, 3, 40, 0)];
        assert_eq!(last_entered(&goals), Some(0));
        assert_eq!(last_entered(&[]), None);
    }
}
