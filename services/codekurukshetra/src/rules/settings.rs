//! The settings of the event: what administrators may set.

use std::collections::BTreeSet;

use monotable_kit::{FieldProblem, Zone};

use crate::table::Config;

/// People of a team at most, whatever the event.
const TEAM_SIZE_MAX: u8 = 10;
/// Tracks at most.
const TRACKS_MAX: usize = 30;

/// Returns what is wrong with settings, all of it at once.
pub fn problems(config: &Config) -> Vec<FieldProblem> {
    let mut wrong = Vec::new();
    let mut require = |holds: bool, field: &str, message: &str| {
        if !holds {
            wrong.push(FieldProblem::new(field, message));
        }
    };
    let is_window = config.registration_start <= config.registration_end;
    require(is_window, "registration_end", "must not be before registration_start");
    let is_in_time = config.registration_end <= config.event_start;
    require(is_in_time, "event_start", "must not be before registration_end");
    let is_event = config.event_start <= config.event_end;
    require(is_event, "event_end", "must not be before event_start");
    require(config.min_team_size >= 1, "min_team_size", "must be 1 at least");
    let is_range = config.min_team_size <= config.max_team_size;
    require(is_range, "max_team_size", "must not be less than min_team_size");
    require(config.max_team_size <= TEAM_SIZE_MAX, "max_team_size", "must be 10 at most");
    let tracks = config.tracks.len();
    require((1..=TRACKS_MAX).contains(&tracks), "tracks", "must be 1 to 30 tracks");
    let distinct: BTreeSet<_> = config.tracks.iter().map(|track| track.as_str()).collect();
    require(distinct.len() == tracks, "tracks", "must be distinct");
    let are_slugs = config.tracks.iter().all(|track| is_slug(track.as_str()));
    require(are_slugs, "tracks", "must be slugs such as ai-ml");
    if let Err(message) = Zone::named(&config.timezone) {
        require(false, "timezone", &message);
    }
    let is_currency = config.currency.len() == 3
        && config.currency.bytes().all(|letter| letter.is_ascii_uppercase());
    require(is_currency, "currency", "must be a code such as INR");
    require(config.hold_hours >= 1, "hold_hours", "must be 1 at least");
    require(config.retention_days >= 1, "retention_days", "must be 1 at least");
    wrong
}

/// Returns whether a text has lower-case letters and digits, with single hyphens between them.
fn is_slug(text: &str) -> bool {
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit())
    };
    text.split('-').all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Changes;

    fn config() -> Config {
        let at = |text: &str| text.parse().unwrap();
        Config {
            event_name: "CodeKurukshetra".to_owned(),
            registration_open: true,
            registration_start: at("2025-08-01T00:00:00Z"),
            registration_end: at("2025-09-15T23:59:59Z"),
            event_start: at("2025-09-20T10:00:00Z"),
            event_end: at("2025-09-22T18:00:00Z"),
            team_fee: 99_900,
            max_team_size: 4,
            min_team_size: 2,
            max_teams: 500,
            tracks: ["ai-ml", "web-mobile"].map(|track| track.parse().unwrap()).into(),
            currency: "INR".to_owned(),
            timezone: "Asia/Kolkata".to_owned(),
            hold_hours: 24,
            retention_days: 180,
            contact_email: None,
            stamps: Changes::default(),
        }
    }

    #[test]
    fn what_the_design_document_has_is_right() {
        assert_eq!(problems(&config()), []);
        let free = Config { team_fee: 0, min_team_size: 1, max_team_size: 10, ..config() };
        assert_eq!(problems(&free), []);
    }

    #[test]
    fn each_wrong_field_is_named() {
        let at = |text: &str| text.parse().unwrap();
        let tracks = |tracks: &[&str]| tracks.iter().map(|one| one.parse().unwrap()).collect();
        let many = (0..31).map(|number| format!("t{number}").parse().unwrap()).collect();
        for (field, wrong) in [
            (
                "registration_end",
                Config { registration_end: at("2025-07-31T00:00:00Z"), ..config() },
            ),
            ("event_start", Config { registration_end: at("2025-09-21T00:00:00Z"), ..config() }),
            ("event_end", Config { event_end: at("2025-09-20T09:00:00Z"), ..config() }),
            ("min_team_size", Config { min_team_size: 0, ..config() }),
            ("max_team_size", Config { min_team_size: 5, ..config() }),
            ("max_team_size", Config { max_team_size: 11, ..config() }),
            ("tracks", Config { tracks: Vec::new(), ..config() }),
            ("tracks", Config { tracks: many, ..config() }),
            ("tracks", Config { tracks: tracks(&["ai-ml", "ai-ml"]), ..config() }),
            ("tracks", Config { tracks: tracks(&["AI-ML"]), ..config() }),
            ("tracks", Config { tracks: tracks(&["ai--ml"]), ..config() }),
            ("timezone", Config { timezone: "IST".to_owned(), ..config() }),
            ("currency", Config { currency: "rupees".to_owned(), ..config() }),
            ("hold_hours", Config { hold_hours: 0, ..config() }),
            ("retention_days", Config { retention_days: 0, ..config() }),
        ] {
            let named: Vec<String> = problems(&wrong).into_iter().map(|one| one.field).collect();
            assert_eq!(named, [field], "{wrong:?}");
        }
    }
}
