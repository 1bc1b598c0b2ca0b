//! Distances on the Earth, and whether somebody can have gone so far.

use std::time::Duration;

use monotable_kit::Words;
use serde::{Deserialize, Serialize};

use crate::table::Degrees;

/// The radius of the Earth.
const RADIUS_M: f64 = 6_371_000.0;
/// Nobody on a hunt is faster: an express train.
const SPEED_MAX: f64 = 90.0;
/// Positions are not exact.
const TOLERANCE_M: f64 = 150.0;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Degrees north.
    pub latitude: f64,
    /// Degrees east.
    pub longitude: f64,
}

impl Position {
    /// Returns the position of stored degrees.
    pub fn of(latitude: Degrees, longitude: Degrees) -> Self {
        Self { latitude: latitude.0, longitude: longitude.0 }
    }

    /// Returns how many metres another position is away.
    pub fn distance_m(self, other: Self) -> f64 {
        let (from, to) = (self.latitude.to_radians(), other.latitude.to_radians());
        let north = (to - from) / 2.0;
        let east = (other.longitude - self.longitude).to_radians() / 2.0;
        let half = north.sin().powi(2) + from.cos() * to.cos() * east.sin().powi(2);
        2.0 * RADIUS_M * half.clamp(0.0, 1.0).sqrt().asin()
    }

    /// Returns whether somebody who was at another position so long ago can be here.
    pub fn is_reachable_from(self, other: Self, after: Duration) -> bool {
        self.distance_m(other) <= TOLERANCE_M + SPEED_MAX * after.as_secs_f64()
    }
}

/// How far somebody is away, as players may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "snake_case")]
pub enum DistanceBand {
    /// Less than 200 metres.
    Near,
    /// Less than a kilometre.
    Some,
    /// Farther.
    Far,
    /// Nobody of the team has reported a position that counts.
    Unknown,
}

impl DistanceBand {
    /// Returns the band of a distance.
    pub fn of(distance_m: Option<f64>) -> Self {
        match distance_m {
            Some(distance) if distance < 200.0 => Self::Near,
            Some(distance) if distance < 1_000.0 => Self::Some,
            Some(_) => Self::Far,
            None => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn at(latitude: f64, longitude: f64) -> Position {
        Position { latitude, longitude }
    }

    #[test]
    fn distances_are_those_of_the_earth() {
        let check = |from: Position, to: Position, metres: f64| {
            let distance = from.distance_m(to);
            assert!((distance - metres).abs() <= metres * 0.005 + 0.01, "{distance} {metres}");
        };
        check(at(0.0, 0.0), at(0.0, 0.0), 0.0);
        check(at(0.0, 0.0), at(0.0, 1.0), 111_195.0);
        check(at(48.8566, 2.3522), at(51.5074, -0.1278), 343_500.0);
        // Across the day's border, and from pole to pole.
        check(at(0.0, 179.9), at(0.0, -179.9), 22_239.0);
        check(at(90.0, 0.0), at(-90.0, 0.0), 20_015_000.0);
    }

    #[test]
    fn a_train_is_fast_enough_and_nothing_is_faster() {
        let (here, there) = (at(0.0, 0.0), at(0.0, 0.1));
        assert!(there.is_reachable_from(here, Duration::from_secs(125)));
        assert!(!there.is_reachable_from(here, Duration::from_secs(5)));
        assert!(at(0.0, 0.001).is_reachable_from(here, Duration::ZERO));
    }
}
