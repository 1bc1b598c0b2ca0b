//! The narrator's memory of earlier turns: one line per turn, the oldest removed first.

use super::Fact;
use super::offline::sentence;
use crate::rules::state::Tone;
use crate::table::TurnId;

/// The maximum size of the memory in bytes.
pub const MEMORY_BYTES_MAX: usize = 4096;
/// The number of events after which the memory is refreshed.
const MEMORY_EVENTS: u32 = 10;

/// Returns whether the memory is due for a refresh when the log has grown from `before` to `after`
/// events.
#[must_use]
pub const fn is_memory_due(before: u32, after: u32) -> bool {
    after / MEMORY_EVENTS > before / MEMORY_EVENTS
}

/// Returns the memory with the highlights of one more turn.
#[must_use]
pub fn remember(memory: &str, turn_id: &TurnId, facts: &[Fact]) -> String {
    let sentences: Vec<_> = facts
        .iter()
        .filter(|fact| fact.is_highlight())
        .map(|fact| sentence(fact, Tone::Classic, 0))
        .collect();
    if sentences.is_empty() {
        return memory.to_owned();
    }
    let line = format!("{turn_id}: {}", sentences.join(" "));
    let mut lines: Vec<&str> = memory.lines().chain([line.as_str()]).collect();
    let length = |lines: &[&str]| lines.iter().map(|line| line.len() + 1).sum::<usize>();
    while lines.len() > 1 && length(&lines) > MEMORY_BYTES_MAX {
        lines.remove(0);
    }
    bounded(lines.join("\n"))
}

/// Returns the memory in the narrator's own words, after a turn.
#[must_use]
pub fn remember_as(turn_id: &TurnId, text: &str) -> String {
    bounded(format!("{turn_id}: {}", text.replace('\n', " ")))
}

fn bounded(mut memory: String) -> String {
    memory.truncate(memory.floor_char_boundary(MEMORY_BYTES_MAX));
    memory
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_turns_are_forgotten_first() {
        let mut memory = String::new();
        for day in 1..200 {
            let facts = [Fact::Won { who: "Zoë".repeat(10) }];
            memory = remember(&memory, &TurnId::of(day, 1), &facts);
            assert!(memory.len() <= MEMORY_BYTES_MAX);
        }
        assert!(memory.contains("d199t1") && !memory.contains("d1t1:"));
        let huge = [Fact::Won { who: "é".repeat(5000) }];
        assert!(remember(&memory, &TurnId::of(1, 1), &huge).len() <= MEMORY_BYTES_MAX);
    }

    #[test]
    fn nothing_worth_telling_changes_nothing() {
        let facts = [Fact::Hid { who: "Ilse".to_owned() }];
        assert_eq!(remember("d1t1: x", &TurnId::of(1, 2), &facts), "d1t1: x");
        assert!(is_memory_due(9, 10) && is_memory_due(8, 31) && !is_memory_due(10, 19));
    }
}
