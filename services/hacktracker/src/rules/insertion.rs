//! The position of an inserted at-bat. At-bats of a game are in the order of their ids, so one that
//! is inserted gets an id between those of its neighbours.

use monotable_kit::Problem;
use uuid::Uuid;

use crate::refusal::Refusal;
use crate::rules::results::order;
use crate::table::{AtBat, AtBatId};

/// The bits of an id of version 7 after its milliseconds, without those of version and variant.
const BITS_BEHIND_TIME: u32 = 74;
/// The bits of them after the variant.
const BITS_BEHIND_VARIANT: u32 = 62;
/// The low bits that are random if there is space, so that the same id is not generated twice.
const RANDOM_BITS: u32 = 30;

/// Returns an id between those of two neighbours, the first of which may be missing.
///
/// # Errors
///
/// Returns 409 `NO_ROOM` if no id fits between them.
pub(crate) fn id_between(
    random: u32,
    before: Option<&AtBat>,
    after: &AtBat,
) -> Result<AtBatId, Problem> {
    let end = position(after).start;
    // Nothing precedes the first one, so a second is enough space.
    let second = 1_000_u128 << BITS_BEHIND_TIME;
    let start = before.map_or(end.saturating_sub(second), |before| position(before).end);
    let room = end.checked_sub(start).filter(|room| *room > 0).ok_or(Refusal::NoRoom)?;
    let mut middle = start + room / 2;
    if room >> (RANDOM_BITS + 2) > 0 {
        let random = u128::from(random) & ((1 << RANDOM_BITS) - 1);
        middle = (middle >> RANDOM_BITS << RANDOM_BITS) | random;
    }
    let text = id_at(middle).to_string();
    AtBatId::new(text).map_err(|error| Problem::internal(error.to_string()))
}

/// Returns the range of a plate appearance among ids of version 7: the first number that is not
/// before it, and the first after it. Ids of older programs contain no time, but their rows contain
/// the millisecond.
fn position(at_bat: &AtBat) -> std::ops::Range<u128> {
    let (time_ms, id) = order(at_bat);
    match Uuid::try_parse(id.as_str()) {
        Ok(parsed) if parsed.get_version_num() == 7 && parsed.to_string() == id.as_str() => {
            let number = number_of(parsed);
            number..number + 1
        }
        _ => {
            let time_ms = u128::try_from(time_ms).unwrap_or_default();
            time_ms << BITS_BEHIND_TIME..(time_ms + 1) << BITS_BEHIND_TIME
        }
    }
}

/// Returns an id of version 7 as a number, without the bits of version and variant.
fn number_of(id: Uuid) -> u128 {
    let bits = id.as_u128();
    let time = bits >> 80;
    let before_variant = (bits >> 64) & 0xfff;
    let behind_variant = bits & ((1 << BITS_BEHIND_VARIANT) - 1);
    (time << BITS_BEHIND_TIME) | (before_variant << BITS_BEHIND_VARIANT) | behind_variant
}

/// Returns the id of a number.
fn id_at(number: u128) -> Uuid {
    let time = number >> BITS_BEHIND_TIME;
    let before_variant = (number >> BITS_BEHIND_VARIANT) & 0xfff;
    let behind_variant = number & ((1 << BITS_BEHIND_VARIANT) - 1);
    Uuid::from_u128(
        (time << 80) | (7 << 76) | (before_variant << 64) | (0b10 << 62) | behind_variant,
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at_bat(id: &str, created_at: &str) -> AtBat {
        let at_bat = json!({ "gameId": "g", "atBatId": id, "playerId": "p", "teamId": "t" });
        let mut at_bat: AtBat = serde_json::from_value(at_bat).unwrap();
        at_bat.stamps.created = created_at.parse().unwrap();
        at_bat
    }

    const RANDOM: u32 = 0x9e37_79b9;

    fn inserted(before: Option<&AtBat>, after: &AtBat) -> AtBat {
        let id = id_between(RANDOM, before, after).unwrap();
        at_bat(id.as_str(), "2030-01-01T00:00:00Z")
    }

    #[test]
    fn a_number_is_the_id_that_it_was_made_of() {
        let id: Uuid = "0197f0c2-9d6e-7c1a-bf00-5f2f6f1f9a02".parse().unwrap();
        assert_eq!(id_at(number_of(id)), id);
        assert_eq!(id_at(number_of(id) + 1).to_string(), "0197f0c2-9d6e-7c1a-bf00-5f2f6f1f9a03");
        let last: Uuid = "0197f0c2-9d6e-7fff-bfff-ffffffffffff".parse().unwrap();
        assert_eq!(id_at(number_of(last) + 1).to_string(), "0197f0c2-9d6f-7000-8000-000000000000");
    }

    #[test]
    fn an_id_is_between_its_neighbours_while_one_fits() {
        let time = "2026-01-01T00:00:00Z";
        let first = at_bat("0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a02", time);
        let mut last = at_bat("0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a06", time);
        for _ in 0..2 {
            let middle = inserted(Some(&first), &last);
            assert!(order(&first) < order(&middle) && order(&middle) < order(&last));
            last = middle;
        }
        let none = id_between(RANDOM, Some(&first), &last).unwrap_err();
        assert_eq!(none.code, "NO_ROOM");
        let before = inserted(None, &first);
        assert!(order(&before) < order(&first));
    }

    #[test]
    fn ids_of_older_programs_are_ordered_by_their_times() {
        let first = at_bat("zz", "2026-05-01T18:00:00Z");
        let second = at_bat("aa", "2026-05-01T18:00:00.002Z");
        let between = inserted(Some(&first), &second);
        assert!(order(&first) < order(&between) && order(&between) < order(&second));
        let same = at_bat("bb", "2026-05-01T18:00:00.002Z");
        assert!(id_between(RANDOM, Some(&second), &same).is_err());
        let before = inserted(None, &first);
        assert!(order(&before) < order(&first));
    }
}
